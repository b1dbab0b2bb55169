"""The end of a loop whose answer must fit a type: it is read, and mended by passes where it does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cleveractors.agents.conversation import Conversation
from cleveractors.agents.ending import Host, end_loop
from cleveractors.context import RunContext
from cleveractors.contract import Contract, Misfit
from cleveractors.exceptions import LimitReached, OutputError
from cleveractors.models.admission import admit, holding
from cleveractors.models.call import ModelCall
from cleveractors.models.estimate import PromptMeter, measure
from cleveractors.stops import Stop, StopReason

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

__all__ = ["end_with_output", "instructed"]

REPAIRS = 2
_ANSWERED = ("completed", "tool_only")
_INTERRUPTED = ("aborted", "timeout")


def instructed(prompt: str, context: RunContext[Any]) -> str:
    """The system prompt, with what the answer must look like."""
    contract = _contract(context)
    return prompt if contract is None else "\n\n".join(part for part in (prompt, contract.instruction) if part)


async def end_with_output(agent: Host, talk: Conversation, context: RunContext[Any], reason: StopReason) -> AIMessage:
    """End a loop for a reason; where the run wants a value, the answer is made to fit.

    Raises:
        OutputError: the run was answered, and the answer does not fit, mended or not.
    """
    answer = await end_loop(agent, talk, context, reason)
    contract = _contract(context)
    if contract is None:
        return answer
    talk.run.has_output = True
    fitting = await _Repair(agent, talk, contract, answer).fitting()
    if fitting is not None:
        talk.messages[-1] = fitting
        return fitting
    talk.run.output = None
    return answer


def _contract(context: RunContext[Any]) -> Contract | None:
    run = context.run
    return run.contract if run.parent is None and run.entry == context.agent else None


class _Repair:
    """One answer and the passes that mend it; they stand in no history."""

    def __init__(self, agent: Host, talk: Conversation, contract: Contract, answer: AIMessage) -> None:
        self._agent = agent
        self._talk = talk
        self._contract = contract
        self._answer = answer
        self._view: list[BaseMessage] = list(talk.view)
        self._meter: PromptMeter = talk.meter

    async def fitting(self) -> AIMessage | None:
        """The first answer that fits; None where the run ended otherwise than by an answer."""
        left = REPAIRS
        while True:
            try:
                self._talk.run.output = self._contract.read(self._answer.text)
                return self._answer
            except Misfit as misfit:
                cause, why = misfit.__cause__, f"the answer does not fit {_name(self._contract)}: {misfit}"
            refusal = await self._ask_again(why) if left else f"not after {REPAIRS} repairs"
            left -= 1
            if self._talk.stop_reason in _INTERRUPTED:
                return None
            if refusal is None:
                continue
            if self._talk.stop_reason in _ANSWERED:
                raise OutputError(f"{why} ({refusal})") from cause
            return None

    async def _ask_again(self, why: str) -> str | None:
        """Ask for a better answer; a sentence where none came."""
        from langchain_core.messages import AIMessage, HumanMessage

        talk = self._talk
        self._add(HumanMessage(f"[{why}. Answer again with the whole JSON value and nothing else.]"))
        permit = admit(talk.run, talk.port, self._meter, talk.purses)
        if isinstance(permit, Stop):
            return self._refused(permit)
        call = ModelCall(
            run=talk.run,
            agent=self._agent.name,
            ports=talk.ports,
            view=self._view,
            rules=self._agent.config,
            ledger=talk.ledger,
            purses=talk.purses,
            meter=self._meter,
            purpose="repair",
            round=talk.rounds + 1,
            tools_off=True,
            listener=talk.pass_listener,
            permit=permit,
        )
        with holding(talk.run, permit):
            await talk.begin_iteration()
        try:
            reply = await call.perform()
        except LimitReached as limit:
            return self._refused(Stop(_reason(limit), limit.detail))
        finally:
            talk.break_iteration()
        talk.finish_reason = reply.finish_reason
        talk.budget_exhausted |= talk.crossed
        self._answer = AIMessage(reply.message.text, response_metadata=reply.message.response_metadata)
        self._add(self._answer)
        return None

    def _add(self, message: BaseMessage) -> None:
        self._view = [*self._view, message]
        self._meter = self._meter.fork(measure(message))

    def _refused(self, stop: Stop) -> str:
        if stop.reason in _INTERRUPTED:
            self._talk.stop(*stop)
        return f"it could not be repaired: {stop.detail}"


def _reason(limit: LimitReached) -> Any:
    return limit.reason


def _name(contract: Contract) -> str:
    return getattr(contract.kind, "__name__", None) or str(contract.kind)
