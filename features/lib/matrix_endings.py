"""The endings of the fault matrix: what goes wrong, how the run is driven, and how it must end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cleveractors import Limits
from cleveractors.testing import BodyFault, DropFault, StatusFault, StreamFault, Turn, Wire
from features.lib import matrix_drives as drives
from features.lib.matrix_stage import MODES, PLACES, Mode, Place, Stage, asking, saying

__all__ = ["ENDINGS", "Ending"]

Drive = Callable[[Stage], Awaitable[None]]


async def simply(stage: Stage) -> None:
    """Nothing happens from outside."""
    await stage.observe(stage.work)


@dataclass(frozen=True)
class Expected:
    """How a cell must end."""

    raises: str
    stop: str
    left: bool
    error: str = ""
    """Of a wrap-up that failed."""


@dataclass(frozen=True, kw_only=True)
class Ending:
    """One row of the matrix."""

    answers: bool = False
    """Whether the model call at the place answers in the end; a run then goes on."""
    raises: str = ""
    """The exception that leaves the run; at the synthesis, unless it is a cancellation, it stands on the result."""
    stop: str = "completed"
    """The stop reason; at the synthesis of a run that was not left it is the limit's."""
    turn: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Of the call at the place."""
    once: bool = False
    """Whether only its first attempt gets that turn."""
    held: Literal["", "call", "before"] = ""
    """Whether the provider stands at the gate: `call`: in a stream after its third piece, else before its answer."""
    tool: str = "get_weather"
    """The tool asked for at the place, where it is no synthesis."""
    keys: Mapping[str, Any] = field(default_factory=dict[str, Any])
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    drive: Drive = simply
    prepare: Callable[[Stage], None] | None = None
    modes: tuple[Mode, ...] = MODES
    places: tuple[Place, ...] = PLACES
    left: bool = False
    """Whether the caller leaves: its connection is closed at once."""
    chunk: bool = False
    """Whether a stream of one chunk is left at that chunk."""
    unseen: bool = False
    """Whether the server finds out only when it sends on, so that the provider has told all by then."""
    closed_by: str = ""
    """The mode in which another task has to close the stream, which aborts the run."""

    def arrange(self, stage: Stage) -> None:
        """Write the script."""
        stage.keys |= self.keys
        stage.run_options |= self.options
        turn = self._turn(stage)
        good = asking() if stage.place == "middle" else saying()
        if self.prepare is not None:
            self.prepare(stage)
        elif self.once:
            stage.script([turn, good], saying())
        else:
            stage.script([turn], saying() if self.answers or self._at_chunk(stage.mode) else turn)

    def _at_chunk(self, mode: Mode) -> bool:
        """Whether a stream is left at its one chunk, when the run has ended."""
        return self.chunk and mode == "answer"

    def expected(self, mode: Mode, place: Place) -> Expected:
        """How a run must end."""
        if self._at_chunk(mode):
            return Expected("", "max_rounds" if place == "synthesis" else "completed", False)
        stop = self.stop
        if self.stop == "cancelled" and self.closed_by == mode:
            stop = "aborted"
        # A wrap-up that fails leaves the limit's reason; its error stands on the result.
        if place == "synthesis" and stop in ("completed", "error"):
            return Expected("", "max_rounds", self.left, self.raises)
        return Expected(self.raises, stop, self.left)

    def _turn(self, stage: Stage) -> Turn:
        more = dict(self.turn)
        if self.held == "call" and stage.streamed:
            more["hold_after_chunk"] = (3, stage.gate)
        elif self.held and (self.unseen or not self._at_chunk(stage.mode)):
            more["hold_before"] = stage.gate
        asks = stage.place == "middle" or (self.tool != "get_weather" and stage.place == "first")
        if not asks:
            return saying(**more)
        return asking(self.tool, None if self.tool == "waits" else "Let me look at the sky, first.", **more)


def answers(**turn: Any) -> Ending:
    """The call answers, in an odd way."""
    return Ending(answers=True, turn=turn)


def answers_then(fault: Any) -> Ending:
    """The first attempt fails, the second answers."""
    return Ending(answers=True, turn={"fault": fault}, once=True)


def fails(error: str, fault: Any, **more: Any) -> Ending:
    """Every attempt fails."""
    return Ending(raises=error, stop="error", turn={"fault": fault}, **more)


def cancelled(drive: Drive, error: str = "CancelledError", **more: Any) -> Ending:
    """The run's task is cancelled in the model call."""
    more = {"held": "call", "left": True, **more}
    return Ending(raises=error, stop="cancelled", drive=drive, **more)


def after(drive: Drive, **more: Any) -> Ending:
    """The run's task is cancelled when the call has been answered: nothing of it is cut."""
    return cancelled(drive, held="", left=False, **more)


def left(drive: Drive, **more: Any) -> Ending:
    """A stream's consumer leaves in the model call."""
    more = {"left": True, **more}
    return Ending(stop="cancelled", held="call", drive=drive, **more)


_STREAMS: tuple[Mode, ...] = ("answer", "tokens")

ENDINGS: dict[str, Ending] = {
    "an answer": answers(),
    "a tool that raises": replace(answers(), tool="fails", places=("first", "middle")),
    "usage is missing": answers(usage="never"),
    "usage is null": answers(usage="null"),
    "usage is partial": answers(usage="partial"),
    "usage on every chunk": answers(usage="every"),
    "usage last, without choices": answers(usage="always"),
    "usage with the finish reason": answers(usage="with_finish"),
    "the finish reason twice": answers(wire=Wire(repeat_finish=True)),
    "429, then an answer": answers_then(StatusFault(429, retry_after=0)),
    "500, then an answer": answers_then(StatusFault(500)),
    "504 that was billed, then an answer": answers_then(StatusFault(504, billed=True)),
    "dropped, then an answer": answers_then(DropFault()),
    "400": fails("OpenAIInvalidRequestError", StatusFault(400)),
    "401": fails("OpenAIAuthenticationError", StatusFault(401)),
    "403": fails("OpenAIPermissionDeniedError", StatusFault(403)),
    "404": fails("OpenAIModelNotFoundError", StatusFault(404)),
    "408 that was billed": fails("APIStatusError", StatusFault(408, billed=True)),
    "429": fails("OpenAIRateLimitError", StatusFault(429, retry_after=0)),
    "500": fails("OpenAIAPIError", StatusFault(500)),
    "503": fails("OpenAIAPIError", StatusFault(503)),
    "504 that was billed": fails("OpenAIAPIError", StatusFault(504, billed=True)),
    "refused connection": Ending(raises="OpenAIConnectionError", stop="error", prepare=drives.refuse),
    "dropped before the response": fails("OpenAIConnectionError", DropFault()),
    "reset before the response": fails("OpenAIConnectionError", DropFault(how="reset")),
    "dropped in the middle": fails("OpenAIConnectionError", DropFault(after=3)),
    "reset in the middle": fails("OpenAIConnectionError", DropFault(after=3, how="reset")),
    "cut off in the middle": fails("ModelOutputError", DropFault(after=3, how="end")),
    "dropped before its usage": replace(answers(fault=DropFault(after="finish")), modes=("tokens",)),
    "HTML": fails("ModelOutputError", BodyFault("html")),
    "an empty body": fails("ModelOutputError", BodyFault("empty")),
    "cut-off JSON": fails("ModelOutputError", BodyFault("invalid_json")),
    "an error in a 200": fails("APIError", BodyFault("error")),
    "choices are null": fails("ModelOutputError", BodyFault("null_choices")),
    "choices are empty": fails("ModelOutputError", BodyFault("no_choices")),
    "an error event": fails("APIError", StreamFault(after=3)),
    "an error event, named": fails("APIError", StreamFault(after=3, named=True)),
    "model_timeout": Ending(
        raises="TimeoutError", stop="error", held="before", keys={"model_timeout": 0.05}, left=True
    ),
    "stream_idle_timeout": Ending(
        raises="TimeoutError",
        stop="error",
        held="call",
        keys={"stream_idle_timeout": 0.05},
        modes=("tokens",),
        left=True,
    ),
    "task.cancel()": cancelled(drives.by_task),
    "task.cancel() again and again": cancelled(drives.again_and_again),
    "a cancelled scope": cancelled(drives.by_scope),
    "a failing task group": cancelled(drives.by_group),
    "asyncio.timeout": cancelled(drives.by_timeout, "TimeoutError"),
    "anyio.fail_after": cancelled(drives.by_fail_after),
    "SIGINT under asyncio.run": cancelled(drives.by_sigint),
    "cancelled in a tool": after(drives.in_tool, tool="waits", places=("first", "middle")),
    "cancelled in a pass": cancelled(drives.by_task, held="", prepare=drives.prune_at_gate, places=("middle",)),
    "cancelled in the tail of the call": after(drives.in_tail),
    "cancelled while its row is delivered": after(drives.in_delivery),
    "aborted": Ending(stop="aborted", held="call", drive=drives.by_abort, left=True),
    "aborted in a tool": Ending(stop="aborted", drive=drives.abort_in_tool, tool="waits", places=("first", "middle")),
    "timeout=": Ending(stop="timeout", held="call", options={"timeout": 0.1}, left=True),
    "stream broken out of": left(drives.broken_out_of, modes=_STREAMS, chunk=True),
    "stream closed": left(drives.closed, modes=_STREAMS, closed_by="answer"),
    "stream dropped": left(drives.dropped, modes=_STREAMS, chunk=True),
    "stream dropped in another thread": left(drives.dropped_in_thread, modes=_STREAMS, chunk=True),
    "stream left by an error": left(drives.left_by_error, modes=_STREAMS, chunk=True),
    "client gone, ASGI 2.3": left(drives.asgi_cancels, modes=_STREAMS),
    "client gone, ASGI 2.4": left(drives.asgi_raises, modes=_STREAMS, chunk=True, unseen=True, left=False),
    "max_model_calls": Ending(
        answers=True,
        stop="model_calls",
        options={"limits": Limits(max_model_calls=3)},
        prepare=drives.ask_for_ever,
        places=("middle",),
    ),
    "max_tool_calls": Ending(
        answers=True,
        stop="tool_calls",
        options={"limits": Limits(max_tool_calls=2)},
        prepare=drives.ask_for_ever,
        places=("middle",),
    ),
    "max_rounds": Ending(
        answers=True, stop="max_rounds", keys={"tool_max_rounds": 2}, prepare=drives.ask_for_ever, places=("middle",)
    ),
    "a token budget": Ending(
        answers=True, stop="token_budget", keys={"token_budget": 1500}, prepare=drives.ask_for_ever, places=("middle",)
    ),
    "a budget too small for the first call": Ending(stop="token_budget", keys={"token_budget": 40}, places=("first",)),
}
