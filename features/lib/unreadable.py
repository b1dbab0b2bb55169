"""Models of a host's own whose errors can't be read, and whose figures are none."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import ConfigDict

from cleveractors import ActorResult, Budget, create_executor, result_of

__all__ = ["ERRORS", "Outcome", "run_failing", "run_telling"]


class OddCode(Exception):
    """Has a code that is a mapping."""

    code = {"error": 5}  # noqa: RUF012 - the odd thing is the point


class OddText(Exception):
    """Can't say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class OddStatus(Exception):
    """Has a status that can't be read."""

    @property
    def status_code(self) -> int:
        raise RuntimeError("no status")


ERRORS: dict[str, type[Exception]] = {"code": OddCode, "text": OddText, "status": OddStatus}


class Odd(BaseChatModel):
    """Raises an error, or tells the usage that it was given."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    error: type[Exception] | None = None
    usage: Any = None
    max_tokens: int | None = None

    @property
    def _llm_type(self) -> str:
        return "odd"

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        if self.error is not None:
            raise self.error()
        message = AIMessage("Yes.")
        message.usage_metadata = self.usage
        return ChatResult(generations=[ChatGeneration(message=message)])


class Outcome:
    """What a run came to: its error, its bills, and the purse that it drew on."""

    def __init__(self) -> None:
        self.purse = Budget(max_tokens=100_000)
        self.bills: list[ActorResult[Any]] = []
        self.error: BaseException | None = None

    @property
    def states(self) -> list[str]:
        """Of the bill's rows."""
        (bill,) = self.bills
        return [row.state for row in bill.invocations]


async def run_with(model: Odd) -> Outcome:
    """Ask an actor on this model once."""
    outcome = Outcome()
    agent = {"provider": "house", "model": "m", "retry": {"attempts": 1}}
    actor = {"agents": {"main": agent}}
    async with create_executor(
        actor, models={"house": model}, budgets=[outcome.purse], on_result=outcome.bills.append
    ) as executor:
        try:
            await executor.execute("Go")
        except Exception as error:
            outcome.error = error
            assert result_of(error) is outcome.bills[0]
    return outcome


async def run_failing(what: str) -> Outcome:
    """A run whose model raises an error of which something can't be read."""
    return await run_with(Odd(error=ERRORS[what]))


async def run_telling(prompt: Any, completion: Any) -> Outcome:
    """A run whose model tells figures."""
    return await run_with(Odd(usage={"input_tokens": prompt, "output_tokens": completion, "total_tokens": 0}))
