"""Steps about what commands say."""

from __future__ import annotations

from behave import then
from behave.runner import Context

from features.lib.hooks_dialects import meaning


@then("in the {dialect} dialect these mean")
def check_meanings(context: Context, dialect: str) -> None:
    for row in context.table:
        words = row["exit"].split(" ", 1)
        found = meaning(dialect, row["event"], int(words[0]), row["stdout"], words[1] if len(words) > 1 else "")
        wanted = row["means"]
        assert found == wanted or (wanted.endswith("…") and found.startswith(wanted[:-1])), (dict(row.as_dict()), found)
