"""Types that answers must fit, and agents that answer them."""

from __future__ import annotations

import asyncio
import datetime
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from langchain_core.messages import BaseMessage, SystemMessage
from pydantic import BaseModel
from typing_extensions import TypedDict

from cleveractors import AbortSignal, ActorPolicy, Agent, AgentConfig, LLMAgent, RunContext
from cleveractors.testing import Turn
from features.lib.bench import Bench


class City(BaseModel):
    """A city."""

    name: str
    rain: bool


@dataclass
class Point:
    """A point."""

    x: int
    y: int


class Place(TypedDict):
    """A place."""

    name: str


KINDS: dict[str, Any] = {
    "City": City,
    "Point": Point,
    "Place": Place,
    "int": int,
    "list": list[int],
    "optional": int | None,
    "str": str,
    "day": datetime.date,
    "a number": 5,
    "a type without schema": Callable[[], int],
}


def unfolded(text: str) -> str:
    """A text whose line ends are written as signs."""
    return text.replace("⏎", "\n")


def answer_with(bench: Bench, text: str) -> None:
    """Have the provider answer with a text."""
    bench.provider.script(Turn(unfolded(text), prompt_tokens=60, completion_tokens=9))


def use_literal_agent(bench: Bench, answer: str) -> None:
    """A custom agent that always answers the same."""

    class LiteralConfig(AgentConfig):
        """No keys."""

    class LiteralAgent(Agent[Any]):
        Config: ClassVar[type[AgentConfig]] = LiteralConfig

        async def process_message(self, message: Any, context: RunContext[Any]) -> str:
            return answer

    bench.keys = {"type": "literal"}
    bench.options["agent_types"] = {"literal": LiteralAgent}


def _appended(prompt: str) -> str:
    return prompt + "\n\nBe brief. {"


def _cut(prompt: str) -> str:
    return prompt[: prompt.index("{")]


def use_prompting_agent(bench: Bench, how: str) -> None:
    """An agent on the embedded provider, whose code changes the system prompt."""
    change = {"says more behind": _appended, "cuts off": _cut}[how]

    class Prompting(LLMAgent):
        async def prepare_messages(self, messages: list[BaseMessage], context: RunContext[Any]) -> list[BaseMessage]:
            return [SystemMessage(change(str(messages[0].text))), *messages[1:]]

    bench.keys |= {"type": "prompting", "provider": "scripted", "system_prompt": "You count."}
    bench.options |= {"agent_types": {"prompting": Prompting}, "policy": ActorPolicy(scripted=True)}


async def ask_and_abort(bench: Bench, kind: str) -> None:
    """Abort the run when its call stands at the gate."""
    signal = AbortSignal()
    task = asyncio.create_task(bench.ask(output_type=KINDS[kind], abort_signal=signal))
    await bench.gate.wait_reached_async()
    signal.abort("enough")
    await task
    bench.gate.open()


def check_instructed(bench: Bench, start: str, kind: str) -> None:
    """The system prompt holds the file's text first, and the schema last."""
    prompt = str(bench.provider.requests[0].messages[0]["content"])
    assert prompt.startswith(start), prompt
    schema = json.loads(prompt[prompt.index("{") :])
    assert schema["properties"].keys() == KINDS[kind].model_fields.keys(), schema
