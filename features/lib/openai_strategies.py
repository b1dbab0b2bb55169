"""Generated conversations, parameters and answers for the OpenAI models."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call

texts = st.text(max_size=40)
names = st.from_regex(r"[A-Za-z0-9_-]{1,12}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
)
objects = st.dictionaries(texts, json_values, max_size=3)

parts = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": texts}),
    st.fixed_dictionaries(
        {"type": st.just("image_url"), "image_url": st.fixed_dictionaries({"url": texts, "detail": st.just("low")})}
    ),
    st.just({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}),
    st.just({"type": "file", "file": {"file_id": "file-1"}}),
    st.just({"type": "image", "source_type": "url", "url": "https://example.com/a.png"}),
)
# LangChain gives an assistant's audio part a random id at each conversion: nothing to compare.
assistant_parts = parts.filter(lambda part: part["type"] != "input_audio")
contents = texts | st.lists(parts, min_size=1, max_size=3)
calls = st.lists(st.builds(lambda n, a, i: tool_call(name=n, args=a, id=i), names, objects, names), max_size=3)
broken_calls = st.lists(
    st.builds(lambda n, a, i: invalid_tool_call(name=n, args=a, id=i, error="x"), names, texts, names), max_size=1
)


def _assistant(content: Any, good: Any, bad: Any, extras: dict[str, Any]) -> AIMessage:
    return AIMessage(content, tool_calls=good, invalid_tool_calls=bad, additional_kwargs=extras)


extras = st.sampled_from(
    [{}, {}, {"refusal": "no"}, {"function_call": {"name": "f", "arguments": "{}"}}, {"audio": {"id": "a1"}}]
)
messages: st.SearchStrategy[BaseMessage] = st.one_of(
    st.builds(lambda c, n: HumanMessage(c, name=n), contents, st.none() | names),
    st.builds(SystemMessage, contents),
    st.builds(lambda c: SystemMessage(c, additional_kwargs={"__openai_role__": "developer"}), texts),
    st.builds(lambda c, r: ChatMessage(c, role=r), texts, st.sampled_from(["user", "system", "assistant"])),
    st.builds(_assistant, texts | st.lists(assistant_parts, max_size=2), calls, broken_calls, extras),
    st.builds(lambda c, i: ToolMessage(c, tool_call_id=i), contents, names),
)
conversations = st.lists(messages, min_size=1, max_size=6)

parameters = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.floats(0, 2),
        "top_p": st.floats(0, 1),
        "max_tokens": st.integers(1, 10**6),
        "stop": st.lists(texts, max_size=3) | texts,
        "seed": st.integers(0, 2**31),
        "presence_penalty": st.floats(-2, 2),
        "frequency_penalty": st.floats(-2, 2),
        "reasoning_effort": st.sampled_from(["low", "medium", "high"]),
    },
)
tools = st.lists(
    st.builds(
        lambda n, d, p, s: {"type": "function", "function": {"name": n, "description": d, "parameters": p, **s}},
        names,
        texts,
        objects,
        st.sampled_from([{}, {"strict": True}]),
    ),
    min_size=1,
    max_size=2,
)
options = st.fixed_dictionaries(
    {},
    optional={
        "tools": tools,
        "tool_choice": st.sampled_from(["auto", "none", "required", {"type": "function", "function": {"name": "f"}}]),
        "parallel_tool_calls": st.booleans(),
        "stop": st.lists(texts, max_size=2),
        "max_tokens": st.integers(1, 9999),
        "extra_body": st.dictionaries(st.sampled_from(["top_k", "provider", "seed", "model", "tools"]), json_values),
        "service_tier": st.sampled_from(["auto", "flex"]),
        "prompt_cache_key": texts,
        "top_logprobs": st.integers(0, 20),
        "user": names,
        "logit_bias": st.dictionaries(st.just("50256"), st.integers(-100, 100)),
        "logprobs": st.booleans(),
        "extra_headers": st.just({"X-Trace": "1"}),
        "timeout": st.just(7.0),
    },
)

details = st.none() | st.fixed_dictionaries(
    {}, optional={"cached_tokens": st.integers(0, 9), "audio_tokens": st.just(0)}
)
usages = st.builds(
    lambda p, c, d, r: {
        "prompt_tokens": p,
        "completion_tokens": c,
        "total_tokens": p + c,
        "prompt_tokens_details": d,
        "completion_tokens_details": r,
    },
    st.integers(1, 9999),
    st.integers(0, 9999),
    details,
    st.none() | st.just({"reasoning_tokens": 3}),
)
argument_texts = objects.map(lambda value: json.dumps(value, ensure_ascii=False)) | st.sampled_from(
    ['{"a":', "{}x", "nope"]
)
answered_calls = st.lists(
    st.builds(
        lambda i, n, a: {"id": i, "type": "function", "function": {"name": n, "arguments": a}},
        names,
        names,
        argument_texts,
    ),
    max_size=3,
    unique_by=lambda call: call["id"],
)


@st.composite
def answers(draw: st.DrawFn) -> dict[str, Any]:
    """A whole chat completion as a server sends it."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": draw(st.none() | texts),
        "refusal": draw(st.none() | texts),
    }
    if called := draw(answered_calls):
        message["tool_calls"] = called
    reason = draw(st.sampled_from(["stop", "length", "tool_calls", "content_filter"]))
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m-2024",
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
        "usage": draw(usages),
        **draw(st.sampled_from([{}, {"service_tier": "default"}, {"service_tier": "flex"}])),
    }


def as_stream(answer: dict[str, Any], size: int) -> list[dict[str, Any]]:
    """The same answer as the chunks of a stream, its texts in pieces of `size` characters."""
    message = answer["choices"][0]["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in _pieces(message["content"] or "", size)]
    for index, call in enumerate(message.get("tool_calls", [])):
        function = call["function"]
        head = {
            "index": index,
            "id": call["id"],
            "type": "function",
            "function": {"name": function["name"], "arguments": ""},
        }
        tail = [{"index": index, "function": {"arguments": piece}} for piece in _pieces(function["arguments"], size)]
        deltas += [{"tool_calls": [fragment]} for fragment in [head, *tail]]
    base = {key: answer[key] for key in ("id", "created", "model", "service_tier") if key in answer}
    base["object"] = "chat.completion.chunk"
    reason = answer["choices"][0]["finish_reason"]
    chunks = [
        {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}], "usage": None} for delta in deltas
    ]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": None})
    return [*chunks, {**base, "choices": [], "usage": answer["usage"]}]


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
