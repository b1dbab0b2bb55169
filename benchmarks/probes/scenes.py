"""What the provider does in each probe; every call costs 100 tokens of prompt and 10 of answer, but for the ceiling."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cleveractors.testing import Call, Gate, RecordedRequest, ScriptedProvider, StatusFault, Turn

__all__ = ["SCENES", "WORDS", "Scene"]

WORDS = "All that I have seen is fine."
"""The model's last words, in every probe."""

AT_ONCE = 2.0
"""Seconds within which a connection has to be closed after its reader has left."""


@dataclass
class Scene:
    """A provider at a probe, and what it saw: `closed` is the moment by which its connection was closed."""

    provider: ScriptedProvider
    gate: Gate = field(default_factory=Gate)
    closed: str = ""

    async def reach(self, moment: str) -> None:
        """Wait until a moment has come, or look at what it has brought."""
        if moment == "third call":
            await self.gate.wait_reached_async(timeout=60)
        elif not self.closed:
            with suppress(TimeoutError):
                await self.provider.wait_closed_async(AT_ONCE)
                self.closed = moment

    def results(self) -> list[str]:
        """What the model was told by tools in the second call."""
        requests = self.provider.requests
        if len(requests) < 2:
            return []
        return [str(message["content"]) for message in requests[1].messages if message["role"] == "tool"]


def _turn(text: str | None = None, **options: Any) -> Turn:
    return Turn(text, **{"prompt_tokens": 100, "completion_tokens": 10, **options})


def _look(what: str) -> Turn:
    return _turn(calls=[("look", {"what": what})])


def _paid_on_error(scene: Scene) -> None:
    scene.provider.script(_look("a"), _look("b"), StatusFault(400))


def _paid_on_cancel(scene: Scene) -> None:
    scene.provider.script(_look("a"), _look("b"), _turn(WORDS, hold_before=scene.gate))


def _leaving(scene: Scene) -> None:
    text = "word " * 20
    scene.provider.script(_turn(text, chunks=20, hold_after_chunk=(5, scene.gate)))


def _ceiling(scene: Scene) -> None:
    turn = Turn("word " * 100, prompt_tokens=900, completion_tokens=100, honour_cap=True, delay=0.5)
    scene.provider.script_forever(turn)


def _rounds(scene: Scene) -> None:
    def answer(request: RecordedRequest) -> Turn:
        told = str(request.messages[-1].get("content"))
        if "limit" in told:
            return _turn(WORDS)
        if request.tool_choice == "none" or not request.tools:
            return _turn(WORDS)
        return _look(f"thing {request.order}")

    scene.provider.respond(answer)


def _not_json(scene: Scene) -> None:
    scene.provider.script(_turn(calls=[Call("look", '{"what": "a')]))
    scene.provider.script_forever(_turn(WORDS))


def _one_raises(scene: Scene) -> None:
    calls = [("look", {"what": what}) for what in ("a", "broken", "b")]
    scene.provider.script(_turn(calls=calls), _turn(WORDS))


def _same_ids(scene: Scene) -> None:
    calls = [Call("look", {"what": what}, id="call_1") for what in ("a", "b")]
    scene.provider.script(_turn(calls=calls), _turn(WORDS))


def _sub_agent(scene: Scene) -> None:
    def lead(request: RecordedRequest) -> Turn:
        if any(message["role"] == "tool" for message in request.messages):
            return _turn(WORDS)
        function = (request.tools or [])[0]["function"]
        names = function["parameters"].get("required", [])
        arguments = {name: "helper" if name == "member_id" else "look at everything" for name in names}
        return _turn(calls=[(function["name"], arguments)])

    scene.provider.respond(lead, model="lead")
    scene.provider.script_forever(_turn("It is fine."), model="helper")


def _no_usage(scene: Scene) -> None:
    zero = Turn(WORDS, prompt_tokens=0, completion_tokens=0)
    scene.provider.script(_look("a"), _turn(WORDS, usage="never"), _look("a"), zero)


SCENES = {
    "paid_on_error": _paid_on_error,
    "paid_on_cancel": _paid_on_cancel,
    "leaving": _leaving,
    "ceiling": _ceiling,
    "rounds": _rounds,
    "not_json": _not_json,
    "one_raises": _one_raises,
    "same_ids": _same_ids,
    "sub_agent": _sub_agent,
    "no_usage": _no_usage,
}
