"""One tool call as an agent that lives as long as the call."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from cleveractors.abort import Aborted, bounded
from cleveractors.ambient import enter, leave, peek
from cleveractors.context import RunContext
from cleveractors.exceptions import ConfigurationError, ExecutionError, FatalToolError, ToolRetry, sentence, text_of
from cleveractors.tasks import STOP_SECONDS
from cleveractors.tools.base import Tool, ToolArgumentsError
from cleveractors.tools.results import is_error, preview, render
from cleveractors.tools.threads import STILL_RUNS

if TYPE_CHECKING:
    from langchain_core.messages import ToolCall, ToolMessage

__all__ = ["ToolAgent", "error_message"]

_log = logging.getLogger("cleveractors")

MAX_ERROR = 2_000
"""Characters of an exception's text that the model is shown."""


class ToolAgent:
    """Answers one call of one tool; what goes wrong in the tool becomes the answer.

    Args:
        tool: what is called.
        timeout: seconds, or None.
    """

    __slots__ = ("_timeout", "tool")

    def __init__(self, tool: Tool, *, timeout: float | None = None) -> None:
        self.tool = tool
        self._timeout = timeout

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.name

    async def process_message(self, message: str, context: RunContext[Any]) -> str:
        """Call the tool with arguments written as a JSON object, and return its result as text.

        Raises:
            ExecutionError: the call failed; the text says how.
        """
        call: ToolCall = {"name": self.name, "args": json.loads(message or "{}"), "id": "call", "type": "tool_call"}
        answer = await self.answer(call, context)
        if answer.status == "error":
            raise ExecutionError(answer.text)
        return answer.text

    async def answer(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        """Run the call.

        Raises:
            ConfigurationError: the tool raised it: the run ends.
            FatalToolError: likewise.
        """
        from langchain_core.messages import ToolMessage

        call_id = call["id"] or ""
        try:
            raw = await self._run(call, context)
            content = render(raw)
        except (ConfigurationError, FatalToolError):
            raise
        except (ToolArgumentsError, ToolRetry, Aborted, TimeoutError) as error:
            return error_message(call_id, self.name, self._trouble(error, context))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling() > 0:
                raise
            return error_message(call_id, self.name, "the tool was cancelled by itself")
        except Exception as error:
            cause = error.__cause__ or error if isinstance(error, _OwnClock) else error
            failure = ExecutionError(f"tool {self.name} failed: {_named(cause)}")
            failure.__cause__ = cause
            _log.info("tool %s failed", self.name, exc_info=failure, extra={"run_id": context.run_id})
            return error_message(call_id, self.name, str(failure))
        return ToolMessage(
            content=cast("Any", content),
            tool_call_id=call_id,
            name=self.name,
            status="error" if is_error(raw) else "success",
            artifact=getattr(raw, "artifact", None) if isinstance(raw, ToolMessage) else None,
        )

    async def _run(self, call: ToolCall, context: RunContext[Any]) -> object:
        arguments = self.tool.validate(dict(call["args"]))
        run = context.run
        outer = peek()
        enter(context)
        try:
            if self.tool.minds_the_run:
                # A second cancellation from here would look, within, like the caller's own.
                return await self._work(arguments, context)
            grace = STOP_SECONDS if self.tool.heeds_abort else 0
            async with bounded(run.signal, self._timeout, run.clock, grace=grace) as clock:
                if context.speech is not None:
                    context.speech.clock = clock
                return await self._work(arguments, context)
        finally:
            leave(outer)

    async def _work(self, arguments: Any, context: RunContext[Any]) -> object:
        try:
            return await self.tool.run(arguments, context)
        except TimeoutError as error:
            raise _OwnClock from error

    def _trouble(self, error: Exception, context: RunContext[Any]) -> str:
        if isinstance(error, ToolArgumentsError):
            return f"invalid arguments for {self.name}: {error}"
        if isinstance(error, ToolRetry):
            return _short(error.text)
        left = f"; {STILL_RUNS}" if _left_a_thread(error) else ""
        if isinstance(error, Aborted) or context.abort_signal.is_aborted:
            return f"aborted before it had answered{left}"
        if context.run.out_of_time:
            return f"not finished: the run's time is up{left}"
        return f"tool {self.name} did not answer within {self._timeout or 0:g} s{left}"


class _OwnClock(Exception):
    """Internal: the tool itself raised TimeoutError; a clock of ours cancels the tool."""


def _named(error: BaseException) -> str:
    text = _short(text_of(error))
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _left_a_thread(error: BaseException | None) -> bool:
    while error is not None and STILL_RUNS not in getattr(error, "__notes__", ()):
        error = error.__cause__
    return error is not None


def no_such_tool(name: str, known: Iterable[str]) -> str:
    """What a model is told that asked for a tool that is not there."""
    return f"there is no tool {preview(name, 80)!r}; the tools are {sentence(sorted(known)) or 'none'}"


def error_message(call_id: str, name: str, text: str) -> ToolMessage:
    """An answer that says what went wrong."""
    from langchain_core.messages import ToolMessage

    return ToolMessage(content=text, tool_call_id=call_id, name=name, status="error")


def _short(text: str) -> str:
    return text if len(text) <= MAX_ERROR else f"{text[:MAX_ERROR]} […{len(text) - MAX_ERROR} characters left out]"
