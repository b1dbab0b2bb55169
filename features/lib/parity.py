"""Scripts of a model, generated, and the faces that must tell the same of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from cleveractors import (
    ActorResult,
    LLMAgent,
    ScriptedChatModel,
    TokenUsage,
    create_executor,
    last_token_usage_var,
    result_of,
)
from cleveractors.testing import ScriptedCall, ScriptedTurn
from features.lib.agent_steps import tokens_of
from features.lib.bench import get_weather
from features.lib.histories import shorthand
from features.lib.world import World

KEYS: dict[str, Any] = {
    "provider": "house",
    "model": "h",
    "tool_max_rounds": 3,
    "max_repeated_calls": 2,
    "retry": {"attempts": 2, "initial": 0, "maximum": 0},
}


async def shout(text: str) -> str:
    """Shouts; not everything can be shouted."""
    if text == "boom":
        raise RuntimeError("boom")
    return text.upper()


class Refused(Exception):
    """A provider's error."""

    status_code = 400


class Overloaded(Exception):
    """A provider's error that may pass."""

    status_code = 503


TEXTS = st.sampled_from(["", "Yes.", "It rains.\n\nA lot.", "…", "  "])
CALLS = st.one_of(
    st.builds(
        ScriptedCall, st.just("get_weather"), st.fixed_dictionaries({"city": st.sampled_from(["Paris", "Oslo"])})
    ),
    st.builds(ScriptedCall, st.just("shout"), st.fixed_dictionaries({"text": st.sampled_from(["hi", "boom"])})),
    st.builds(ScriptedCall, st.just("get_weather"), st.just({}), raw=st.sampled_from(["{", "[]", "5", "", "null"])),
    st.builds(ScriptedCall, st.just("no_such_tool"), st.just({})),
    st.builds(ScriptedCall, st.just("shout"), st.just({"text": "hi"}), id=st.sampled_from(["same", "other"])),
)
TURNS = st.one_of(
    st.builds(
        ScriptedTurn,
        text=TEXTS,
        calls=st.lists(CALLS, max_size=3),
        usage=st.one_of(st.just("counted"), st.none(), st.tuples(st.integers(1, 99), st.integers(1, 99))),
        finish_reason=st.sampled_from([None, None, None, "length", "content_filter", "stop"]),
    ),
    st.sampled_from([lambda: Refused("no"), lambda: Overloaded("not now")]),
)
SCRIPTS = st.lists(TURNS, min_size=1, max_size=6)


@dataclass(frozen=True)
class Told:
    """What one face told of a run."""

    texts: tuple[str, ...]
    error: str | None
    result: ActorResult[Any] | None
    usage: TokenUsage | None

    def facts(self) -> dict[str, Any]:
        """What must not depend on the face."""
        result = self.result
        if result is None:
            return {"error": self.error, "usage": self.usage}
        rows = [
            (row.state, row.purpose, row.outcome, row.prompt_tokens, row.completion_tokens, row.round, row.attempt)
            for row in result.invocations
        ]
        return {
            "response": result.response,
            "stop": (result.stop_reason, result.finish_reason),
            "detail": re.sub(r"[\d.]+ s", "", result.stop_detail),
            "history": shorthand(result.messages),
            # LangChain does not keep the order between calls that can be read and those that can't.
            "said": sorted(message.text for message in result.messages),
            "rows": rows,
            "counts": (result.rounds, result.tool_calls, result.unmeasured_calls, result.synthesis_was_run),
            "error": self.error,
            "usage": self.usage,
        }


def model_of(script: list[Any], *, ending: str = "The end.") -> ScriptedChatModel:
    """A model that plays a script and then always answers."""
    turns = iter(script)
    return ScriptedChatModel(lambda: next(turns, ending))


Faces = dict[str, Callable[[list[Any]], Any]]


def faces_of(world: World, tools: list[Any]) -> Faces:
    """Every way to ask an executor, or its agent."""
    actor = {**KEYS, "tools": [one.__name__ for one in tools]}
    executor = create_executor(actor, tools=tools, models={"house": ScriptedChatModel([])})
    world.defer(executor.aclose)

    async def blocking(script: list[Any]) -> Told:
        return await _tell(lambda: executor.execute("?", model=model_of(script)), None)

    def streaming(mode: Any) -> Callable[[list[Any]], Any]:
        async def ask(script: list[Any]) -> Told:
            stream = executor.execute_stream("?", model=model_of(script), streaming=mode)
            texts: list[str] = []

            async def read() -> ActorResult[Any] | None:
                async for text in stream:
                    texts.append(text)
                return stream.result

            return await _tell(read, texts)

        return ask

    return {"execute": blocking, "answer": streaming("answer"), "tokens": streaming("tokens")}


async def _tell(work: Callable[[], Any], texts: list[str] | None) -> Told:
    error = result = None
    try:
        result = await work()
    except (Refused, Overloaded) as caught:
        error, result = repr(caught), result_of(caught)
    return Told(tuple(texts or ()), error, result, last_token_usage_var.get())


async def by_agent(script: list[Any], tools: list[Any], *, streamed: bool) -> tuple[str, str | None, TokenUsage | None]:
    """The agent's own faces, without an executor."""
    agent = LLMAgent({**KEYS, "streaming": "tokens"}, model=model_of(script), tools=tools)
    error, text = None, ""
    try:
        if streamed:
            text = "".join([piece async for piece in agent.stream_message("?")])
        else:
            text = await agent.process_message("?")
    except (Refused, Overloaded) as caught:
        error = repr(caught)
    return text, error, cast("TokenUsage | None", tokens_of(agent))


def check_faces(world: World, count: int, *, with_tools: bool) -> None:
    """One story on all faces."""
    tools = [get_weather, shout] if with_tools else []
    faces = faces_of(world, tools)

    async def check_one(script: list[Any]) -> None:
        told = {name: await face(list(script)) for name, face in faces.items()}
        first = told["execute"].facts()
        for name, one in told.items():
            assert one.facts() == first, f"{name}: {one.facts()}\nexecute: {first}"
        if with_tools and told["answer"].error is None:
            assert told["answer"].texts == (first["response"],), told["answer"].texts
        text, error, usage = await by_agent(list(script), tools, streamed=False)
        assert (error, usage) == (first["error"], first["usage"]), (error, usage, first)
        assert error is not None or text == first["response"], (text, first)
        _, error, usage = await by_agent(list(script), tools, streamed=True)
        assert (error, usage) == (first["error"], first["usage"]), (error, usage, first)

    @settings(max_examples=count)
    @given(SCRIPTS)
    def check(script: list[Any]) -> None:
        world.run(check_one(script))

    check()


def check_texts(world: World, count: int) -> None:
    """Every text that the model said, parted by blank lines; after them a sentence of ours, if it said no answer."""
    face = faces_of(world, [get_weather, shout])["tokens"]

    async def check_one(script: list[Any]) -> None:
        told: Told = await face(list(script))
        if told.error is not None or told.result is None:
            return
        said = [one.text for one in told.result.messages if isinstance(one, AIMessage) and one.text.strip()]
        assert "".join(told.texts) == "\n\n".join(said), (told.texts, said)
        assert told.result.response == said[-1]

    @settings(max_examples=count)
    @given(SCRIPTS)
    def check(script: list[Any]) -> None:
        world.run(check_one(script))

    check()
