"""The lazy faces of the package, and what a fresh Python loads, opens and writes."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, cast

import cleveractors
from features.lib.bench import Bench

SOURCE = Path(str(cleveractors.__file__)).parent.parent


def listed(module: str) -> dict[str, set[str]]:
    """The names of a face, as each of its three lists has them."""
    loaded = importlib.import_module(module)
    tree = ast.parse(Path(str(loaded.__file__)).read_text())
    checking = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in checking.body if isinstance(node, ast.ImportFrom)]
    return {
        "TYPE_CHECKING": {alias.name for node in imports for alias in node.names},
        "table": set(cast("dict[str, str]", loaded._HOMES)),
        "__all__": set(loaded.__all__),
    }


def check_alike(module: str) -> None:
    """All three are the same; `__all__` is sorted as ruff sorts it, without doubles."""
    lists = listed(module)
    assert lists["TYPE_CHECKING"] == lists["table"] == lists["__all__"], lists
    names = importlib.import_module(module).__all__
    assert len(names) == len(set(names))


def check_names(module: str) -> None:
    """Each name leads to a thing, and `dir` knows it."""
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        found = getattr(loaded, name)
        assert name in dir(loaded)
        if isinstance(found, type) or inspect.isfunction(found):
            assert found.__doc__ and found.__doc__.strip(), name


def missing_name(module: str = "cleveractors") -> str:
    """What is said of a name that is not there."""
    try:
        cast("Any", importlib.import_module(module)).no_such_name  # noqa: B018 - asking is the point
    except AttributeError as error:
        return str(error)
    raise AssertionError("it was found")


def fresh(script: str, *arguments: str, **environment: str) -> dict[str, Any]:
    """Run a script in a fresh Python; its last line is JSON."""
    command = [sys.executable, "-c", script, *arguments]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 0, done.stderr
    *said, last = done.stdout.splitlines()
    return {**json.loads(last), "said": [*said, done.stderr]}


IMPORTING = """
import json, os, sys
read = []
class Watched(type(os.environ)):
    def __getitem__(self, key):
        read.append(key)
        return super().__getitem__(key)
os.environ.__class__ = Watched
before = set(sys.modules)
import cleveractors
import logging
handlers = [type(one).__name__ for one in logging.getLogger("cleveractors").handlers]
loaded = sorted({name.split(".")[0] for name in set(sys.modules) - before})
print(json.dumps({"loaded": loaded, "read": read, "handlers": handlers}))
"""

MAKING = """
import asyncio, json, socket, sys, threading
import urllib3  # of LangSmith's: it tries a socket when it is imported
opened = []
class Socket(socket.socket):
    def __init__(self, *args, **kwargs):
        opened.append("socket")
        super().__init__(*args, **kwargs)
socket.socket = Socket
loop_of = asyncio.new_event_loop
asyncio.new_event_loop = lambda: opened.append("loop") or loop_of()
start = threading.Thread.start
threading.Thread.start = lambda self: opened.append("thread") or start(self)
from cleveractors import create_executor
executor = create_executor({"model": "gpt-4o-mini"}, credentials={"openai": "sk-test"})
print(json.dumps({"opened": opened}))
"""

RESPONDING = """
import json, sys
from cleveractors import create_executor
create_executor({"model": "gpt-4o-mini", "api": "responses"}, credentials={"openai": "sk-test"})
print(json.dumps({"loaded": sorted(sys.modules)}))
"""


def measuring() -> dict[str, str]:
    """What has a program measured, where this one is; it loads more than the program does."""
    return {name: value for name, value in os.environ.items() if name.startswith("COVERAGE")}


RUNNING = """
import asyncio, json, sys
from cleveractors import Credential, create_executor

def get_weather(city: str) -> str:
    "The weather."
    return "rain"

async def main():
    key = Credential("sk-test", sys.argv[1])
    executor = create_executor(
        {"model": "m", "tools": ["get_weather"]},
        tools=[get_weather], credentials={"openai": key}, on_usage=print, on_result=print,
    )
    before = set(sys.modules)
    await executor.execute("?")
    async for _ in executor.execute_stream("?", streaming="tokens"):
        pass
    late = sorted(set(sys.modules) - before)
    await executor.aclose()
    print(json.dumps({"late": late}))

asyncio.run(main())
"""


def drive(work: Coroutine[Any, Any, object]) -> None:
    """Begin a coroutine without any loop."""
    try:
        work.send(None)
    finally:
        work.close()


def begin_outside(bench: Bench) -> None:
    """A run that no loop runs."""
    with bench.world.catching():
        drive(bench.executor.execute("?"))
