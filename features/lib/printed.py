"""What a host sees of our objects in its log, or in a debugger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal

from cleveractors import AbortSignal, Budget, JsonlUsageLog, RunStream
from cleveractors.hooks import Hooks, PreToolCall
from cleveractors.sessions import MemorySessions
from cleveractors.testing import Turn, run_context
from features.lib.bench import Bench

__all__ = ["printed"]


async def printed(bench: Bench, what: str) -> str:
    """The text of an object."""
    make = SHOWN.get(what)
    if make is not None:
        return repr(make())
    return repr(await STREAMS[what](bench))


def _spent_purse() -> Budget:
    purse = Budget(max_tokens=100, max_cost=2, name="acme")
    purse.charge(5, Decimal("0.5"))
    return purse


def _aborted() -> AbortSignal:
    signal = AbortSignal()
    signal.abort("enough")
    return signal


def _guarded() -> Hooks:
    hooks = Hooks()

    @hooks.on("pre_tool_call")
    def guard(payload: PreToolCall) -> None:
        """Let it pass."""

    assert guard.__doc__
    return hooks


def _log() -> JsonlUsageLog:
    with JsonlUsageLog("/dev/null") as log:
        return log


SHOWN: dict[str, Callable[[], object]] = {
    "a purse": _spent_purse,
    "a purse of money": lambda: Budget(max_cost=2),
    "a purse of tokens": lambda: Budget(max_tokens=100),
    "a signal": AbortSignal,
    "a signal that was given": _aborted,
    "a context": lambda: run_context("deps", run_id="r1"),
    "a context within a tool call": lambda: run_context("deps", run_id="r1", tool_call_id="c1"),
    "hooks": _guarded,
    "hooks of nothing": Hooks,
    "sessions in memory": MemorySessions,
    "a log of usage": _log,
}


async def _unbegun(bench: Bench) -> RunStream[str]:
    return bench.open_stream(run_id="r1")


async def _running(bench: Bench) -> RunStream[str]:
    bench.provider.script(Turn("It rains.", chunks=2))
    stream = bench.open_stream(run_id="r1")
    await anext(stream)
    bench.world.defer(stream.aclose)
    return stream


async def _ended(bench: Bench) -> RunStream[str]:
    stream = await _running(bench)
    await bench.read(stream)
    return stream


STREAMS: dict[str, Callable[[Bench], Awaitable[RunStream[str]]]] = {
    "a stream that has not begun": _unbegun,
    "a stream that runs": _running,
    "a stream that has ended": _ended,
}
