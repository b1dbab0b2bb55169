"""Runs of actors on the provider `scripted`."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Annotated, Any, cast

from langchain_core.messages import AIMessage
from pydantic import BaseModel, WithJsonSchema

from cleveractors import ActorPolicy, ActorResult, ConfigurationError, Executor, create_executor, result_of

__all__ = ["ScriptedRuns", "runs"]

RUNS = "scripted_runs"
POLICY = ActorPolicy(scripted=True)
FILE = """\
entry: clerk
agents:
  clerk:
    provider: scripted
    model: demo
    tools: [look]
    retry: {attempts: 2, initial: 0, maximum: 0}
    script:
"""


class Report(BaseModel):
    """What a run is asked for."""

    city: str
    warm: bool


Never = Annotated[str, WithJsonSchema({"not": {}})]


def look(city: str) -> str:
    """Look at the weather."""
    return f"Snow in {city}."


@dataclass
class ScriptedRuns:
    """One scenario's actor and what came of its runs."""

    text: str = ""
    results: list[ActorResult[Any]] = field(default_factory=list[ActorResult[Any]])
    error: Exception | None = None

    def write(self, script: str) -> None:
        """Write the actor's file."""
        self.text = FILE + indent(script, " " * 6)

    async def ask(self, count: int) -> None:
        """Make an executor of the file, and ask it so many times."""
        with self._file() as path:
            try:
                executor = create_executor(path, tools=[look], policy=POLICY)
            except ConfigurationError as error:
                self.error = error
                return
            await self._ask(executor, ["Paris?"] * count)

    async def report(self, question: str, kind: Any) -> None:
        """Ask an actor without a script for an answer of a type."""
        agent = {"provider": "scripted", "model": "demo", "tools": ["look"]}
        await self._ask(create_executor({"agents": {"clerk": agent}}, tools=[look], policy=POLICY), [question], kind)

    async def _ask(self, executor: Executor, questions: list[str], kind: Any = str) -> None:
        async with executor:
            for question in questions:
                try:
                    self.results.append(await executor.execute(question, output_type=kind))
                except Exception as error:
                    assert result_of(error) is not None
                    self.error = error

    @contextmanager
    def _file(self) -> Generator[Path, None, None]:
        with TemporaryDirectory() as folder:
            path = Path(folder, "actor.yaml")
            path.write_text(self.text, encoding="utf-8")
            yield path

    def told(self) -> list[dict[str, str]]:
        """The messages of the last run, as a table writes them."""
        return [
            {
                "type": message.type,
                "text": str(message.text),
                "calls": " & ".join(
                    f"{call['name']} {json.dumps(call['args'])}"
                    for call in (message.tool_calls if isinstance(message, AIMessage) else ())
                ),
            }
            for message in self.results[-1].messages
        ]

    def figures(self) -> list[tuple[str, int, int, int]]:
        """Of each run its answer, its model calls, and the tokens of the last."""
        rows = [result.invocations for result in self.results]
        last = [(len(one), one[-1].prompt_tokens or 0, one[-1].completion_tokens or 0) for one in rows]
        return [(result.response, *figures) for result, figures in zip(self.results, last, strict=True)]

    def problem(self) -> tuple[str, str]:
        """Where the file's only problem is, and what it says."""
        assert isinstance(self.error, ConfigurationError), self.error
        (problem,) = self.error.problems
        return problem.path, problem.message


def runs(context: object) -> ScriptedRuns:
    """The scenario's, made when it is first asked for."""
    if not hasattr(context, RUNS):
        setattr(context, RUNS, ScriptedRuns())
    return cast("ScriptedRuns", getattr(context, RUNS))
