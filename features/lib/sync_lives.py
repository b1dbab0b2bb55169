"""Runs of code without an event loop, and processes that are interrupted or forked."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from cleveractors import (
    ActorResult,
    ScriptedChatModel,
    last_token_usage_var,
    result_of,
)
from cleveractors.testing import Turn, call
from features.lib.bench import PATIENCE, Bench
from features.lib.lives import SOURCE


def _look(bench: Bench) -> tuple[ActorResult[Any] | None, object]:
    try:
        bench.results.append(bench.executor.execute_sync("?", **bench.run_options))
    except Exception as error:
        bench.world.keep_error(error)
        found = result_of(error)
        assert found is not None
        bench.results.append(found)
    return bench.executor.last_result, last_token_usage_var.get()


async def sync_from_thread(bench: Bench) -> None:
    bench.ways.value = await asyncio.to_thread(_look, bench)


async def sync_from_loop(bench: Bench) -> None:
    """As in a notebook: the loop stands still meanwhile."""
    bench.ways.value = _look(bench)


async def sync_from_tool(bench: Bench) -> None:
    """A sync tool of another actor."""

    def ask_other() -> str:
        """Asks."""
        bench.ways.value = _look(bench)
        return bench.results[-1].response

    model = ScriptedChatModel([call("ask_other"), "Done."])
    other = bench.make(
        actor={"provider": "house", "model": "h", "tools": ["ask_other"]}, tools=[ask_other], models={"house": model}
    )
    await asyncio.to_thread(other.execute_sync, "?")


SYNC: dict[str, Callable[[Bench], Any]] = {
    "a thread": sync_from_thread,
    "a running loop": sync_from_loop,
    "a sync tool": sync_from_tool,
}


def check_caller(bench: Bench) -> None:
    """The caller's context reads of its run."""
    last, usage = bench.ways.value
    assert last is bench.result and usage == (last.prompt_tokens, last.completion_tokens), (last, usage)


def use_sync_tool(bench: Bench) -> None:
    """An async tool that calls what would wait for itself."""

    async def ask_myself() -> str:
        """Asks."""
        try:
            return bench.executor.execute_sync("?").response
        except RuntimeError as error:
            bench.notes.append(str(error))
            return "no"

    bench.keys |= {"provider": "house", "model": "h", "tools": ["ask_myself"]}
    bench.options["models"] = {"house": ScriptedChatModel([call("ask_myself"), "Well."])}
    bench.tools.append(ask_myself)


SCRIPT = """
import asyncio, sys
from cleveractors import Credential, create_executor, result_of

def told(result):
    print("bill", result.stop_reason, [row.state for row in result.invocations], flush=True)

executor = create_executor({"model": "m"}, credentials={"openai": Credential("k", sys.argv[1])}, on_result=told)
try:
    if sys.argv[2] == "asyncio.run":
        asyncio.run(executor.execute("?"))
    else:
        executor.execute_sync("?")
except KeyboardInterrupt as error:
    bill = executor.last_result
    print("KeyboardInterrupt", bill.stop_reason, result_of(error) is bill, flush=True)
"""


def _start(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)


async def interrupt(bench: Bench, how: str) -> None:
    """Ctrl-C for a script whose call stands at the gate."""
    bench.provider.script(Turn("Yes.", hold_before=bench.gate))
    process = _start(bench.provider.base_url, how)
    bench.world.defer(process.kill)
    await bench.gate.wait_reached_async(timeout=60)
    process.send_signal(signal.SIGINT)
    output, _ = await asyncio.to_thread(process.communicate, timeout=30)
    bench.notes += output.splitlines()


FORKING = """
import os, sys
from cleveractors import ScriptedChatModel, create_executor

executor = create_executor({"provider": "house", "model": "h"}, models={"house": ScriptedChatModel(lambda: "Yes.")})
print(executor.execute_sync("?").response, flush=True)
child = os.fork()
if not child:
    print(executor.execute_sync("?").response, flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


def fork(bench: Bench) -> None:
    """A server that preloads its application and forks its workers."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", FORKING]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    bench.notes += done.stdout.splitlines() or [done.stderr]
