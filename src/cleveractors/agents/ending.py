"""The one way out of a loop: open calls answered, a wrap-up where the table has one, an answer in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from cleveractors.agents.conversation import Conversation
from cleveractors.agents.endings import ENDINGS, fallback
from cleveractors.agents.synthesis import reserve_tokens, wrap_up_view
from cleveractors.context import RunContext
from cleveractors.exceptions import LimitReached
from cleveractors.history import INTERRUPTED
from cleveractors.models.admission import admit, holding
from cleveractors.models.call import ModelCall
from cleveractors.stops import Stop, StopReason

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

    from cleveractors.config import LLMAgentConfig

__all__ = ["end_loop"]


class Host(Protocol):
    """The agent whose loop ends."""

    @property
    def name(self) -> str: ...
    @property
    def config(self) -> LLMAgentConfig: ...


async def end_loop(agent: Host, talk: Conversation, context: RunContext[Any], reason: StopReason) -> AIMessage:
    """End a loop for a reason.

    Returns:
        The answer, never without words, the last message of the record.
    """
    from langchain_core.messages import AIMessage

    del context
    ending = ENDINGS[reason]
    talk.close(ending.open_calls or INTERRUPTED)
    if talk.answer is not None:
        return talk.answer
    talk.drop_empty()
    if reason in ("token_budget", "cost_budget"):
        talk.budget_exhausted = True
        if talk.voice is not None:
            await talk.voice.custom("budget_exhausted", reason=reason, detail=talk.stop_detail)
    answer = await _wrap_up(agent, talk) if ending.wrap_up and talk.ledger.made else None
    if answer is None:
        final = cast("StopReason", talk.stop_reason)
        text = fallback(final, talk.stop_detail, talk.run.partial_text or talk.last_text)
        answer = AIMessage(text)
    talk.append(answer)
    return answer


async def _wrap_up(agent: Host, talk: Conversation) -> AIMessage | None:
    """One last answer without tools; None where it was refused, failed or had no words."""
    from langchain_core.messages import AIMessage

    output = reserve_tokens(talk, agent.config.synthesis.reserve_tokens) if talk.purses else None
    view, meter = wrap_up_view(talk, _why(talk), output or talk.port.wanted_output)
    permit = admit(talk.run, talk.port, meter, talk.purses, reserve_of=talk.own_purses, output=output)
    if isinstance(permit, Stop):
        if permit.reason in ("aborted", "timeout"):
            talk.stop(*permit)
        return None
    talk.synthesis_was_run = True
    with holding(talk.run, permit):
        await talk.begin_iteration()
        if talk.voice is not None:
            await talk.voice.custom("synthesis_start", reason=talk.stop_reason, detail=talk.stop_detail)
    call = ModelCall(
        run=talk.run,
        agent=agent.name,
        ports=talk.ports,
        view=view,
        rules=agent.config,
        ledger=talk.ledger,
        purses=talk.purses,
        meter=meter,
        purpose="synthesis",
        round=talk.rounds + 1,
        tools_off=True,
        output=output,
        reserve_of=talk.own_purses,
        listener=talk.listener,
        permit=permit,
    )
    try:
        reply = await call.perform()
    except LimitReached as limit:
        talk.stop_for(limit)
        return None
    except Exception as error:
        talk.error = error
        return None
    finally:
        talk.break_iteration()
    talk.finish_reason = reply.finish_reason
    # Its text alone: calls among its content blocks would stand in the history without results.
    text = reply.message.text
    return AIMessage(text, response_metadata=reply.message.response_metadata) if text.strip() else None


def _why(talk: Conversation) -> str:
    detail = talk.stop_detail.rstrip(".")
    return detail[:1].upper() + detail[1:200]
