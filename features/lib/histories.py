"""Histories in a shorthand, generated ones, and results that travel through JSON."""

from __future__ import annotations

import contextlib
import gc
import json
import weakref
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    HumanMessageChunk,
    SystemMessage,
    ToolMessage,
)

from cleveractors import (
    ActorResult,
    LimitReached,
    ScriptedChatModel,
    create_executor,
    dump_messages,
    load_messages,
    result_of,
)
from cleveractors.history import read_history
from cleveractors.testing import StatusFault, Turn, call
from features.lib.bench import Bench, get_weather
from features.lib.outputs import City
from features.lib.pairing import pairing_faults

# The shorthand: u, s, a, e (an empty answer), a:1,2 (calls; - has no id), b (a broken call), t:1 (a result),
# t:1! (a failed one).


def messages_of(written: str) -> list[BaseMessage]:
    """A history written in the shorthand."""
    return [_message(word, place) for place, word in enumerate(written.split())]


def _message(word: str, place: int) -> BaseMessage:
    kind, _, rest = word.partition(":")
    if kind == "t":
        failed = rest.endswith("!")
        text, status = ("failed", "error") if failed else (f"result {place}", "success")
        return ToolMessage(text, tool_call_id=rest.rstrip("!").replace("-", ""), status=cast("Any", status))
    if kind == "u":
        return HumanMessage(f"question {place}")
    if kind == "s":
        return SystemMessage("be kind")
    names, _, broken = rest.partition("+")
    ids = [None if name == "-" else name for name in names.split(",") if name]
    calls = [call("look", id=one, n=n) for n, one in enumerate(ids, 1)]
    invalid = [{"name": "look", "args": "{", "id": "7", "error": "no JSON", "type": "invalid_tool_call"}]
    return AIMessage(
        "" if kind in "eb" or calls else f"answer {place}",
        tool_calls=[
            {"name": one.name, "args": dict(one.arguments), "id": one.id, "type": "tool_call"} for one in calls
        ],
        invalid_tool_calls=cast("Any", invalid if kind == "b" or broken else []),
    )


def shorthand(messages: Sequence[BaseMessage]) -> str:
    """Messages in the shorthand; ids of the library's own are x, y … in order."""
    new: dict[str, str] = {}

    def named(call_id: str | None) -> str:
        known = str(call_id or "-")
        return known if len(known) < 3 else new.setdefault(known, _letter(len(new)))

    words: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            words.append(f"t:{named(message.tool_call_id)}{'!' if message.status == 'error' else ''}")
        elif isinstance(message, AIMessage):
            words.append("a:" + ",".join(named(one["id"]) for one in message.tool_calls) if message.tool_calls else "a")
        else:
            words.append({"human": "u", "system": "s"}[message.type])
    return " ".join(words)


def _letter(place: int) -> str:
    return "xyz"[place] if place < 3 else f"x{place}"


def check_mixtures(written: str) -> None:
    """Messages, dicts, chunks and LangChain's message of any role are read alike."""
    plain = messages_of(written)
    expected = shorthand(read_history(plain)[0])
    for forms in (_as_dict, _as_chunk, _as_chat), (_as_chunk, _as_dict, _as_chat):
        mixed = [forms[place % 3](message) for place, message in enumerate(plain)]
        found, repairs = read_history(mixed)
        assert shorthand(found) == expected and not repairs, (shorthand(found), repairs)
        assert not any(type(message).__name__.endswith("Chunk") for message in found)
        load_messages(dump_messages(found))


def _as_dict(message: BaseMessage) -> Any:
    return dump_messages([message])[0]


def _as_chunk(message: BaseMessage) -> Any:
    if isinstance(message, HumanMessage):
        return HumanMessageChunk(content=message.content)
    if isinstance(message, AIMessage):
        pieces = [
            {
                "name": one["name"],
                "args": json.dumps(one["args"]),
                "id": one["id"],
                "index": place,
                "type": "tool_call_chunk",
            }
            for place, one in enumerate(message.tool_calls)
        ]
        return AIMessageChunk(content=message.content, tool_call_chunks=cast("Any", pieces))
    return message


def _as_chat(message: BaseMessage) -> Any:
    return ChatMessage(role="user", content=message.content) if isinstance(message, HumanMessage) else message


IDS = st.sampled_from(["1", "2", "3", "", None])
WORDS = st.one_of(
    st.sampled_from(["u", "s", "a", "e", "b", "a:1+b"]),
    st.lists(st.sampled_from("123-"), min_size=1, max_size=3).map(lambda ids: "a:" + ",".join(ids)),
    st.sampled_from("123-").map(lambda one: f"t:{one}"),
    st.sampled_from("123").map(lambda one: f"t:{one}!"),
)


def check_generated(count: int) -> None:
    """Any sequence of messages is a valid history once it was read."""

    @settings(max_examples=count)
    @given(st.lists(WORDS, max_size=14).map(" ".join))
    def check(written: str) -> None:
        found, _ = read_history(messages_of(written))
        faults = list(pairing_faults(found))
        assert not faults, (written, faults)
        again, repairs = read_history(dump_messages(found))
        assert not repairs and shorthand(again) == shorthand(found), (written, repairs)

    check()


# Inverses

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def _part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _asked(name: str, args: dict[str, Any], call_id: str | None) -> dict[str, Any]:
    return {"name": name, "args": args, "id": call_id, "type": "tool_call"}


TEXTS: st.SearchStrategy[Any] = st.text() | st.lists(st.builds(_part, st.text()), min_size=1, max_size=2)
NAMES = st.none() | st.text(min_size=1)
CALLS = st.lists(
    st.builds(
        _asked,
        st.text(min_size=1),
        st.dictionaries(st.text(), JSON, max_size=3),
        st.none() | st.text(min_size=1),
    ),
    max_size=3,
)
EXTRA: st.SearchStrategy[dict[str, Any]] = st.builds(dict[str, Any]) | st.fixed_dictionaries({"refusal": st.text()})
MESSAGES = st.one_of(
    st.builds(HumanMessage, content=TEXTS, name=NAMES),
    st.builds(SystemMessage, content=TEXTS, name=NAMES),
    st.builds(AIMessage, content=TEXTS, name=NAMES, tool_calls=CALLS, additional_kwargs=EXTRA),
    st.builds(
        ToolMessage,
        content=TEXTS,
        name=NAMES,
        tool_call_id=st.text(min_size=1),
        status=st.sampled_from(["success", "error"]),
    ),
)


def check_inverses(count: int) -> None:
    """Through JSON and back, both ways."""

    @settings(max_examples=count)
    @given(st.lists(MESSAGES, max_size=5))
    def check(messages: list[BaseMessage]) -> None:
        dumped = json.loads(json.dumps(dump_messages(messages)))
        loaded = load_messages(dumped)
        assert loaded == messages, (loaded, messages)
        assert dump_messages(loaded) == dumped

    check()


# Results


async def make_result(bench: Bench, kind: str) -> ActorResult[Any]:
    """A result of a certain kind."""
    usage: dict[str, Any] = {"prompt_tokens": 120, "completion_tokens": 9}
    script: dict[str, list[Any]] = {
        "an answered run": [Turn(calls=[("get_weather", {"city": "Paris"})], **usage), Turn("Rain.", **usage)],
        "a failed run": [StatusFault(400)],
        "an unmeasured run": [Turn("Rain.", usage="never")],
        "a priced run": [Turn("Rain.", cached_tokens=20, **usage)],
        "a typed answer": [Turn('{"name": "Paris", "rain": true}', **usage)],
        "a failed wrap-up": [Turn(calls=[("get_weather", {"city": "Paris"})], **usage), StatusFault(400)],
    }
    bench.provider.script(*script[kind])
    bench.declare(["get_weather"])
    bench.keys["tool_max_rounds"] = 0 if kind == "a failed wrap-up" else 5
    if kind == "a priced run":
        bench.options["prices"] = {"gpt-4o-mini": {"prompt": "0.15", "completion": "0.6", "cached": "0.07"}}
    options: dict[str, Any] = {"output_type": City} if kind == "a typed answer" else {}
    try:
        return await bench.ask(tenant="t1", metadata={"plan": "pro"}, history=messages_of("u a:1"), **options)
    except Exception as error:
        found = result_of(error)
        assert found is not None
        return found


def check_travels(result: ActorResult[Any]) -> None:
    """What a host stores can be read again, and written alike."""
    written = json.loads(json.dumps(result.to_dict()))
    read = ActorResult.from_dict(written)
    assert read.to_dict() == written
    for name in (
        "prompt_tokens",
        "completion_tokens",
        "cost",
        "invocations",
        "repairs",
        "stop_reason",
        "exact",
        "tenant",
    ):
        assert getattr(read, name) == getattr(result, name), name
    assert shorthand(read.messages) == shorthand(result.messages)
    assert shorthand(read.new_messages) == shorthand(result.new_messages)
    assert str(read.error) == str(result.error), (read.error, result.error)
    assert result.cost is None or (type(read.cost) is Decimal and read.cost > 0)


def refusal_of_version(version: int) -> str:
    """What is said to a result of another version."""
    values = {**ActorResult(response="", output="", stop_reason="completed").to_dict(), "version": version}
    try:
        ActorResult.from_dict(values)
    except ValueError as error:
        return str(error)
    raise AssertionError("it was read")


def raises_for(reason: str) -> bool:
    """Whether `raise_for_stop` raises, and rightly."""
    result = ActorResult(response="", output="", stop_reason=cast("Any", reason), stop_detail="because")
    try:
        result.raise_for_stop()
    except LimitReached as error:
        assert error.reason == reason and "because" in str(error)
        return True
    return False


async def check_lifetimes() -> None:
    """A host may keep results for ever."""
    kept: list[ActorResult[Any]] = []
    wraps: list[Any] = [call("get_weather", city="Paris"), lambda: RuntimeError("no")]
    for turns, rounds in (["Yes."], 5), ([lambda: RuntimeError("boom")], 5), (wraps, 0):
        executor = create_executor(
            {"provider": "house", "model": "h", "tools": ["get_weather"], "tool_max_rounds": rounds},
            tools=[get_weather],
            models={"house": ScriptedChatModel(turns)},
            on_result=kept.append,
        )
        with contextlib.suppress(RuntimeError):
            await executor.execute("?")
        await executor.aclose()
        alive = weakref.ref(executor)
        del executor
        gc.collect()
        assert alive() is None, (turns, kept[-1])
    assert [one.stop_reason for one in kept] == ["completed", "error", "max_rounds"]
    assert [str(one.error or "") for one in kept] == ["", "boom", "no"]
