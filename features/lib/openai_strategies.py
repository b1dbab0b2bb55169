"""Generated conversations, parameters and answers for the OpenAI models."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call

Strategy = st.SearchStrategy[Any]
Json = dict[str, Any]

texts = st.text(max_size=40)
names = st.from_regex(r"[A-Za-z0-9_-]{1,12}", fullmatch=True)
_scalars: Strategy = st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), texts)


def _nested(inner: Strategy) -> Strategy:
    return st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3))


json_values: Strategy = st.recursive(_scalars, _nested)
objects: st.SearchStrategy[Json] = st.dictionaries(texts, json_values, max_size=3)


@st.composite
def parts(draw: st.DrawFn, audio: bool = True) -> Json:
    """One part of a content."""
    kinds: list[Json] = [
        {"type": "text", "text": draw(texts)},
        {"type": "image_url", "image_url": {"url": draw(texts), "detail": "low"}},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "image", "source_type": "url", "url": "https://example.com/a.png"},
    ]
    # LangChain gives an assistant's audio part a random id at each conversion: nothing to compare.
    recorded: list[Json] = [{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}] if audio else []
    return draw(st.sampled_from([*kinds, *recorded]))


contents: Strategy = st.one_of(texts, st.lists(parts(), min_size=1, max_size=3))
_extras: list[Json] = [
    {},
    {"refusal": "no"},
    {"function_call": {"name": "f", "arguments": "{}"}},
    {"audio": {"id": "a1"}},
]


@st.composite
def assistants(draw: st.DrawFn) -> AIMessage:
    """What the model said, with calls good and bad."""
    good = [tool_call(name=draw(names), args=draw(objects), id=draw(names)) for _ in range(draw(st.integers(0, 3)))]
    bad = [
        invalid_tool_call(name=draw(names), args=draw(texts), id=draw(names), error="x")
        for _ in range(draw(st.integers(0, 1)))
    ]
    content: Any = draw(st.one_of(texts, st.lists(parts(audio=False), max_size=2)))
    return AIMessage(content, tool_calls=good, invalid_tool_calls=bad, additional_kwargs=draw(st.sampled_from(_extras)))


@st.composite
def messages(draw: st.DrawFn) -> BaseMessage:
    """A message of any role."""
    match draw(st.sampled_from(["user", "system", "developer", "role", "tool", "assistant"])):
        case "user":
            return HumanMessage(draw(contents), name=draw(st.none() | names))
        case "system":
            return SystemMessage(draw(contents))
        case "developer":
            return SystemMessage(draw(texts), additional_kwargs={"__openai_role__": "developer"})
        case "role":
            return ChatMessage(content=draw(texts), role=draw(st.sampled_from(["user", "system", "assistant"])))
        case "tool":
            return ToolMessage(draw(contents), tool_call_id=draw(names))
        case _:
            return draw(assistants())


conversations = st.lists(messages(), min_size=1, max_size=6)


def _some(**strategies: Strategy) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries({}, optional=strategies)


parameters = _some(
    temperature=st.floats(0, 2),
    top_p=st.floats(0, 1),
    max_tokens=st.integers(1, 10**6),
    stop=st.one_of(texts, st.lists(texts, max_size=3)),
    seed=st.integers(0, 2**31),
    presence_penalty=st.floats(-2, 2),
    frequency_penalty=st.floats(-2, 2),
    reasoning_effort=st.sampled_from(["low", "medium", "high"]),
)


@st.composite
def tools(draw: st.DrawFn) -> Json:
    """One tool, as OpenAI is told of it."""
    function: Json = {"name": draw(names), "description": draw(texts), "parameters": draw(objects)}
    return {"type": "function", "function": {**function, **({"strict": True} if draw(st.booleans()) else {})}}


_choices: list[Any] = ["auto", "none", "required", {"type": "function", "function": {"name": "f"}}]
options = _some(
    tools=st.lists(tools(), min_size=1, max_size=2),
    tool_choice=st.sampled_from(_choices),
    parallel_tool_calls=st.booleans(),
    stop=st.lists(texts, max_size=2),
    max_tokens=st.integers(1, 9999),
    extra_body=st.dictionaries(
        st.sampled_from(["top_k", "provider", "seed", "model", "tools", "messages"]), json_values
    ),
    service_tier=st.sampled_from(["auto", "flex"]),
    prompt_cache_key=texts,
    top_logprobs=st.integers(0, 20),
    user=names,
    logit_bias=st.dictionaries(st.just("50256"), st.integers(-100, 100)),
    logprobs=st.booleans(),
    extra_headers=st.just({"X-Trace": "1"}),
    timeout=st.just(7.0),
)


@st.composite
def usages(draw: st.DrawFn) -> Json:
    """What a provider tells of an answer's cost."""
    prompt, completion, cached = draw(st.integers(1, 9999)), draw(st.integers(0, 9999)), draw(st.none() | st.just(1))
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": None if cached is None else {"cached_tokens": cached, "audio_tokens": 0},
        "completion_tokens_details": draw(st.sampled_from([None, {"reasoning_tokens": 3}])),
    }


@st.composite
def answered_calls(draw: st.DrawFn) -> list[Json]:
    """The calls of an answer, their ids unique, their arguments objects or broken."""
    ids = draw(st.lists(names, max_size=3, unique=True))
    sound = objects.map(lambda value: json.dumps(value, ensure_ascii=False))
    broken = st.sampled_from(['{"a":', "{}x", "nope"])
    functions = [{"name": draw(names), "arguments": draw(st.one_of(sound, broken))} for _ in ids]
    return [
        {"id": call_id, "type": "function", "function": function}
        for call_id, function in zip(ids, functions, strict=True)
    ]


@st.composite
def answers(draw: st.DrawFn) -> Json:
    """A whole chat completion as a server sends it."""
    message: Json = {"role": "assistant", "content": draw(st.none() | texts), "refusal": draw(st.none() | texts)}
    if called := draw(answered_calls()):
        message["tool_calls"] = called
    reason = draw(st.sampled_from(["stop", "length", "tool_calls", "content_filter"]))
    tier = draw(st.sampled_from([None, "default", "flex"]))
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m-2024",
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
        "usage": draw(usages()),
        **({"service_tier": tier} if tier else {}),
    }


def as_stream(answer: Json, size: int) -> list[Json]:
    """The same answer as the chunks of a stream, its texts in pieces of `size` characters."""
    message = answer["choices"][0]["message"]
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in _pieces(message["content"] or "", size)]
    for index, call in enumerate(message.get("tool_calls", [])):
        function = call["function"]
        named = {"name": function["name"], "arguments": ""}
        head: Json = {"index": index, "id": call["id"], "type": "function", "function": named}
        tail = [{"index": index, "function": {"arguments": piece}} for piece in _pieces(function["arguments"], size)]
        deltas += [{"tool_calls": [fragment]} for fragment in [head, *tail]]
    choices: list[Json] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": answer["choices"][0]["finish_reason"]})
    base = {key: answer[key] for key in ("id", "created", "model", "service_tier") if key in answer}
    base["object"] = "chat.completion.chunk"
    chunks = [{**base, "choices": [choice], "usage": None} for choice in choices]
    return [*chunks, {**base, "choices": [], "usage": answer["usage"]}]


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
