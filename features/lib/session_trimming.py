"""Conversations that are trimmed, drawn ones too."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage

from cleveractors.sessions import trim
from features.lib.histories import messages_of


def check_trimming(count: int) -> None:
    """What is kept are whole turns from some user's message on, and one more would pass a bound."""
    words = st.sampled_from(["u a", "u a:1 t:1 a", "u u a", "u a:1,2 t:1 t:2 a"])
    bounds = st.none() | st.integers(0, 400)

    @settings(max_examples=count)
    @given(st.lists(words, max_size=6).map(" ".join), bounds, st.none() | st.integers(0, 6))
    def hold(written: str, tokens: int | None, turns: int | None) -> None:
        _check_trimmed(messages_of(written), tokens, turns)

    hold()


def _check_trimmed(messages: list[BaseMessage], tokens: int | None, turns: int | None) -> None:
    kept = trim(messages, tokens, turns)
    starts = [place for place, message in enumerate(messages) if message.type == "human"]
    begin = len(messages) - len(kept)
    assert kept == messages[begin:] and (begin == len(messages) or begin in starts)
    count = sum(message.type == "human" for message in kept)
    assert turns is None or count <= turns
    # The same bounds keep all that was kept, and nothing of one turn more.
    assert trim(kept, tokens, turns) == kept
    earlier = [place for place in starts if place < begin]
    if earlier:
        more = messages[earlier[-1] :]
        assert (turns is not None and count + 1 > turns) or (tokens is not None and trim(more, tokens) != more)


def kept_of(written: str, bounds: dict[str, int]) -> str:
    """What is kept of a conversation in the shorthand, with the words that it had."""
    messages = messages_of(written)
    words = written.split()
    return " ".join(words[len(messages) - len(trim(messages, **bounds)) :])
