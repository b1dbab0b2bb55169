"""What a command's end means, told in one line."""

from __future__ import annotations

import json
from dataclasses import fields

from cleveractors.hooks.dialects import DIALECTS, Answer
from cleveractors.hooks.points import POINTS
from cleveractors.hooks.processes import Finished
from cleveractors.hooks.running import HookFailure

__all__ = ["meaning"]


def meaning(dialect: str, event: str, code: int, stdout: str, stderr: str = "") -> str:
    """A verdict as `Deny no`, a failure as `output: …`, nothing as `-`."""
    finished = Finished(code, stdout.encode(), stderr.encode(), 0.0)
    try:
        verdict = Answer(POINTS[event], finished).verdict(DIALECTS[dialect])
    except HookFailure as failure:
        return f"{failure.kind}: {failure.text}"
    if verdict is None:
        return "-"
    value = getattr(verdict, fields(verdict)[0].name)
    return f"{type(verdict).__name__} {value if isinstance(value, str) else json.dumps(value)}".strip()
