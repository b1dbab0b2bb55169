"""What must hold of every event stream, whatever happened in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cleveractors import (
    ActorResult,
    CustomEvent,
    EventYield,
    LLMCallEndEvent,
    LLMCallErrorEvent,
    LLMCallStartEvent,
    LLMChunkArriveEvent,
    ReactEndEvent,
    ReactIterationEndEvent,
    ReactIterationStartEvent,
    ReactOutput,
    ReactStartEvent,
    ToolCallArgumentsDeltaEvent,
    ToolCallEndEvent,
    ToolCallErrorEvent,
    ToolCallsBatchEndEvent,
    ToolCallsBatchStartEvent,
    ToolCallStartEvent,
    is_event_yield,
)

__all__ = ["check_order", "check_stream"]

USAGE = {"prompt_tokens", "completion_tokens", "total_tokens"}


def check_stream(outputs: Sequence[ReactOutput], result: ActorResult[Any] | None) -> None:
    """Hold a whole stream against the reference; `result` is the run's bill."""
    events = [output for output in outputs if is_event_yield(output)]
    assert [one.origin.event_seq for one in events] == list(range(1, len(events) + 1))
    check_order(events)
    _check_answer(outputs, events, result)
    if result is not None:
        _check_origins(events, result)
        _check_bill(events, result)


def check_order(events: Sequence[EventYield]) -> None:
    """Every agent call's events, in themselves in order."""
    agents: dict[str, _Agent] = {}
    for one in events:
        agents.setdefault(one.origin.agent_call_id, _Agent()).take(one)
    for agent in agents.values():
        assert agent.over and not agent.open, agent.open


class _Agent:
    """Follows one agent call; `open` is what has begun and has not ended."""

    def __init__(self) -> None:
        self.open: list[object] = []
        self.over = False
        self.iteration = 0
        self.batch: set[str] = set()
        self.failed: set[str] = set()
        self.text = ""
        self.index = 0
        self.shown: list[Any] = []

    def take(self, one: EventYield) -> None:
        """One more event."""
        assert not self.over, f"{one.event} follows the end"
        match one.event:
            case ReactStartEvent():
                assert not self.open
                self.open.append("agent")
            case ReactIterationStartEvent(iteration=number):
                assert (self.open, number) == (["agent"], self.iteration + 1)
                self.open.append("iteration")
                self.iteration = number
            case ReactIterationEndEvent(iteration=number):
                assert number == self.iteration
                self._close("iteration")
            case ReactEndEvent():
                self._close("agent")
                self.over = True
            case LLMCallStartEvent() | LLMChunkArriveEvent() | LLMCallEndEvent() | LLMCallErrorEvent():
                self._take_call(one.event)
            case _:
                self._take_tool(one)

    def _close(self, what: str) -> None:
        assert self.open and self.open[-1] == what, (what, self.open)
        self.open.pop()

    def _take_call(self, event: LLMCallStartEvent | LLMChunkArriveEvent | LLMCallEndEvent | LLMCallErrorEvent) -> None:
        match event:
            case LLMCallStartEvent():
                assert event.messages and event.attempt >= 1 and event.invocation_id
                self.open.append("call")
                self.text, self.index, self.shown = "", 0, event.messages
            case LLMChunkArriveEvent():
                self.text += event.text
                assert event.text == event.chunk.text and event.accumulated_content == self.text
                assert event.chunk_index == self.index
                self.index += 1
            case LLMCallEndEvent():
                self._close("call")
                assert event.content == event.response.text and event.content == (self.text or event.content)
                assert event.messages == self.shown and event.tool_calls == event.response.tool_calls
                assert event.execution_time >= 0 and (event.usage is None or set(event.usage) == USAGE)
            case LLMCallErrorEvent():
                self._close("call")

    def _take_tool(self, one: EventYield) -> None:
        event, tool = one.event, (one.origin.tool_name, one.origin.tool_call_id)
        match event:
            case ToolCallsBatchStartEvent():
                self.open.append("batch")
                self.batch = {call["id"] for call in event.tool_calls}
                assert len(self.batch) == len(event.tool_calls)
            case ToolCallStartEvent():
                assert tool == (event.tool_name, event.tool_call_id) and event.tool_call_id in self.batch
                self.batch.remove(event.tool_call_id)
                self.open.append(tool)
            case ToolCallErrorEvent():
                assert tool == (event.tool_name, event.tool_call_id) and tool in self.open and event.error
                self.failed.add(event.tool_call_id)
            case ToolCallEndEvent():
                assert tool == (event.tool_name, event.tool_call_id) and event.execution_time >= 0
                self.open.remove(tool)
                assert event.success is (event.tool_call_id not in self.failed)
            case ToolCallsBatchEndEvent():
                self._close("batch")
            case ToolCallArgumentsDeltaEvent():
                assert tool == (event.tool_name, event.tool_call_id) and self.open[-1] == "call"
            case CustomEvent():
                assert event.tool_call_id is None or tool in self.open
            case _:
                raise AssertionError(f"unknown event {event!r}")


def _check_answer(
    outputs: Sequence[ReactOutput], events: Sequence[EventYield], result: ActorResult[Any] | None
) -> None:
    responses = [output for output in outputs if not is_event_yield(output)]
    end = events[-1].event
    assert isinstance(end, ReactEndEvent), end
    assert len(responses) == (end.error is None and end.stop_reason != "cancelled"), end
    if responses:
        assert outputs[-1] is responses[0]
        assert responses[0].response == end.response and responses[0].messages == end.final_messages
    if result is not None:
        assert end.response == (responses[0].response if responses else result.response)
        assert (end.stop_reason, end.final_messages) == (result.stop_reason, result.messages)
        assert end.usage == {
            "prompt_tokens": result.prompt_tokens,
            "completion_tokens": result.completion_tokens,
            "total_tokens": result.total_tokens,
        }
        assert end.cost == result.cost


def _check_origins(events: Sequence[EventYield], result: ActorResult[Any]) -> None:
    root = events[0].origin
    runs = {row.run_id: row.parent_run_id for row in result.invocations}
    for one in events:
        origin = one.origin
        assert origin.session_id == (result.session_id or result.run_id)
        is_root = origin.agent_call_id == root.agent_call_id
        assert is_root == (origin.parent_agent_call_id is None) == (origin.parent_tool_call_id is None)
        assert is_root == (origin.run_id == result.run_id) or origin.run_id in runs


def _check_bill(events: Sequence[EventYield], result: ActorResult[Any]) -> None:
    started = [one.event.invocation_id for one in events if isinstance(one.event, LLMCallStartEvent)]
    assert started == [row.id for row in result.invocations if row.provider != "tool"]
    rows = {row.id: row.to_dict() for row in result.invocations}
    for one in events:
        if isinstance(one.event, CustomEvent) and one.event.event_name == "usage":
            data = one.event.data
            assert rows[data["row"]["id"]]["prompt_tokens"] == data["row"]["prompt_tokens"]
            assert set(data["spent"]) == {*USAGE, "cost"} and set(data["remaining"]) <= {"tokens", "cost", "budgets"}
