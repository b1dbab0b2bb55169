"""The agent with a model: two faces, one loop, five verbs."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, ClassVar

from cleveractors.agents.accepting import accept_answer
from cleveractors.agents.base import Agent
from cleveractors.agents.beginning import converse
from cleveractors.agents.conversation import Conversation, talk_of
from cleveractors.agents.dispatch import run_tool
from cleveractors.agents.forks import fork_tool
from cleveractors.agents.hooked import around_run, root_hooks
from cleveractors.agents.judging import judge
from cleveractors.agents.loop import ToolLoopError as _ToolLoopError
from cleveractors.agents.loop import ToolLoopResult as _ToolLoopResult
from cleveractors.agents.output import end_with_output
from cleveractors.agents.permits import admit_turn
from cleveractors.agents.prompts import check_prompts, prompt_of
from cleveractors.agents.pruning import can_shrink, condense_results, prune, shrink_once
from cleveractors.agents.rounds import run_round
from cleveractors.agents.standalone import standalone_run
from cleveractors.agents.telling import told
from cleveractors.agents.texts import TextListener
from cleveractors.config import AgentConfig, LLMAgentConfig
from cleveractors.context import RunContext
from cleveractors.exceptions import LimitReached
from cleveractors.history import read_message
from cleveractors.models.call import ModelCall
from cleveractors.models.port import Port
from cleveractors.models.spec import ModelSpec
from cleveractors.stops import StopReason
from cleveractors.tools.convert import as_tool
from cleveractors.tools.stand_ins import tools_for
from cleveractors.tools.toolset import Toolset
from cleveractors.usage import TokenUsage, last_token_usage_var

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage, ToolCall, ToolMessage


__all__ = ["LLMAgent"]


class LLMAgent(Agent[Any]):
    """Answers with a model that may call tools.

    Its steps can be overridden one by one; the one loop calls each of them: `system_prompt`,
    `prepare_messages`, `prepare_tools`, `select_model`, `call_model`, `call_tool`, `finish`.

    Args:
        config: the agent's keys, an `LLMAgentConfig` or a mapping of them.
        name: its name in the actor.
        model: a chat model in place of the one that `config` names.
        tools: tools, when no executor equips the agent.
    """

    Config: ClassVar[type[AgentConfig]] = LLMAgentConfig
    minds_the_run: ClassVar[bool] = True

    def __init__(
        self,
        config: LLMAgentConfig | Mapping[str, Any],
        *,
        name: str = "main",
        model: BaseChatModel | ModelSpec | None = None,
        tools: Sequence[Any] = (),
    ) -> None:
        parsed = config if isinstance(config, LLMAgentConfig) else LLMAgentConfig.model_validate(dict(config))
        super().__init__(parsed, name=name)
        self.config: LLMAgentConfig = parsed
        self.chat_model = model
        """The bare model, where one was given: calls on it are not on the bill."""
        self._lc_tools: tuple[dict[str, Any], ...] = ()
        self.equip(Toolset([as_tool(one) for one in tools]))

    def equip(self, toolset: Toolset, colleagues: Mapping[str, Agent[Any]] | None = None) -> None:
        """Give the agent its tools, and a `fork` where its file allows that."""
        if self.config.forks is not None:
            toolset = Toolset([*toolset.values(), fork_tool(self, self.config.forks)])
        super().equip(toolset, colleagues)
        self._lc_tools = toolset.definitions

    # Faces

    async def process_message(self, message: Any, context: RunContext[Any] | None = None) -> str:
        """Answer a message.

        Args:
            message: text, a `HumanMessage`, or content parts.
            context: the run; None makes one of the agent's own.

        Raises:
            ConfigurationError: model, tools or variables are wrong.
            Exception: provider errors, unwrapped.
        """
        return await self._answer(message, self._context(context), None)

    async def stream_message(self, message: Any, context: RunContext[Any] | None = None) -> AsyncGenerator[str, None]:
        """Answer a message: one chunk when tools are declared and `streaming` is `answer`, else as it comes."""
        context = self._context(context)
        if not self.streams(context):
            yield await self._answer(message, context, None)
            return
        listener = TextListener()
        last_token_usage_var.set(listener.usage)
        background = context.run.services.background
        task = background.start(self._answer(message, context, listener), f"run {context.run_id}")
        try:
            async with aclosing(listener.feed.follow(task, stopping=True)) as texts:
                async for text in texts:
                    yield text
        finally:
            last_token_usage_var.set(listener.usage)

    def streams(self, context: RunContext[Any]) -> bool:
        """Whether text is handed out while the model writes it."""
        hooks = root_hooks(context)
        if type(self).finish is not LLMAgent.finish or (hooks is not None and hooks.holds_text):
            return False
        if not self.tools_of(context):
            return True
        options, services = context.run.options, context.run.services
        return (options.get("streaming") or services.streaming or self.config.streaming) == "tokens"

    @property
    def _last_token_usage(self) -> TokenUsage | None:
        """What the last `process_message` or `stream_message` of this context caused."""
        return last_token_usage_var.get()

    def check(self, context: RunContext[Any]) -> None:
        """Refuse variables that no agent declares, and tools that this one does not."""
        check_prompts(self, context)
        self.tools_of(context)

    # Steps

    async def system_prompt(self, context: RunContext[Any]) -> str:
        """The system prompt, its variables filled in; empty for none."""
        return prompt_of(self, context)

    async def prepare_messages(self, messages: list[BaseMessage], context: RunContext[Any]) -> list[BaseMessage]:
        """What a model call is sent; returning another list changes this call alone."""
        del context
        return messages

    async def prepare_tools(self, tools: Toolset, context: RunContext[Any]) -> Toolset:
        """The tools of this run."""
        del context
        return tools

    async def select_model(self, context: RunContext[Any]) -> BaseChatModel | ModelSpec | None:
        """The chat model of this run; None takes the one of the actor's file."""
        del context
        return self.chat_model

    async def call_model(self, messages: list[BaseMessage], context: RunContext[Any]) -> AIMessage:
        """The seam of every turn: one model call, its attempts, rows and budgets.

        Raises:
            LimitReached: a limit or budget refused a further call of the same turn.
        """
        talk = talk_of(context.talk)
        permit, talk.permit = talk.permit, None
        call = ModelCall(
            run=talk.run,
            agent=self.name,
            ports=talk.ports,
            view=messages,
            rules=self.config,
            ledger=talk.ledger,
            purses=talk.purses,
            meter=talk.meter,
            round=talk.rounds + 1,
            listener=talk.listener,
            may_shrink=lambda: can_shrink(talk),
            permit=permit,
        )
        reply = await call.perform()
        talk.reply = reply
        talk.stay_with(call.port)
        talk.finish_reason, talk.cut_by = reply.finish_reason, call.cut_by
        return reply.message

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        """The seam of every tool call; trouble in the tool is an answer with `status="error"`."""
        talk = context.talk
        tools = talk.tools if isinstance(talk, Conversation) else self.tools_of(context)
        return await run_tool(tools, call, context, timeout=self.config.tool_timeout)

    async def finish(self, answer: str, context: RunContext[Any]) -> str:
        """The answer as it is delivered. Overriding it holds streamed text back until the answer is there."""
        del context
        return answer

    # The loop

    async def _execute_tool_loop(
        self, messages: list[BaseMessage], context: RunContext[Any], *, listener: TextListener | None = None
    ) -> _ToolLoopResult:
        """Call the model and its tools until there is an answer or a reason to end.

        Args:
            messages: the conversation without system prompt; what is said is appended to it, so that it is
                a valid history at every await.
            context: the run.
            listener: follows the answer while it is written.

        Raises:
            _ToolLoopError: with the cause and the partial counts.
        """
        talk: Conversation | None = None
        try:
            talk = await converse(self, messages, context, listener)
            context = context.for_talk(talk)
            final: AIMessage | None = None
            while final is None:
                stop = await self._turn(talk, context)
                await talk.end_iteration()
                if stop is not None:
                    final = await accept_answer(self, talk, context, await end_with_output(self, talk, context, stop))
            return _ToolLoopResult.of(talk, final, talk.stop_reason or "completed")
        except Exception as error:
            raise _ToolLoopError(error, messages, talk) from error
        finally:
            usage = TokenUsage(0, 0) if talk is None else talk.leave(sys.exception())
            last_token_usage_var.set(usage)
            if listener is not None:
                listener.usage = usage

    async def _turn(self, talk: Conversation, context: RunContext[Any]) -> StopReason | None:
        """One response of the model and, where it asks for tools, their round."""
        await self._prune(talk, context)
        talk.begin_turn(await self.prepare_messages(talk.view, context))
        if (stop := await admit_turn(talk)) is not None:
            return stop
        try:
            answer = await self.call_model(talk.prepared, context)
        except LimitReached as limit:
            return talk.stop_for(limit)
        except Exception as error:
            if not await shrink_once(talk, error):
                raise
            return None
        finally:
            # A seam that answered by itself has left its permit unused.
            talk.drop_permit()
        calls = talk.store(answer)
        return await run_round(self, talk, calls, context) if calls else judge(talk, answer)

    async def _prune(self, talk: Conversation, context: RunContext[Any]) -> None:
        """The fifth verb: the view shrinks, the record does not."""
        if self.config.pruning is None:
            return

        async def condense(results: Sequence[BaseMessage]) -> str | None:
            return await self._run_pruning_pass(results, talk, context)

        await prune(talk, self.config.pruning, condense)

    async def _run_pruning_pass(
        self, results: Sequence[BaseMessage], talk: Conversation, context: RunContext[Any]
    ) -> str | None:
        """Condense tool results by a call of its own; None where it failed or was refused."""
        return await condense_results(self, await self.ports_for(context, ()), results, talk)

    # Making ready

    async def _answer(self, message: Any, context: RunContext[Any], listener: TextListener | None) -> str:
        messages: list[BaseMessage] = [*context.run.take_history(), read_message(message)]
        last_token_usage_var.set(TokenUsage(0, 0))
        model = f"{self.config.provider}/{self.config.model}"
        async with (
            told(context, messages) as (context, told_answer),
            around_run(context, messages, model) as denied,
        ):
            answer = denied
            if answer is None:
                answer = (await self._outcome(messages, context, listener)).final_response.text
            context.run.answered(self.name, answer)
            if listener is not None:
                await listener.complete(answer)
            return told_answer(answer)

    async def _outcome(
        self, messages: list[BaseMessage], context: RunContext[Any], listener: TextListener | None
    ) -> _ToolLoopResult:
        """The loop's result; in place of its error the cause is raised, outside the handler that would mark it."""
        try:
            return await self._execute_tool_loop(messages, context, listener=listener)
        except _ToolLoopError as error:
            cause = error.cause
        raise cause

    async def ports_for(self, context: RunContext[Any], definitions: Sequence[dict[str, Any]]) -> list[Port]:
        """The model that `select_model` chose, with tools; then those that take over."""
        own = await self.select_model(context)
        if own is None:
            return await self.select_ports(context, definitions)
        return [context.run.services.models.bind_model(own, self.config, definitions)]

    def tools_of(self, context: RunContext[Any]) -> Toolset:
        """The tools that this run may use."""
        return tools_for(context.run, self.toolset)

    def _context(self, context: RunContext[Any] | None) -> RunContext[Any]:
        if context is None:
            return standalone_run(self.name, self)
        return context.for_agent(self.name, self)
