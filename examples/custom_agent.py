"""An agent of your own: it lets one agent write and another judge, until the judge is content.

`python examples/custom_agent.py`. What an agent of yours calls through its context is on the bill, under the budgets,
told as events, and ends with the run.
"""

import asyncio
from typing import Any

from pydantic import Field

from cleveractors import Agent, AgentConfig, Credential, RunContext, create_executor
from cleveractors.testing import ScriptedProvider, Turn


class EditorConfig(AgentConfig):
    """The keys that an actor's file gives an agent of this type; they are checked like all others."""

    writer: str
    critic: str
    drafts: int = Field(default=3, ge=1, le=10)


class Editor(Agent[Any]):
    """Has drafts written until they pass. One object serves all runs, so it keeps nothing of a run in itself."""

    Config = EditorConfig

    async def process_message(self, message: Any, context: RunContext[Any]) -> str:
        """Answer with the first draft that passes, or with the last one."""
        draft = await context.call_agent(self.config.writer, message)
        for _ in range(self.config.drafts - 1):
            verdict = await context.call_agent(self.config.critic, draft)
            if verdict.startswith("Good"):
                break
            draft = await context.call_agent(self.config.writer, f"{message}\n\nBetter than: {draft}\n\n{verdict}")
        return draft


# The same as a YAML file would say it.
ACTOR = {
    "entry": "editor",
    "agents": {
        "editor": {"type": "editor", "writer": "writer", "critic": "critic", "drafts": 3},
        "writer": {"model": "gpt-4o", "system_prompt": "Write one line."},
        "critic": {"model": "gpt-4o-mini", "system_prompt": "Say Good, or what is wrong."},
    },
}


async def main() -> None:
    # A provider on loopback stands in for the real one; for that, leave it out, and say credentials="env".
    with ScriptedProvider() as provider:
        provider.script(Turn("Tea is a drink that is hot."), Turn("Tea is patience, poured."), model="gpt-4o")
        provider.script(Turn("Too plain."), Turn("Good."), model="gpt-4o-mini")
        keys = {"openai": Credential("any", base_url=provider.base_url)}
        async with create_executor(ACTOR, agent_types={"editor": Editor}, credentials=keys) as executor:
            result = await executor.execute("A line about tea, please.", tenant="acme")
        billed = provider.totals()
    print(result.response)
    for row in result.invocations:
        print(f"  {row.agent}: {row.prompt_tokens} + {row.completion_tokens} tokens, paid by {row.tenant}")
    print(f"{result.prompt_tokens} + {result.completion_tokens} tokens in all")
    print(f"{billed.prompt_tokens} + {billed.completion_tokens} tokens in the provider's own ledger")


asyncio.run(main())
