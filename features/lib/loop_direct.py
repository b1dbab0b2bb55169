"""The loop without its callers: an agent that nobody equipped but the scenario."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage

from cleveractors import LLMAgent, RunContext, ScriptedChatModel, TokenUsage, last_token_usage_var
from cleveractors.agents.beginning import converse
from cleveractors.agents.standalone import standalone_run
from cleveractors.models.turn import ScriptedTurn
from features.lib.loop_tools import Bench

__all__ = ["AGENTS", "SEAMS", "LoneAgent", "Toolless"]


class Knowing(LLMAgent):
    """Answers by itself."""

    async def call_model(self, messages: list[BaseMessage], context: RunContext[Any]) -> AIMessage:
        return AIMessage("I know.")


class Learning(LLMAgent):
    """Answers by itself when the model has been asked once."""

    async def call_model(self, messages: list[BaseMessage], context: RunContext[Any]) -> AIMessage:
        if any(one.type == "tool" for one in messages):
            return AIMessage("I know.")
        return await super().call_model(messages, context)


class Forgetful(LLMAgent):
    """Sends the end of what there is, without results that nothing asks for."""

    async def prepare_messages(self, messages: list[BaseMessage], context: RunContext[Any]) -> list[BaseMessage]:
        return messages[-2:]


class Mixed(LLMAgent):
    """Answers another call than the one it was given."""

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        return ToolMessage("seam", tool_call_id="another")


class Plain(LLMAgent):
    """Answers with a value that is no message."""

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        return cast("ToolMessage", {"a": 1})


class Lossy(LLMAgent):
    """Has a mistake in it."""

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        raise KeyError("lost")


class Giving(LLMAgent):
    """Gives up by a cancellation that nobody asked for."""

    async def call_tool(self, call: ToolCall, context: RunContext[Any]) -> ToolMessage:
        raise asyncio.CancelledError


AGENTS: Mapping[str, type[LLMAgent]] = {
    "knows the answer by itself": Knowing,
    "knows the answer after one call of its model": Learning,
    "sends its last 2 messages": Forgetful,
}
SEAMS: Mapping[str, type[LLMAgent]] = {
    "answers another call": Mixed,
    "answers a plain value": Plain,
    "raises": Lossy,
    "cancels itself": Giving,
}


class Toolless(ScriptedChatModel):
    """A model that can't call tools."""

    def __init__(self, turns: Sequence[ScriptedTurn]) -> None:
        super().__init__(turns)

    def bind_tools(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


class LoneAgent:
    """An agent with a run of its own, and what came of its loop."""

    def __init__(
        self,
        bench: Bench,
        tools: Sequence[str],
        settings: Mapping[str, Any] | None = None,
        model: ScriptedChatModel | None = None,
        kind: type[LLMAgent] = LLMAgent,
    ) -> None:
        self.bench = bench
        self.model = model or ScriptedChatModel([])
        self.agent = kind({"model": "lone", **(settings or {})}, model=self.model, tools=bench.pick(tools))
        self.messages: list[BaseMessage] = []
        self.result: Any = None
        self.error: BaseException | None = None
        self._context: RunContext[Any] | None = None

    @property
    def context(self) -> RunContext[Any]:
        """The agent's run; it begins when it is first asked for."""
        if self._context is None:
            self._context = standalone_run("main", self.agent)
        return self._context

    async def run(self, question: str) -> None:
        """Run the loop on a list of one message, and keep what it returns or raises."""
        self.messages.append(HumanMessage(question))
        loop = self.agent._execute_tool_loop  # pyright: ignore[reportPrivateUsage]  # DESIGN names it
        try:
            self.result = await loop(self.messages, self.context)
        except BaseException as error:
            self.error = error

    async def run_cancelled(self, question: str) -> None:
        """Run the loop in a task that is cancelled while the tool `waits` waits."""
        task = asyncio.ensure_future(self.run(question))
        await self.bench.entered.wait()
        task.cancel()
        await asyncio.wait({task})

    @property
    def told(self) -> TokenUsage:
        """What the run's provider has told."""
        return self.context.usage

    def check_returned(self, name: str, wanted: object) -> None:
        """A field of the result; `text` is the final response's."""
        assert self.error is None, repr(self.error)
        found = self.result.final_response.text if name == "text" else getattr(self.result, name)
        assert found == wanted, (name, found)

    def check_raised(self, kind: str, text: str, fields: Mapping[str, object]) -> None:
        """The loop's own error, with its cause and the partial counts."""
        error: Any = self.error
        assert type(error).__name__ == "ToolLoopError", repr(error)
        assert type(error.cause).__name__ == kind and text in str(error.cause), repr(error.cause)
        assert error.messages is self.messages
        for name, wanted in fields.items():
            assert getattr(error, name) == wanted, (name, getattr(error, name))

    async def answer(self, question: str) -> tuple[str, TokenUsage | None]:
        """Ask by `process_message`; give the answer and what it told of tokens."""
        answer = await self.agent.process_message(question)
        return answer, self.agent._last_token_usage  # pyright: ignore[reportPrivateUsage]  # DESIGN names it

    async def stream(self, question: str) -> tuple[str, TokenUsage | None]:
        """Ask by `stream_message`."""
        async with aclosing(self.agent.stream_message(question)) as texts:
            answer = "".join([text async for text in texts])
        return answer, last_token_usage_var.get()

    async def condense(self) -> str | None:
        """Let the pruning pass condense one result."""
        talk = await converse(self.agent, [HumanMessage("Why?")], self.context, None)
        condense = self.agent._run_pruning_pass  # pyright: ignore[reportPrivateUsage]  # DESIGN names it
        return await condense([ToolMessage("long", tool_call_id="x", name="echo")], talk, self.context)

    async def call_seam(self) -> RuntimeError:
        """Call the model seam where no loop runs; give the error."""
        try:
            await self.agent.call_model([HumanMessage("Hi")], self.context)
        except RuntimeError as error:
            return error
        raise AssertionError("it was not refused")

    async def ask_bare(self) -> None:
        """Call the bare model, which no run knows of."""
        await cast("ScriptedChatModel", self.agent.chat_model).ainvoke("Hi")

    def bound_names(self) -> list[str]:
        """The names of the tools as they are bound to the model."""
        definitions = self.agent._lc_tools  # pyright: ignore[reportPrivateUsage]  # DESIGN names it
        assert definitions == self.agent.toolset.definitions
        return [one["function"]["name"] for one in definitions]
