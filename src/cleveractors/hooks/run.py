"""The hooks of one run: a question for each hook point, a plain outcome for each question."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cleveractors.hooks import payloads as p
from cleveractors.hooks.asking import Asking, is_over
from cleveractors.hooks.display import Display, Frame, Message
from cleveractors.hooks.facts import ChildRan, SessionOver, ToolRan
from cleveractors.hooks.gates import Gate
from cleveractors.hooks.hook import Hook
from cleveractors.hooks.merging import Allowed, Contexts, Denied, denial
from cleveractors.hooks.running import Limit, Outcome, ask
from cleveractors.hooks.verdicts import AddContext, Continue, ReplaceText
from cleveractors.hooks.wording import context_block, continue_block, cut

if TYPE_CHECKING:
    from cleveractors.context import RunContext
    from cleveractors.usage import Attempt

__all__ = ["RunHooks"]

P = TypeVar("P", bound=p.ToolResultPayload)
_log = logging.getLogger("cleveractors")

MOST_CONTINUES = 8
MOST_OF_A_SUMMARY = 2_000


class RunHooks:
    """Asks the hooks of a run.

    Every method takes the context as it is at that place, and does nothing when no hook matches; where the payload
    itself costs something, ask `wants` first.

    Args:
        asking: how they are called.
        display: the messages of the root run, its children's included.
    """

    def __init__(self, asking: Asking, display: Display) -> None:
        self._asking = asking
        self._display = display
        self._continued = 0

    def child(self, context: RunContext[Any]) -> RunHooks:
        """The hooks of a child run: those of tools, requests and sub-agents, and displays with `scope="all"`."""
        own = self._asking
        return RunHooks(Asking(context, own.hooks, own.house, own.platform, own.end), self._display)

    # What there is

    def wants(self, event: str, tool_name: str | None = None) -> bool:
        """Whether any hook is called for an event (of a tool)."""
        return bool(self._asking.matching(event, tool_name))

    @property
    def holds_text(self) -> bool:
        """Whether the answer may still change when the model has written it: streams of text have to wait."""
        events = ("transform_llm_output", "stop")
        return any(not hook.observe for event in events if self.wants(event) for hook in self._asking.hooks[event])

    # Tools

    async def pre_tool_call(
        self,
        context: RunContext[Any],
        tool_name: str,
        arguments: Any,
        tool_call_id: str,
        validate: Callable[[dict[str, Any]], object] | None = None,
    ) -> Allowed | Denied:
        """Ask whether a tool call may be made.

        Args:
            context: the run as the tool call sees it.
            tool_name: the tool.
            arguments: what the model asked for, valid.
            tool_call_id: the call's id.
            validate: raises where changed arguments do not fit the tool.
        """
        hooks = self._asking.matching("pre_tool_call", tool_name)
        if not hooks:
            return Allowed(arguments)

        async def ask_about(hook: Hook, arguments: Any) -> Outcome:
            call = {"tool_name": tool_name, "tool_input": arguments, "tool_call_id": tool_call_id}
            return await self._asking.ask(hook, self._asking.payload(p.PreToolCall, context, **call))

        return await Gate(ask_about, arguments, validate).decide(hooks)

    async def post_tool_call(self, context: RunContext[Any], ran: ToolRan) -> None:
        """Tell that a tool call has an answer; its raw result is recorded already."""
        await self._asking.tell(
            "post_tool_call", ran.tool_name, lambda: self._tool_payload(p.PostToolCall, context, ran)
        )

    async def transform_tool_result(self, context: RunContext[Any], ran: ToolRan) -> str | None:
        """Ask for another result; None leaves it as it is."""
        text: str | None = None
        for hook in self._asking.matching("transform_tool_result", ran.tool_name):
            result = ran.result if text is None else text
            payload = self._tool_payload(p.TransformToolResult, context, ran, result)
            verdict = (await self._asking.ask(hook, payload)).verdict
            if isinstance(verdict, ReplaceText):
                text = verdict.text
        return text

    def _tool_payload(self, kind: type[P], context: RunContext[Any], ran: ToolRan, *result: Any) -> P:
        return self._asking.payload(
            kind,
            context,
            tool_name=ran.tool_name,
            tool_input=ran.tool_input,
            tool_call_id=ran.tool_call_id,
            result=result[0] if result else ran.result,
            duration_ms=round(ran.seconds * 1000),
            status=ran.status,
        )

    # The user's message and the answer

    async def pre_llm_call(
        self, context: RunContext[Any], user_message: p.UserMessage, history: list[dict[str, Any]], model: str
    ) -> Contexts | Denied:
        """Ask whether the run may begin, and with which texts in the user's message."""
        outcomes: list[Outcome] = []
        blocks: list[str] = []
        for hook in self._asking.matching("pre_llm_call"):
            told = {"user_message": _with(user_message, blocks), "conversation_history": history, "model": model}
            outcome = await self._asking.ask(hook, self._asking.payload(p.PreLLMCall, context, **told))
            outcomes.append(outcome)
            if isinstance(outcome.verdict, AddContext) and outcome.verdict.text.strip():
                blocks.append(context_block(hook.name, outcome.verdict.text))
        return denial(outcomes) or Contexts(tuple(blocks))

    async def transform_llm_output(self, context: RunContext[Any], text: str, model: str) -> str:
        """Ask for another answer; what comes is what is delivered."""
        for hook in self._asking.matching("transform_llm_output"):
            payload = self._asking.payload(p.TransformLLMOutput, context, response_text=text, model=model)
            verdict = (await self._asking.ask(hook, payload)).verdict
            if isinstance(verdict, ReplaceText):
                text = verdict.text
        return text

    async def stop(self, context: RunContext[Any], response: str) -> str | None:
        """Ask whether the run may end with this answer; else the text of a user's message, labelled."""
        blocks: list[str] = []
        told = {"stop_hook_active": self._continued > 0, "assistant_response": response}
        for hook in self._asking.matching("stop"):
            verdict = (await self._asking.ask(hook, self._asking.payload(p.Stop, context, **told))).verdict
            if isinstance(verdict, Continue) and verdict.reason.strip():
                blocks.append(continue_block(hook.name, verdict.reason))
        if blocks and self._continued >= MOST_CONTINUES:
            _log.warning("stop hooks have sent the run back %d times, all they may", MOST_CONTINUES)
            return None
        self._continued += bool(blocks)
        return "\n\n".join(blocks) or None

    async def post_llm_call(
        self,
        context: RunContext[Any],
        user_message: p.UserMessage,
        response: str,
        history: list[dict[str, Any]],
        model: str,
    ) -> None:
        """Tell that the run has answered."""
        told = {"user_message": user_message, "assistant_response": response, "model": model}
        await self._asking.tell(
            "post_llm_call",
            None,
            lambda: self._asking.payload(p.PostLLMCall, context, conversation_history=history, **told),
        )

    # Sessions and children

    async def session_start(self, context: RunContext[Any]) -> None:
        """Tell that a session begins."""
        await self._asking.tell("on_session_start", None, lambda: self._asking.payload(p.OnSessionStart, context))

    async def session_end(self, context: RunContext[Any], over: SessionOver) -> None:
        """Tell that a session is over; a cancellation of the caller is raised after it."""
        told = {"completed": over.completed, "failed": over.failed, "interrupted": over.interrupted}
        await self._asking.tell_at_the_end(
            "on_session_end",
            lambda: self._asking.payload(
                p.OnSessionEnd, context, reason=over.reason, usage=dict(over.usage or {}), **told
            ),
        )

    async def subagent_start(self, context: RunContext[Any], role: str, child_run_id: str) -> None:
        """Tell that a child run begins; `context` is the caller's."""
        told = {"child_role": role, "child_session_id": child_run_id}
        await self._asking.tell("subagent_start", None, lambda: self._asking.payload(p.SubagentStart, context, **told))

    async def subagent_stop(self, context: RunContext[Any], child: ChildRan) -> None:
        """Tell that a child run has ended; one that was interrupted is told of under a shield."""

        def payload() -> p.SubagentStop:
            return self._asking.payload(
                p.SubagentStop,
                context,
                child_role=child.role,
                child_session_id=child.run_id,
                duration_ms=round(child.seconds * 1000),
                result_summary=cut(child.answer, MOST_OF_A_SUMMARY),
                child_status=child.status,
            )

        if child.status == "interrupted":
            await self._asking.tell_at_the_end("subagent_stop", payload)
        else:
            await self._asking.tell("subagent_stop", None, payload)

    # Requests

    async def pre_api_request(self, context: RunContext[Any], row: Attempt) -> None:
        """Tell that an attempt is about to be sent."""
        await self._tell_request(p.PreApiRequest, context, row)

    async def post_api_request(self, context: RunContext[Any], row: Attempt) -> None:
        """Tell that an attempt has answered; its row is settled."""
        usage = {
            "prompt_tokens": row.prompt_tokens,
            "completion_tokens": row.completion_tokens,
            "total_tokens": row.prompt_tokens + row.completion_tokens,
            "cached_tokens": row.cached_tokens,
            "reasoning_tokens": row.reasoning_tokens,
            "state": row.state,
        }
        await self._tell_request(p.PostApiRequest, context, row, usage=usage)

    async def api_request_error(
        self, context: RunContext[Any], row: Attempt, error: BaseException, will_retry: bool
    ) -> None:
        """Tell that an attempt has failed; its row is settled."""
        await self._tell_request(p.ApiRequestError, context, row, error=error, will_retry=will_retry)

    async def _tell_request(
        self, kind: type[p.RequestPayload], context: RunContext[Any], row: Attempt, **own: Any
    ) -> None:
        def payload() -> p.RequestPayload:
            return self._asking.payload(
                kind,
                context,
                model=row.model,
                provider=row.provider,
                purpose=row.purpose,
                attempt=row.attempt,
                invocation_id=row.id,
                **own,
            )

        await self._asking.tell(kind.hook_event_name, None, payload)

    # Messages

    def message(self, context: RunContext[Any]) -> Message | None:
        """A model call whose text is shown begins; None where nobody looks."""
        hooks = self._asking.matching("message_display")
        if not hooks:
            return None

        async def deliver(hook: Hook, frame: Frame) -> None:
            # Shown from a task of its own: only its own time ends it, not what has become of the run.
            payload = self._asking.payload(p.MessageDisplay, context, **frame._asdict())
            self._asking.house.note(await ask(hook, payload, Limit(hook.timeout)), context)

        return self._display.message(hooks, deliver)

    async def drain_messages(self, context: RunContext[Any]) -> None:
        """Wait for final messages on their way, before `stop` and before the end."""
        await self._display.drain(self._asking.end.left() if is_over(context) else None)

    def drop_messages(self) -> None:
        """The run was cancelled: nothing more is shown."""
        self._display.cancel()


def _with(message: p.UserMessage, blocks: Sequence[str]) -> p.UserMessage:
    """The user's message as the hooks before have left it."""
    if not blocks:
        return message
    text = "\n\n".join(blocks)
    return f"{message}\n\n{text}" if isinstance(message, str) else [*message, {"type": "text", "text": text}]
