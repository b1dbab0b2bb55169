"""An answer as the agent's own last step and the host's hooks leave it, before anybody else sees it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

from cleveractors.agents.hooked import ANSWERED, root_hooks
from cleveractors.context import RunContext
from cleveractors.contract import Misfit
from cleveractors.history import dump_messages

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from cleveractors.agents.conversation import Conversation
    from cleveractors.hooks.run import RunHooks
    from cleveractors.run import Run

__all__ = ["accept_answer", "accept_plain"]

_CUT_SHORT = ("aborted", "timeout", "denied")
_log = logging.getLogger("cleveractors")


class Step(Protocol):
    """The agent's own last step."""

    async def finish(self, answer: str, context: RunContext[Any]) -> str: ...


async def accept_answer(
    agent: Step, talk: Conversation, context: RunContext[Any], answer: AIMessage
) -> AIMessage | None:
    """Have the agent and the hooks see a loop's answer.

    Returns:
        The answer as it is delivered, which stands in the record; None where a hook sent the agent back.
    """
    text = await agent.finish(answer.text, context)
    hooks = root_hooks(context)
    if hooks is None or talk.stop_reason in _CUT_SHORT:
        return _kept(talk, answer, text)
    await hooks.drain_messages(context)
    model = f"{talk.port.provider}/{talk.port.name}"
    replaced = await _transformed(hooks, context, text, model)
    answer = _kept(talk, answer, replaced)
    more = await hooks.stop(context, replaced) if talk.stop_reason in ANSWERED else None
    if (more is not None or replaced != text) and context.voice is not None:
        # What was streamed of it is not what counts.
        await context.voice.custom("stream_reset", reason="transform_llm_output" if more is None else "stop")
    if more is not None:
        talk.go_on(more)
        return None
    system = [one for one in talk.view[:1] if one.type == "system"]
    await _tell(hooks, context, [*system, *talk.messages], replaced, model)
    return answer


def _kept(talk: Conversation, answer: AIMessage, text: str) -> AIMessage:
    """The answer with this text, in the record and, where it stands there, in the view."""
    if text == answer.text:
        return answer
    changed = answer.model_copy(update={"content": text})
    if talk.view and talk.view[-1] is answer:
        talk.view[-1] = changed
    talk.messages[-1] = changed
    return changed


async def _transformed(hooks: RunHooks, context: RunContext[Any], text: str, model: str) -> str:
    replaced = await hooks.transform_llm_output(context, text, model)
    return replaced if replaced == text or _may_stand(context.run, replaced) else text


def _may_stand(run: Run, text: str) -> bool:
    """Whether an answer may stand in another's place; where that one was a value, so must this be."""
    if run.contract is None or (run.has_output and run.output is None):
        return True
    try:
        value = run.contract.read(text)
    except Misfit as misfit:
        _log.warning(
            "transform_llm_output made an answer that does not fit %r: %s; the answer stays as it was",
            run.contract.kind,
            misfit,
            extra={"run_id": run.run_id, "tenant": run.labels.tenant},
        )
        return False
    if run.has_output:
        run.output = value
    return True


async def accept_plain(context: RunContext[Any], messages: list[BaseMessage], text: str) -> str:
    """Have the hooks see the answer of an agent that keeps no conversation, and so can't be sent back."""
    from langchain_core.messages import AIMessage

    hooks = root_hooks(context)
    if hooks is None:
        return text
    await hooks.drain_messages(context)
    text = await _transformed(hooks, context, text, "")
    if await hooks.stop(context, text) is not None:
        _log.warning(
            "a stop hook would go on, but agent %r keeps no conversation to go on with: the run ends",
            context.agent,
            extra={"run_id": context.run_id, "tenant": context.tenant},
        )
    await _tell(hooks, context, [*messages, AIMessage(text)], text, "")
    return text


async def _tell(hooks: RunHooks, context: RunContext[Any], messages: list[BaseMessage], text: str, model: str) -> None:
    """Tell that the run has answered."""
    if hooks.wants("post_llm_call"):
        said = context.run.message
        question: Any = said.additional_kwargs.get("original_content", said.content) if said else ""
        await hooks.post_llm_call(context, question, text, dump_messages(messages), model)
