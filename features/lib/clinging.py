"""A model that goes on when its call is ended."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from cleveractors import AbortSignal, create_executor, result_of
from features.lib.bench import PATIENCE

__all__ = ["end_run"]


class Clinging(BaseChatModel):
    """Waits until its call is ended, and then answers or fails."""

    answers: bool
    calls: int = 0
    _reached: asyncio.Event = PrivateAttr(default_factory=asyncio.Event)

    @property
    def _llm_type(self) -> str:
        return "clinging"

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        self.calls += 1
        self._reached.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            if not self.answers:
                raise ConnectionError("the way is lost") from None
        usage: Any = {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Yes.", usage_metadata=usage))])

    async def reached(self) -> None:
        """Its call is there."""
        await self._reached.wait()


async def end_run(goes_on: str, how: str) -> tuple[str, int, list[str]]:
    """How a run ended, the calls of its model, and the states of their rows."""
    model, signal = Clinging(answers=goes_on == "answers"), AbortSignal()
    agent: dict[str, Any] = {"provider": "house", "model": "m", "retry": {"initial": 0, "maximum": 0}}
    if how == "out of its model_timeout":
        agent["model_timeout"] = 0.05
    timeout = 0.05 if how == "out of its own time" else None
    async with create_executor({"agents": {"main": agent}}, models={"house": model}) as executor:
        run = asyncio.ensure_future(executor.execute("Go", abort_signal=signal, timeout=timeout))
        async with asyncio.timeout(PATIENCE):
            await model.reached()
            if how == "cancelled":
                run.cancel()
            elif how == "aborted":
                signal.abort("enough")
            try:
                result = await run
                ending = str(result.stop_reason)
            except (Exception, asyncio.CancelledError) as error:
                result, ending = result_of(error), type(error).__name__
    assert result is not None
    return ending, model.calls, [row.state for row in result.invocations]
