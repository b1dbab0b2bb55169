"""A scripted provider on loopback for the programs under test, which find it by their environment."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from robot.api.deco import keyword, library

from cleveractors.testing import Gate, ScriptedProvider, Turn
from cleveractors.testing.provider.__main__ import turn_from_json


@library(scope="SUITE")
class Provider:
    """One provider a suite: started by `Start Provider`, stopped by `Stop Provider`."""

    def __init__(self) -> None:
        self._provider = ScriptedProvider()
        self._gates: list[Gate] = []

    @keyword
    def start_provider(self) -> dict[str, str]:
        """Start to listen; return the environment that leads programs there."""
        self._provider.start()
        return {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": self._provider.base_url}

    @keyword
    def stop_provider(self) -> None:
        """Let go what is held, and stop."""
        self.let_provider_go_on()
        self._provider.close()

    @keyword
    def provider_answers(self, *turns: str) -> None:
        """Forget all that was, and answer with these turns, each the JSON of a `Turn`."""
        self._provider.reset()
        self._provider.script(*(turn_from_json(turn) for turn in turns))

    @keyword
    def model_answers(self, model: str, *turns: str) -> None:
        """Answer requests for one model with these turns, each the JSON of a `Turn`, whatever others are asked."""
        self._provider.script(*(turn_from_json(turn) for turn in turns), model=model)

    @keyword
    def provider_holds(self, text: str, after: int | None = None) -> None:
        """Forget all that was, and answer with a text, held back before it, or after so many chunks."""
        self._provider.reset()
        self.and_then_holds(text, after)

    @keyword
    def and_then_holds(self, text: str, after: int | None = None) -> None:
        """Answer the next request with a text that is held back."""
        self._gates.append(gate := Gate())
        place: dict[str, Any] = {"hold_before": gate} if after is None else {"hold_after_chunk": (after, gate)}
        self._provider.script(Turn(text, **place))

    @keyword
    def wait_until_provider_holds(self) -> None:
        """Wait until a request stands at the gate."""
        self._gates[-1].wait_reached()

    @keyword
    def let_provider_go_on(self) -> None:
        """Open every gate."""
        for gate in self._gates:
            gate.open()

    @keyword
    def provider_should_be_cut_off(self) -> None:
        """Wait until the connection of the last request is closed, its answer being incomplete."""
        self._provider.wait_settled(len(self._provider.requests))
        assert self._provider.ledger[-1].outcome == "cut", self._provider.ledger[-1]

    @keyword
    def provider_requests(self) -> int:
        """How many requests have come."""
        return len(self._provider.requests)

    @keyword
    def provider_totals(self) -> dict[str, int]:
        """What was billed so far, by the provider's own ledger, which must have seen no trouble."""
        assert not self._provider.problems, self._provider.problems
        totals = asdict(self._provider.totals())
        return totals | {"total_tokens": totals["prompt_tokens"] + totals["completion_tokens"]}

    @keyword
    def last_request_should_say(self, *texts: str) -> None:
        """Check the body of the last request."""
        body = str(self._provider.requests[-1].body)
        missing = [text for text in texts if text not in body]
        assert not missing, f"{missing} is not in {body}"
