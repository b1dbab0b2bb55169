"""LLMAgents with steps of their own, and one by itself."""

from __future__ import annotations

from typing import Any, ClassVar

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from cleveractors import (
    LLMAgent,
    RunContext,
    ScriptedChatModel,
    ToolAgent,
    last_token_usage_var,
)
from cleveractors.testing import Turn, call, run_context
from cleveractors.tools import as_tool
from cleveractors.tools.toolset import Toolset
from features.lib.bench import Bench
from features.lib.custom import use


def scripted() -> ScriptedChatModel:
    """Asks for the weather once, then answers."""
    return ScriptedChatModel(
        [{"calls": [call("get_weather", city="Paris")], "usage": (10, 1)}, {"text": "Rain.", "usage": (20, 2)}]
    )


class Prompting(LLMAgent):
    async def system_prompt(self, context: RunContext[Any]) -> str:
        return f"overridden for {context.tenant}"


class PreparingMessages(LLMAgent):
    async def prepare_messages(self, messages: Any, context: RunContext[Any]) -> Any:
        return [*messages, HumanMessage("overridden")]


class PreparingTools(LLMAgent):
    async def prepare_tools(self, tools: Toolset, context: RunContext[Any]) -> Toolset:
        return tools.subset([name for name in tools if name != "broken"])


class SelectingModel(LLMAgent):
    chosen: ClassVar[ScriptedChatModel | None] = None

    async def select_model(self, context: RunContext[Any]) -> Any:
        return self.chosen


class CallingModel(LLMAgent):
    async def call_model(self, messages: Any, context: RunContext[Any]) -> AIMessage:
        answer = await super().call_model(messages, context)
        return answer.model_copy(update={"content": answer.text and f"{answer.text} overridden"})


class CallingTool(LLMAgent):
    async def call_tool(self, call: Any, context: RunContext[Any]) -> ToolMessage:
        answer = await super().call_tool(call, context)
        return answer.model_copy(update={"content": f"{answer.text} overridden"})


class Finishing(LLMAgent):
    async def finish(self, answer: str, context: RunContext[Any]) -> str:
        return f"{answer} overridden"


class AskingTwice(LLMAgent):
    async def call_model(self, messages: Any, context: RunContext[Any]) -> AIMessage:
        await super().call_model(messages, context)
        return await super().call_model(messages, context)


def use_asking_twice(bench: Bench) -> None:
    """An LLMAgent that wants a second opinion each time."""
    use(bench, AskingTwice, {"model": "gpt-4o-mini"})
    bench.provider.script_forever(Turn("Rain.", prompt_tokens=10, completion_tokens=1))


def tool_agent() -> ToolAgent:
    """A tool as an agent."""

    def length(word: str = "storm") -> int:
        """How long a word is."""
        return len(word)

    return ToolAgent(as_tool(length))


async def ask_tool(agent: ToolAgent, message: str) -> str:
    """Ask it, outside any run of an executor's."""
    return await agent.process_message("" if message == "nothing" else message, run_context("deps"))


STEPS: dict[str, type[LLMAgent]] = {
    "system_prompt": Prompting,
    "prepare_messages": PreparingMessages,
    "prepare_tools": PreparingTools,
    "select_model": SelectingModel,
    "call_model": CallingModel,
    "call_tool": CallingTool,
    "finish": Finishing,
}


def use_step(bench: Bench, step: str) -> None:
    """An LLMAgent with one step of its own, on a scripted model, with two tools."""
    house, chosen = scripted(), scripted()
    SelectingModel.chosen = chosen
    bench.notes += [house, chosen]
    use(bench, STEPS[step], {"provider": "house", "model": "house-1"})
    bench.options["models"] = {"house": house}
    bench.declare(["get_weather", "broken"])


async def ask_step(bench: Bench) -> None:
    """Blocking, and as a stream of tokens: a step holds for both."""
    result = await bench.ask(tenant="t1")
    bench.notes[0] = house = bench.notes[0]
    asked = list(house.calls) or list(bench.notes[1].calls)
    bench.ways.value = (asked, result)
    assert result.prompt_tokens == 30 and result.completion_tokens == 3, result


def check_step(bench: Bench, step: str) -> None:
    """What an overridden step changed, and that it changed nothing else."""
    asked, result = bench.ways.value
    checks: dict[str, bool] = {
        "system_prompt": asked[0].messages[0].text == "overridden for t1",
        "prepare_messages": all(one.messages[-1].text == "overridden" for one in asked)
        and not any(message.text == "overridden" for message in result.messages),
        "prepare_tools": asked[0].tool_names == ["get_weather"],
        "select_model": not bench.notes[0].calls and len(bench.notes[1].calls) == 2,
        "call_model": result.response == "Rain. overridden",
        "call_tool": asked[1].messages[-1].text == "rain in Paris overridden",
        "finish": result.response == "Rain. overridden" == result.messages[-1].text,
    }
    assert checks[step], (asked, result)
    assert result.rounds == 1 and result.stop_reason == "completed"


# An LLMAgent by itself


def tokens_of(agent: LLMAgent) -> object:
    """What an agent says of its last call: a name that hosts have come to rely on, private though it is."""
    return getattr(agent, "_last_token_usage")  # noqa: B009 - it is private


async def check_lone() -> None:
    """Both faces without a context."""
    from features.lib.bench import get_weather

    for streamed in (False, True):
        agent = LLMAgent({"model": "house-1"}, model=scripted(), tools=[get_weather])
        if streamed:
            texts = [text async for text in agent.stream_message("rain?")]
        else:
            texts = [await agent.process_message("rain?")]
        assert texts == ["Rain."], texts
        assert tokens_of(agent) == (30, 3) == last_token_usage_var.get()


async def check_lone_failing() -> None:
    """A model that fails in the second call."""
    from features.lib.bench import get_weather

    model = ScriptedChatModel([{"calls": [call("get_weather", city="Paris")], "usage": (10, 1)}, RuntimeError("boom")])
    agent = LLMAgent({"model": "house-1"}, model=model, tools=[get_weather])
    try:
        await agent.process_message("rain?")
    except RuntimeError as error:
        assert str(error) == "boom" and tokens_of(agent) == (10, 1)
    else:
        raise AssertionError("it answered")
