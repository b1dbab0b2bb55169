"""What a type checker must make of a host's code that reads events; it is checked, never run."""

from collections.abc import AsyncIterator
from typing import Any, assert_never, assert_type

from langchain_core.messages import AIMessage

from cleveractors import (
    AbortSignal,
    CustomEvent,
    EventOrigin,
    EventYield,
    Executor,
    LLMCallEndEvent,
    LLMCallErrorEvent,
    LLMCallStartEvent,
    LLMChunkArriveEvent,
    ReactEndEvent,
    ReActEvent,
    ReactIterationEndEvent,
    ReactIterationStartEvent,
    ReactOutput,
    ReactStartEvent,
    ResponseYield,
    RunStream,
    ToolCallArgumentsDeltaEvent,
    ToolCallEndEvent,
    ToolCallErrorEvent,
    ToolCallsBatchEndEvent,
    ToolCallsBatchStartEvent,
    ToolCallStartEvent,
    ToolEventEmitter,
    events_only,
    filter_events,
    is_event_yield,
    is_response_yield,
    responses_only,
    with_event_observer,
)


def told(event: ReActEvent) -> str:
    """Every class of event by its fields."""
    match event:
        case ReactStartEvent() | ToolCallsBatchEndEvent():
            return str(event.event_type)
        case ReactIterationStartEvent(iteration=number) | ReactIterationEndEvent(iteration=number):
            return str(assert_type(number, int))
        case ReactEndEvent(stop_reason=reason, usage=usage):
            return f"{assert_type(reason, str)} {assert_type(usage, dict[str, int])}"
        case LLMCallStartEvent(purpose=purpose, attempt=attempt):
            return assert_type(purpose, str) + str(assert_type(attempt, int))
        case LLMChunkArriveEvent(text=text, chunk_index=index):
            return assert_type(text, str) + str(assert_type(index, int))
        case LLMCallEndEvent(response=response, execution_time=seconds, usage=usage):
            return assert_type(response, AIMessage).text + str(assert_type(seconds, float)) + str(usage)
        case LLMCallErrorEvent(will_retry=again):
            return str(assert_type(again, bool))
        case ToolCallsBatchStartEvent(tool_calls=calls):
            return str(assert_type(calls, list[dict[str, Any]]))
        case ToolCallStartEvent(tool_name=name, arguments=arguments):
            return assert_type(name, str) + str(assert_type(arguments, dict[str, Any]))
        case ToolCallArgumentsDeltaEvent(argname=name, argcontent_delta=delta):
            return assert_type(name, str) + assert_type(delta, str)
        case ToolCallEndEvent(success=success):
            return str(assert_type(success, bool))
        case ToolCallErrorEvent(error=error):
            return assert_type(error, str)
        case CustomEvent(event_name=name, data=data):
            return assert_type(name, str) + str(assert_type(data, dict[str, Any]))
        case _:
            return ""


def either(output: ReactOutput) -> None:
    """Both outputs, and nothing else."""
    match output:
        case EventYield(event=event, origin=origin):
            assert_type(event, ReActEvent)
            assert_type(origin, EventOrigin)
        case ResponseYield():
            assert_type(output, ResponseYield)
        case _:
            assert_never(output)


def guarded(output: ReactOutput) -> None:
    """The guards narrow both ways."""
    if is_event_yield(output):
        assert_type(output, EventYield)
    else:
        assert_type(output, ResponseYield)
    if is_response_yield(output):
        assert_type(output, ResponseYield)
    else:
        assert_type(output, EventYield)


async def filtered(executor: Executor) -> None:
    """Streams, and parts of them."""
    signal = AbortSignal()
    assert_type(executor.execute_events("Hi", stream=True, _abort_signal=signal), RunStream[ReactOutput])
    async for output in executor.execute_events("Hi", abort_signal=signal):
        assert_type(output, ReactOutput)
    async for response in responses_only(executor.execute_events("Hi")):
        assert_type(response, ResponseYield)
    async for one in events_only(executor.execute_events("Hi")):
        assert_type(one, EventYield)
    async for one in filter_events(executor.execute_events("Hi"), CustomEvent, ReactEndEvent):
        assert_type(one, EventYield)


def observe(event: ReActEvent, origin: EventOrigin) -> None:
    """A sync observer."""


async def observe_async(event: ReActEvent, origin: EventOrigin) -> None:
    """An async one."""


@with_event_observer(observe)
async def watched(executor: Executor, message: str) -> AsyncIterator[ReactOutput]:
    """A generator that is watched."""
    async for output in executor.execute_events(message):
        yield output


@with_event_observer(observe_async)
async def watched_too(executor: Executor) -> AsyncIterator[ReactOutput]:
    """Likewise."""
    async for output in watched(executor, "Hi"):
        yield assert_type(output, ReactOutput)


async def tool(word: str, emitter: ToolEventEmitter) -> str:
    """A tool that talks."""
    await emitter.emit("progress", {"done": 0.5})
    await emitter.emit(CustomEvent("progress", {"done": 1.0}))
    emitter.emit_sync("progress")
    return word
