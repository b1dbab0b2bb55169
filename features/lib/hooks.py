"""The story of one scenario about hooks: what is registered, what was asked, what came of it."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import yaml

from cleveractors.context import RunContext
from cleveractors.credentials import Credentials
from cleveractors.hooks import (
    AddContext,
    Ask,
    Continue,
    Deny,
    Hooks,
    Modify,
    Payload,
    ReplaceText,
)
from cleveractors.hooks.run import RunHooks
from cleveractors.models.registry import Models
from cleveractors.options import RunOptions
from cleveractors.run import Run
from cleveractors.services import Services
from features.lib.billing import keep_log
from features.lib.world import World

__all__ = ["HooksWorld", "hooks_of"]


@dataclass
class HooksWorld:
    """What one scenario about hooks knows."""

    world: World
    folder: Path
    hooks: Hooks
    options: RunOptions = field(default_factory=lambda: RunOptions(session_id="s1", tenant="t1", metadata={"k": "v"}))
    called: list[str] = field(default_factory=list[str])
    """Names of function hooks, as they were called."""
    seen: list[Payload] = field(default_factory=list[Payload])
    logged: list[logging.LogRecord] = field(default_factory=list[logging.LogRecord])
    outcome: Any = None
    """What the last question came to."""
    seconds: float = 0.0
    """How long it took."""
    release: threading.Event = field(default_factory=threading.Event)
    """Lets hooks that wait go on."""
    trusted: frozenset[str] = frozenset()
    other: Path = Path()
    """The folder of another host."""
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    """A hook that waits has been called."""
    _contexts: list[RunContext[Any]] = field(default_factory=list[RunContext[Any]])
    _run_hooks: RunHooks | None = None

    @property
    def context(self) -> RunContext[Any]:
        """The run; it begins when it is first asked for."""
        return self._contexts[0] if self._contexts else self.begin()

    def begin(self, parent: RunContext[Any] | None = None) -> RunContext[Any]:
        """Begin a run, or a child of one."""
        services = parent.run.services if parent else Services(models=Models(Credentials()))
        run = Run(services, RunOptions() if parent else self.options, "main", parent.run if parent else None)
        run.begin()
        context: RunContext[Any] = RunContext(run, "main")
        self._contexts.append(context)
        return context

    @property
    def run_hooks(self) -> RunHooks:
        """The hooks of the run."""
        if self._run_hooks is None:
            self._run_hooks = self.hooks.for_run(self.context)
            assert self._run_hooks is not None, "no hooks are registered"
        return self._run_hooks

    def register(self, event: str, name: str, does: str, options: str) -> None:
        """Register a hook that is described in words."""
        given: dict[str, Any] = yaml.safe_load(options or "{}")
        verb, _, rest = does.partition(" ")
        if verb in ("runs", "starts"):
            script = rest.replace("{python}", sys.executable).replace("{nul}", "\0")
            self.hooks.command(event, ["sh", "-c", script] if verb == "runs" else script.split(), **given)
            return
        on: Any = self.hooks.on
        on(event, **given)(self._function(name, verb, rest))

    def make_other(self) -> Path:
        """A folder for another host."""
        self.other = Path(tempfile.mkdtemp(prefix="hooks-")).resolve()
        self.world.defer(lambda: shutil.rmtree(self.other))
        return self.other

    def forgive(self) -> None:
        """Let failures of all hooks pass, from here on."""
        forgiving = [replace(hook, on_failure="pass") for hook in self.hooks.hooks]
        self.hooks = Hooks(self.folder)
        for hook in forgiving:
            self.hooks.add(hook)
        self._run_hooks = None

    def _function(self, name: str, verb: str, rest: str) -> Callable[[Any], Any]:
        if verb in ("blocks", "sync"):
            return self._sync(name, verb)

        async def hook(payload: Any) -> Any:
            self.called.append(name)
            self.seen.append(payload)
            return await self._act(verb, rest, payload)

        hook.__qualname__ = name
        return hook

    def _sync(self, name: str, verb: str) -> Callable[[Any], Any]:
        def hook(payload: Any) -> Any:
            self.called.append(name)
            if verb == "blocks":
                self.release.wait(20)

        hook.__qualname__ = name
        return hook

    async def _act(self, verb: str, rest: str, payload: Any) -> Any:
        if verb == "hangs":
            self.entered.set()
            await asyncio.Event().wait()
        if verb == "takes":
            await asyncio.sleep(0.05)
        if verb == "hangs-once" and self.called.count("once") == 1:
            await asyncio.Event().wait()
        return _answer(verb, rest, payload)

    @property
    def warnings(self) -> list[str]:
        """What was told to the log, warnings and worse."""
        return [record.getMessage() for record in self.logged if record.levelno >= logging.WARNING]

    def file(self, name: str) -> Path:
        """A file of the scenario's folder."""
        return self.folder / name

    async def close(self) -> None:
        """End what is left."""
        self.release.set()
        for context in self._contexts:
            await context.run.services.background.drain(5)
            context.run.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def _answer(verb: str, rest: str, payload: Any) -> Any:
    answers: dict[str, Callable[[], Any]] = {
        "denies": lambda: Deny(rest),
        "asks": lambda: Ask(rest),
        "adds": lambda: AddContext(rest),
        "adds-a-number": lambda: AddContext(cast("str", 5)),
        "replaces": lambda: ReplaceText(rest),
        "continues": lambda: Continue(rest),
        "sets": lambda: Modify({**payload.tool_input, **yaml.safe_load(rest)}),
        "denies-if": lambda: _deny_if(rest, payload),
        "sets-if": lambda: _set_if(rest, payload),
        "spoils": lambda: payload.tool_input.update(spoiled=True),
        "returns": lambda: yaml.safe_load(rest),
        "raises": lambda: _raise(RuntimeError(rest)),
        "exits": lambda: _raise(SystemExit(3)),
        "cancels": lambda: _raise(asyncio.CancelledError()),
    }
    return answers.get(verb, lambda: None)()


def _deny_if(rest: str, payload: Any) -> Deny | None:
    return Deny(f"never {rest}") if rest in str(payload.tool_input) else None


def _set_if(rest: str, payload: Any) -> Modify | None:
    before, _, after = rest.partition(" ")
    return Modify({"command": after}) if before in str(payload.tool_input) else None


def _raise(error: BaseException) -> None:
    raise error


def hooks_of(context: object) -> HooksWorld:
    """Find the scenario's, or begin one."""
    found = getattr(context, "hooks_world", None)
    if found is None:
        world: World = getattr(context, "world")  # noqa: B009 - behave's context has no types
        folder = Path(tempfile.mkdtemp(prefix="hooks-")).resolve()
        found = HooksWorld(world, folder, Hooks(folder))
        keep_log(world, found.logged, logging.DEBUG)
        world.defer(found.close)
        setattr(context, "hooks_world", found)  # noqa: B010 - likewise
    return found


async def settle(times: int = 10) -> None:
    """Let everything run that can."""
    for _ in range(times):
        await asyncio.sleep(0)


async def widest_gap(work: Callable[[], Any]) -> float:
    """Await something, and measure the longest time for which the loop served nobody."""
    loop, ticks = asyncio.get_running_loop(), deque[float]()
    ticks.append(loop.time())

    async def beat() -> None:
        while True:
            await asyncio.sleep(0.005)
            ticks.append(loop.time())

    heart = asyncio.ensure_future(beat())
    try:
        await work()
    finally:
        heart.cancel()
        with suppress(asyncio.CancelledError):
            await heart
    ticks.append(loop.time())
    return _longest(list(ticks))


def _longest(ticks: Sequence[float]) -> float:
    return max(after - before for before, after in pairwise(ticks))
