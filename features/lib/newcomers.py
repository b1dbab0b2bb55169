"""What goes wrong in the first hour: programs as somebody writes them who has just begun."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from cleveractors import ActorPolicy, Budget, Credential, Executor, Limits, create_executor
from cleveractors.testing import DropFault, ScriptedProvider, StatusFault, Turn, refused_base_url
from features.lib.world import World

SOURCE = Path(__file__).parents[2] / "src"
SCRIPTED: dict[str, Any] = {"provider": "scripted", "model": "demo"}
REAL: dict[str, Any] = {"model": "gpt-4o-mini", "retry": {"attempts": 1}}
KEY = "sk-of-a-newcomer"


def get_weather(city: str) -> str:
    """Tell the weather."""
    return f"{city}: sunny"


def bare(city):  # pyright: ignore
    """Tell the weather."""
    return str(city)  # pyright: ignore


def silent(city: str) -> str:
    return city


@dataclass
class Newcomer:
    """One program, and what came of it."""

    world: World
    provider: ScriptedProvider
    answers: list[str] = field(default_factory=list[str])
    warned: list[warnings.WarningMessage] = field(default_factory=list[warnings.WarningMessage])
    last_line: str = ""
    """What its process printed last."""

    async def ask(self, actor: Any, **options: Any) -> None:
        """Make an executor and ask once."""
        async with create_executor(actor, **options) as executor:
            self.answers.append((await executor.execute("hi")).response)

    async def ask_real(self, fault: Any = None, base_url: str | None = None) -> None:
        """Ask a provider over HTTP."""
        self.provider.script(Turn("Hello.", fault=fault))
        await self.ask(REAL, credentials={"openai": Credential(KEY, base_url or self.provider.base_url)})

    async def ask_unplayable(self, *script: Turn) -> None:
        """Stream from a provider over HTTP whose script is wrong; the retries are those that everybody has."""
        self.provider.script(*script)
        keys = {"openai": Credential(KEY, base_url=self.provider.base_url)}
        async with (
            create_executor({"model": "gpt-4o-mini"}, credentials=keys) as executor,
            executor.execute_stream("hi", streaming="tokens") as stream,
        ):
            self.answers.append("".join([text async for text in stream]))


def newcomer(context: Any) -> Newcomer:
    """The scenario's newcomer, with a provider on loopback."""
    if not hasattr(context, "newcomer"):
        context.newcomer = Newcomer(context.world, context.world.use(ScriptedProvider()))
    return cast("Newcomer", context.newcomer)


def scripted(**keys: Any) -> Executor:
    """An executor that needs no key."""
    return create_executor({**SCRIPTED, **keys}, policy=ActorPolicy(scripted=True))


async def _file(new: Newcomer, name: str, text: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        if text is not None:
            path.write_text(text, "utf-8")
        await new.ask(path)


async def _limit(new: Newcomer) -> None:
    async with scripted() as executor:
        (await executor.execute("hi " * 400, limits=Limits(max_tokens=100))).raise_for_stop()


async def _closed(new: Newcomer) -> None:
    executor = scripted()
    await executor.aclose()
    await executor.execute("hi")


async def _nameless_budget(new: Newcomer) -> None:
    cast(Any, Budget)(10_000)


async def _without_loop(new: Newcomer) -> None:
    # In a thread without a loop of asyncio's, as in one of trio's.
    await asyncio.to_thread(_step, scripted().execute("hi"))


async def _stream_without_loop(new: Newcomer) -> None:
    await asyncio.to_thread(_step, anext(scripted().execute_stream("hi")))


def _step(work: Awaitable[Any]) -> None:
    cast("Coroutine[Any, Any, Any]", work).send(None)


async def _unknown_run_option(new: Newcomer) -> None:
    options: dict[str, Any] = {"tenat": "t1"}
    await scripted().execute("hi", **options)


MISTAKES: dict[str, Callable[[Newcomer], Awaitable[None]]] = {
    "no key": lambda new: new.ask(REAL),
    "no key in the environment": lambda new: new.ask(REAL, credentials="env"),
    "a misspelt provider in credentials": lambda new: new.ask(REAL, credentials={"opnai": KEY}),
    "a misspelt provider in the file": lambda new: new.ask({**REAL, "provider": "opnai"}, credentials={"openai": KEY}),
    "a wrong key": lambda new: new.ask_real(StatusFault(401)),
    "a wrong model": lambda new: new.ask_real(StatusFault(404, message="The model `gpt-4o-mini` does not exist.")),
    "a server that is not there": lambda new: new.ask_real(base_url=refused_base_url()),
    "a secret in the address": lambda new: new.ask_real(
        base_url=refused_base_url().replace("http://", "http://me:hidden@") + "?token=hidden"
    ),
    "a server that hangs up": lambda new: new.ask_real(DropFault()),
    "a script that has run out": lambda new: new.ask_unplayable(),
    "a place that no stream has": lambda new: new.ask_unplayable(Turn("Hi", fault=DropFault(after=7))),
    "a budget of what": _nameless_budget,
    "an address without http": lambda new: new.ask_real(base_url="localhost:8000/v1"),
    "scripted without leave": lambda new: new.ask(SCRIPTED),
    "a tool without annotations": lambda new: new.ask(SCRIPTED, tools=[bare]),
    "a tool without a docstring": lambda new: new.ask(
        {**SCRIPTED, "tools": ["silent"]}, tools=[silent], policy=ActorPolicy(scripted=True)
    ),
    "a lambda as a tool": lambda new: new.ask(SCRIPTED, tools=[lambda city: city]),  # type: ignore[misc]
    "a tool that is not in a list": lambda new: new.ask(SCRIPTED, tools=get_weather),
    "no tools for a file that names one": lambda new: new.ask({**REAL, "tools": ["get_weather"]}),
    "a misspelt tool in the file": lambda new: new.ask({**REAL, "tools": ["get_wether"]}, tools=[get_weather]),
    "a tool given twice": lambda new: new.ask(REAL, tools=[get_weather, get_weather]),
    "a file that is not there": lambda new: _file(new, "actor.yaml", None),
    "a file of bad YAML": lambda new: _file(new, "actor.yaml", "model: x\n  tools: [\n"),
    "an unknown key in the file": lambda new: _file(new, "actor.yaml", "model: x\nsystem_promt: hi\n"),
    "an unknown option": lambda new: new.ask(REAL, tool=[get_weather]),
    "an unknown option of a run": _unknown_run_option,
    "a limit that is raised": _limit,
    "a model without a price": lambda new: new.ask(
        {"model": "my-llm"}, credentials={"openai": KEY}, limits=Limits(max_cost="0.5")
    ),
    "a closed executor": _closed,
    "no asyncio loop": _without_loop,
    "a stream without an asyncio loop": _stream_without_loop,
}


def ask_in_two_loops(new: Newcomer) -> None:
    """`asyncio.run` twice, with one executor."""
    executor = scripted()

    async def ask() -> str:
        return (await executor.execute("hi")).response

    for _ in range(2):
        new.answers.append(asyncio.run(ask()))
    asyncio.run(executor.aclose())


def call_sync(new: Newcomer, executor: Executor) -> None:
    """The blocking call, twice at one place."""
    with warnings.catch_warnings(record=True) as new.warned:
        warnings.simplefilter("default")
        for _ in range(2):
            new.answers.append(executor.execute_sync("hi").response)


async def call_sync_in_loop(new: Newcomer) -> None:
    """The blocking call, in an async function."""
    async with scripted() as executor:
        call_sync(new, executor)


async def call_sync_strictly(new: Newcomer) -> None:
    """The blocking call, in an async function of a program that runs with `-W error`."""
    async with scripted() as executor:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                new.answers.append(executor.execute_sync("hi").response)
        except RuntimeWarning as error:
            # Its frames would keep alive what must not be left.
            new.world.keep_error(error.with_traceback(None))


async def call_sync_in_notebook(new: Newcomer) -> None:
    """The blocking call, in a cell of a notebook, whose kernel has a loop of its own."""
    sys.modules["ipykernel"] = sys.modules[__name__]
    new.world.defer(lambda: sys.modules.pop("ipykernel", None))
    await call_sync_in_loop(new)


EXTRAS = {
    "cli": ("typer", "from cleveractors.cli import main; raise SystemExit(main())"),
    "sqlite": ("aiosqlite", "from cleveractors.sessions import SQLiteSessions; SQLiteSessions('chats.db')"),
    "web": ("starlette", "from cleveractors.web import sse_response"),
    "prices": (
        "genai_prices",
        "from cleveractors import Limits, create_executor\n"
        "create_executor({'model': 'gpt-4o-mini'}, credentials={'openai': 'k'}, limits=Limits(max_cost=1))",
    ),
}


def use_without_extra(new: Newcomer, extra: str) -> None:
    """A program that needs an extra, which is not installed."""
    module, program = EXTRAS[extra]
    code = f"import sys; sys.modules[{module!r}] = None\n{program}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert done.returncode != 0, done.stdout
    new.last_line = done.stderr.strip().splitlines()[-1]


def told(new: Newcomer) -> str:
    """All that the error says, its notes included."""
    error = new.world.error
    return "\n".join([str(error), *getattr(error, "__notes__", ())])


def check_warned(new: Newcomer, text: str) -> None:
    """One warning, which points at the line that called."""
    (warning,) = new.warned
    assert text in str(warning.message), warning
    assert warning.category is RuntimeWarning and Path(warning.filename).name == Path(__file__).name, warning
