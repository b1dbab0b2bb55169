"""What a model is sent and answers, by our way and by LangChain's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from cleveractors.models.asking import ask
from features.lib.direct import Plain

__all__ = ["compare_messages"]


class Telling(Plain):
    """Tells what it was given beside its answer, and keeps what it was sent."""

    told: dict[str, Any]
    sent: list[Any] = Field(default_factory=list)

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        self.sent.append([message.content for message in messages])
        told = self.told
        message = AIMessage(told["text"], id=told["id"], response_metadata=dict(told["metadata"]))
        one = ChatGeneration(message=message, generation_info=told["info"])
        return ChatResult(generations=[one] * told["count"], llm_output=told["output"])


_NAMES = ["finish_reason", "model_name", "lc_gateway_metadata", "other"]
_facts = st.dictionaries(st.sampled_from(_NAMES), st.text(max_size=5), max_size=3)
_told = st.fixed_dictionaries(
    {
        "text": st.text(max_size=8),
        "id": st.none() | st.just("own"),
        "metadata": _facts,
        "info": st.none() | _facts,
        "output": st.none() | _facts,
        "count": st.integers(1, 2),
    }
)
_PARTS: list[dict[str, Any]] = [
    {"type": "text", "text": "What is this?"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
    {"type": "input_audio", "input_audio": {"data": "aGk=", "format": "wav"}},
    {"type": "file", "file": {"file_data": "data:application/pdf;base64,aGk=", "filename": "a.pdf"}},
    {"type": "image", "source_type": "base64", "data": "aGk=", "mime_type": "image/png"},
]
_content = st.text(max_size=8) | st.lists(st.sampled_from(_PARTS), min_size=1, max_size=3)


def compare_messages() -> None:
    """Ask by both ways, whatever the model tells and is asked."""

    @settings(max_examples=100, deadline=None)
    @given(_told, _content)
    def alike(told: dict[str, Any], content: Any) -> None:
        model, question = Telling(told=told), HumanMessage(content)

        async def both() -> Sequence[BaseMessage]:
            return await model.ainvoke([question]), await ask(model, [question], {})

        theirs, ours = asyncio.run(both())
        for message in (theirs, ours):
            if told["id"] is None:
                assert message.id is not None and message.id.startswith("lc_run--"), message
                message.id = None
        assert ours == theirs
        assert _without_ids(model.sent[0]) == _without_ids(model.sent[1])

    alike()


def _without_ids(sent: list[Any]) -> list[Any]:
    """LangChain gives parts that it writes anew an id of their own each time."""
    return [content if isinstance(content, str) else [{**part, "id": None} for part in content] for content in sent]
