"""A scripted model on its own: what it is asked, in which way, and what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from anyio.lowlevel import checkpoint
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import Runnable

from cleveractors.testing import (
    ScriptedChatModel,
    ScriptedTurn,
    ScriptExhaustedError,
    call,
)
from features.lib.scripted_orders import ORDERS

__all__ = ["Outcome", "Stage", "stage"]

STAGE = "scripted_stage"
Asked = Runnable[LanguageModelInput, AIMessage]


@dataclass
class Outcome:
    """What came of one request."""

    message: AIMessage | None = None
    chunks: list[AIMessageChunk] = field(default_factory=list[AIMessageChunk])
    error: BaseException | None = None

    def cells(self, names: Iterable[str]) -> dict[str, str]:
        """The outcome as a table writes it; empty cells say that there is nothing."""
        return {name: CELLS[name](self) if self.message or name == "error" else "" for name in names}

    @property
    def said(self) -> AIMessage:
        """The answer, in one piece."""
        assert self.message is not None, self.error
        return self.message


def _calls(outcome: Outcome) -> str:
    if isinstance(outcome.said, AIMessageChunk):
        return " & ".join(f"{one['name']} {one['args']}" for one in outcome.said.tool_call_chunks)
    written = [f"{one['name']} {json.dumps(one['args'], ensure_ascii=False)}" for one in outcome.said.tool_calls]
    return " & ".join([*written, *(f"{one['name']} {one['args']}" for one in outcome.said.invalid_tool_calls)])


def _ids(outcome: Outcome) -> str:
    said = outcome.said
    return ", ".join(str(one["id"]) for one in [*said.tool_calls, *said.invalid_tool_calls])


def _told(outcome: Outcome, path: str) -> str:
    found: Any = outcome.said.usage_metadata
    for part in path.split("."):
        found = cast("dict[str, Any]", found or {}).get(part)
    return "" if found is None else str(found)


def _finish(outcome: Outcome) -> str:
    return str(outcome.said.response_metadata.get("finish_reason", ""))


CELLS: dict[str, Callable[[Outcome], str]] = {
    "text": lambda one: str(one.said.text).replace("\n", "⏎"),
    "calls": _calls,
    "ids": _ids,
    "finish": _finish,
    "prompt": lambda one: _told(one, "input_tokens"),
    "completion": lambda one: _told(one, "output_tokens"),
    "cached": lambda one: _told(one, "input_token_details.cache_read"),
    "written": lambda one: _told(one, "input_token_details.cache_creation"),
    "reasoning": lambda one: _told(one, "output_token_details.reasoning"),
    "model": lambda one: str(one.said.response_metadata["model_name"]),
    "id": lambda one: str(one.said.id),
    "error": lambda one: "" if one.error is None else f"{type(one.error).__name__}: {one.error}".removesuffix(": "),
}


@dataclass
class Stage:
    """One scenario's model."""

    model: ScriptedChatModel = field(default_factory=ScriptedChatModel)
    tools: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    parameters: dict[str, Any] = field(default_factory=dict[str, Any])
    messages: list[BaseMessage] = field(default_factory=list[BaseMessage])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    events: list[object] = field(default_factory=list[object])
    error: Exception | None = None

    def names(self) -> dict[str, Any]:
        """What the Python of a feature may use."""
        replies = iter(["one", "two"])

        async def later(messages: Sequence[BaseMessage]) -> str:
            await checkpoint()
            return f"later, {messages[-1].text}"

        async def never() -> None:
            await asyncio.Event().wait()

        async def later_note() -> None:
            await checkpoint()
            self.events.append("late")

        def endless() -> object:
            return endless

        def everything(*given: Any) -> str:
            return f"{len(given)} given"

        known = (AIMessage, ScriptedTurn, call, later, later_note, never, endless, everything)
        note = self.events.append
        named: dict[str, Any] = {one.__name__: one for one in known} | ORDERS
        return named | {"note": note, "next_reply": partial(next, replies)}

    def play(self, turns: str, **options: Any) -> None:
        """Make a model of a script in Python, or keep the error."""
        try:
            self.model = ScriptedChatModel(eval(turns, self.names()), **options)
        except Exception as error:
            self.error = error

    def offer(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Offer tools: a name and the schema of the parameters each."""
        for row in rows:
            function = {"name": row["tool"], "parameters": json.loads(row["parameters"])}
            self.tools.append({"type": "function", "function": function})

    def hear(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Add messages to the next request."""
        for row in rows:
            text = row["text"].replace("{long}", "x" * 2000)
            match row["from"].split():
                case ["user"]:
                    self.messages.append(HumanMessage(text))
                case ["system"]:
                    self.messages.append(SystemMessage(text))
                case ["tool", status, call_id]:
                    self.messages.append(ToolMessage(text, tool_call_id=call_id, status=status))
                case ["model", name, call_id]:
                    called = {"name": name, "args": json.loads(text), "id": call_id, "type": "tool_call"}
                    self.messages.append(AIMessage("", tool_calls=[called]))
                case other:
                    raise AssertionError(other)

    @property
    def asked(self) -> Asked:
        """The model with its tools."""
        model = self.model.bind_tools(self.tools) if self.tools else self.model
        return cast("Asked", model.bind(**self.parameters)) if self.parameters else model

    async def ask(self, way: str = "", text: str | None = None) -> Outcome:
        """Ask once; keep the answer or the error."""
        outcome = Outcome()
        self.outcomes.append(outcome)
        messages = [*self.messages, *([HumanMessage(text)] if text else [])]
        try:
            await WAYS[way](self.asked, messages, outcome)
        except BaseException as error:
            outcome.error = error
        if outcome.chunks:
            whole = outcome.chunks[0]
            for chunk in outcome.chunks[1:]:
                whole += chunk
            outcome.message = whole
        return outcome

    def ask_from_threads(self, count: int) -> None:
        """Ask so many times at once, each from a thread of its own."""
        with ThreadPoolExecutor(8) as threads:
            self.outcomes += map(Outcome, threads.map(self.asked.invoke, [f"{n}" for n in range(count)]))

    def ask_a_copy(self) -> None:
        """Ask a deep copy of the model."""
        self.outcomes.append(Outcome(deepcopy(self.model).invoke("Hi")))

    def cells(self, names: Sequence[str]) -> list[dict[str, str]]:
        """All outcomes, as a table writes them."""
        return [outcome.cells(names) for outcome in self.outcomes]

    def complaint(self) -> str:
        """What `assert_complete` says; nothing if it is content."""
        try:
            self.model.assert_complete()
        except AssertionError as error:
            return str(error)
        return ""

    @property
    def exhausted(self) -> str:
        """What was said when the script was at its end."""
        assert isinstance(self.outcomes[-1].error, ScriptExhaustedError), self.outcomes[-1]
        return str(self.outcomes[-1].error)


async def _whole(model: Asked, messages: list[BaseMessage], outcome: Outcome) -> None:
    outcome.message = await model.ainvoke(messages)


async def _streamed(model: Asked, messages: list[BaseMessage], outcome: Outcome) -> None:
    async for chunk in model.astream(messages):
        outcome.chunks.append(cast(AIMessageChunk, chunk))


async def _whole_at_once(model: Asked, messages: list[BaseMessage], outcome: Outcome) -> None:
    outcome.message = model.invoke(messages)


async def _streamed_at_once(model: Asked, messages: list[BaseMessage], outcome: Outcome) -> None:
    for chunk in model.stream(messages):
        outcome.chunks.append(cast(AIMessageChunk, chunk))


WAYS = {
    "": _whole,
    "in a stream": _streamed,
    "without a loop": _whole_at_once,
    "in a stream without a loop": _streamed_at_once,
}


def stage(context: object) -> Stage:
    """The scenario's, made when it is first asked for."""
    if not hasattr(context, STAGE):
        setattr(context, STAGE, Stage())
    return cast("Stage", getattr(context, STAGE))
