"""What the facts of a side mean, held against the provider's ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.probes.scenes import WORDS, Scene
from benchmarks.probes.stage import Facts

__all__ = ["GOOD", "Verdict", "judge"]


GOOD = 10


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome in words.

    Args:
        text: for a cell of the table.
        rank: how well it went, up to `GOOD`: nothing is lost, overspent or hidden, and no opt-in has to be tried.
    """

    text: str
    rank: int = 0


_CLOSED = {"left": "closed", "collected": "closed with the next garbage collection", "": "stays open"}


def judge(probe: str, facts: Facts, scene: Scene) -> Verdict:
    """The outcome of a probe."""
    if "lacking" in facts:
        return Verdict("no such feature")
    return JUDGES[probe](facts, scene)


def _billed(scene: Scene) -> list[int]:
    answered = [entry for entry in scene.provider.billed if entry.outcome == "answered"]
    return [sum(entry.prompt_tokens for entry in answered), sum(entry.completion_tokens for entry in answered)]


def _usage(facts: Facts, scene: Scene) -> Verdict:
    usage, billed = facts["usage"], _billed(scene)
    if usage == billed:
        unknown = ", and the call under way as unmeasured" if facts.get("unknown") else ""
        return Verdict(f"yes{unknown}", GOOD)
    if not usage or not sum(usage):
        return Verdict("no")
    return Verdict(f"{sum(usage)} of {sum(billed)} tokens", 5)


def _leaving(facts: Facts, scene: Scene) -> Verdict:
    connection = _CLOSED[scene.closed]
    rank = {"left": 8, "collected": 4, "": 0}[scene.closed]
    if not facts["calls"]:
        return Verdict(f"{connection}; call not on the usage", rank)
    if facts.get("unknown"):
        return Verdict(f"{connection}; call on the usage, unmeasured", rank + 2)
    tokens = sum(facts["usage"] or [0])
    return Verdict(f"{connection}; call on the usage with {tokens} tokens", rank + (2 if tokens else 1))


def _ceiling(facts: Facts, scene: Scene) -> Verdict:
    spent = sum(_billed(scene))
    rank = GOOD if spent <= 2000 else max(0, 9 - spent // 1000)
    return Verdict(f"{spent:,} tokens, {facts['answered']} of 10 runs answered", rank)


def _rounds(facts: Facts, scene: Scene) -> Verdict:
    if "raised" in facts:
        return Verdict(f"raises `{facts['raised']}`")
    if not facts.get("answer"):
        return Verdict("no words")
    return Verdict("the model's answer", GOOD) if facts["answer"] == WORDS else Verdict("a fixed sentence", 5)


def _not_json(facts: Facts, scene: Scene) -> Verdict:
    if facts["ran"]:
        return Verdict(f"the tool runs, with `what={facts['ran'][0]!r}`")
    if lost := _lost(facts):
        return lost
    if len(scene.provider.requests) < 2:
        return Verdict("the run ends silently")
    return Verdict("the model is told", GOOD)


def _one_raises(facts: Facts, scene: Scene) -> Verdict:
    return _lost(facts) or _both(scene)


def _both(scene: Scene) -> Verdict:
    told = " ".join(scene.results())
    kept = sum(f"{what} is fine" in told for what in ("a", "b"))
    return Verdict("goes on, all results kept", GOOD) if kept == 2 else Verdict(f"goes on, {2 - kept} lost", 5)


def _sub_agent(facts: Facts, scene: Scene) -> Verdict:
    return _lost(facts) or _usage(facts, scene)


def _no_usage(facts: Facts, scene: Scene) -> Verdict:
    untold, zero = facts["reports"]
    first = scene.provider.ledger[0]
    more = sum(untold["usage"]) - first.prompt_tokens - first.completion_tokens
    if more:
        return Verdict(f"no, as {more} tokens")
    return Verdict("no, as zero") if untold["shown"] == zero["shown"] else Verdict("yes", GOOD)


def _lost(facts: Facts) -> Verdict | None:
    if "raised" in facts:
        return Verdict(f"run lost: `{facts['raised']}`")
    return Verdict(f"run lost: {facts['failed']}") if "failed" in facts else None


JUDGES: dict[str, Callable[[Facts, Scene], Verdict]] = {
    "paid_on_error": _usage,
    "paid_on_cancel": _usage,
    "leaving": _leaving,
    "ceiling": _ceiling,
    "rounds": _rounds,
    "not_json": _not_json,
    "one_raises": _one_raises,
    "same_ids": _one_raises,
    "sub_agent": _sub_agent,
    "no_usage": _no_usage,
}
