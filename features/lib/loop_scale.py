"""A very long loop, and what each of its rounds costs us."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatResult

import cleveractors
from cleveractors import Limits, LLMAgent, RunContext
from cleveractors.credentials import Credentials
from cleveractors.models.registry import Models
from cleveractors.run import Run
from cleveractors.services import Services

__all__ = ["LongRun"]

OURS = str(Path(cleveractors.__file__).parent)
TRACED = (100, 9_000)
COUNTED = (1_000, 2_000, 8_000, 9_000)
UNLIMITED = Limits(max_model_calls=None, max_tool_calls=None, timeout=None)


class TirelessModel(BaseChatModel):
    """Asks for a tool in so many rounds. It costs the same in each, which LangChain's way in does not."""

    rounds: int
    asked: int = 0

    async def ainvoke(self, input: Any, config: Any = None, **kwargs: Any) -> AIMessage:
        self.asked += 1
        usage: Any = {"input_tokens": 10, "output_tokens": 1, "total_tokens": 11}
        if self.asked > self.rounds:
            return AIMessage("Done.", usage_metadata=usage)
        call: Any = {"name": "step", "args": {"n": self.asked}, "id": f"c{self.asked}", "type": "tool_call"}
        return AIMessage("", tool_calls=[call], usage_metadata=usage)

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=tools, **kwargs)

    @property
    def _llm_type(self) -> str:
        return "tireless"

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError


@dataclass
class LongRun:
    """One run, counted."""

    rounds: int
    result: Any = None
    calls: dict[int, int] = field(default_factory=dict[int, int])
    """Calls of our functions, and of the interpreter's by ours, by round."""
    depths: dict[int, int] = field(default_factory=dict[int, int])
    objects: dict[int, int] = field(default_factory=dict[int, int])
    """Objects that the collector knows, by round."""
    _count: int = 0

    async def run(self) -> None:
        """Run all rounds."""
        settings = {"model": "m", "tool_max_rounds": self.rounds, "max_repeated_calls": None}
        agent = LLMAgent(settings, model=TirelessModel(rounds=self.rounds), tools=[self.step])
        run = Run(Services(models=Models(Credentials()), limits=UNLIMITED), {}, "main")
        run.begin()
        messages: list[BaseMessage] = [HumanMessage("Go")]
        loop = agent._execute_tool_loop  # pyright: ignore[reportPrivateUsage]  # DESIGN names it
        self.result = await loop(messages, RunContext(run, "main", agent))

    async def step(self, n: int) -> str:
        """Look around in some rounds."""
        if n in COUNTED:
            gc.collect()
            self.objects[n] = len(gc.get_objects())
        if n in TRACED:
            self.depths[n] = _depth()
            self._count = 0
            sys.setprofile(self._profile)
        elif n - 1 in TRACED:
            sys.setprofile(None)
            self.calls[n - 1] = self._count
        return str(n)

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        # A tracer would see lines too, but it would put out that of coverage.
        if event in ("call", "c_call") and frame.f_code.co_filename.startswith(OURS):
            self._count += 1

    def check_calls(self, late: int, early: int) -> None:
        """As many calls late as early."""
        assert self.calls[early] > 50, self.calls
        assert self.calls[late] == self.calls[early], self.calls

    def check_depths(self, late: int, early: int) -> None:
        """As deep late as early."""
        assert self.depths[late] == self.depths[early], self.depths

    def check_objects(self, start: int, end: int, early_start: int, early_end: int) -> None:
        """As many objects were added in the one stretch as in the other, but for a few of the interpreter's."""
        late, early = self.objects[end] - self.objects[start], self.objects[early_end] - self.objects[early_start]
        assert abs(late - early) < 200, self.objects


def _depth() -> int:
    frame: FrameType | None = sys._getframe()  # pyright: ignore[reportPrivateUsage]  # there is no other way to it
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
