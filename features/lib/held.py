"""What calls are held at, and what of it is counted when somebody is stubborn."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, ClassVar, cast
from unittest.mock import patch

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from cleveractors import Agent, AgentConfig, ModelAgentConfig, RunContext
from cleveractors.executor import closing
from cleveractors.testing import Turn
from cleveractors.usage import Attempt, Ledger
from features.lib.bench import Bench

__all__ = ["MESSAGES", "close_twice", "leave_stubborn_tool", "use_recalling"]

_IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{'A' * 90_000}"}}
_FILE = {"type": "file", "file": {"file_id": "f1"}}
MESSAGES: dict[str, Any] = {
    "a text": [{"type": "text", "text": "What is it?"}],
    "a bare text": HumanMessage(["What is it?"]),
    "a text and an image": ["What is it?", _IMAGE],
    "two files": [_FILE, _FILE],
    "a part of its own": [{"type": "place", "city": "Paris"}],
}


def use_recalling(bench: Bench, letters: int) -> None:
    """An agent of the host's own that shows its model a call which that could not write."""
    broken = {"name": "look", "args": "x" * letters, "id": "c1", "error": "no JSON", "type": "invalid_tool_call"}

    class Recalling(Agent[Any]):
        Config: ClassVar[type[AgentConfig]] = ModelAgentConfig

        async def process_message(self, message: Any, context: RunContext[Any]) -> str:
            said = AIMessage("", invalid_tool_calls=[cast("Any", broken)])
            return (await context.call_model([message, said, ToolMessage("?", tool_call_id="c1"), message])).text

    bench.keys = {"type": "recalling", "model": "gpt-4o-mini", "parameters": {"max_tokens": 100}}
    bench.options["agent_types"] = {"recalling": Recalling}
    bench.provider.script(Turn("I see.", prompt_tokens=10, completion_tokens=1))


# Who does not let go


async def leave_stubborn_tool(bench: Bench) -> None:
    """A reader of events leaves; the tool goes on until the gate is open, whoever cancels it."""
    begun = asyncio.Event()

    async def cling() -> str:
        """Holds on."""
        begun.set()
        while not bench.gate.opened:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(0)
        return "let go"

    async def read() -> None:
        async for output in bench.executor.execute_events("rain?"):
            bench.notes.append(output)

    bench.keys["tools"] = ["cling"]
    bench.tools.append(cling)
    bench.provider.script(Turn(calls=[("cling", {})], prompt_tokens=50, completion_tokens=5))
    with patch.object(closing, "STOP_SECONDS", 0.05):
        reader = asyncio.create_task(bench.observe(read))
        await begun.wait()
        reader.cancel()
        await reader


def close_twice(tokens: int) -> int:
    """What a ledger comes to whose only row two have closed."""
    ledger = Ledger()
    row = ledger.open(Attempt(run_id="r1", agent="main", provider="openai", model="gpt-4o-mini", purpose="turn"))
    row.state, row.prompt_tokens = "settled", tokens
    assert ledger.close(row) and not ledger.close(row)
    return ledger.totals.prompt_tokens
