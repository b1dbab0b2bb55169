"""Each tenant pays with a key and a purse of its own: `python examples/tenants.py`.

A provider on loopback stands in for the real one, and keeps a ledger of its own to compare the bills with.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

from cleveractors import ActorResult, Budget, Credential, RunContext, create_executor
from cleveractors.testing import ScriptedProvider, Turn

ACTOR = {"model": "gpt-4o-mini", "parameters": {"max_tokens": 100}, "system_prompt": "Answer in one sentence."}


@dataclass
class Tenant:
    """Who pays, as your database has it."""

    key: str
    purse: Budget


# A Budget lives in memory: `spent=` says what your database has of this month so far.
TENANTS = {
    "acme": Tenant("sk-acme", Budget(max_tokens=10_000, name="acme in May")),
    "globex": Tenant("sk-globex", Budget(max_tokens=10_000, spent=9_750, name="globex in May")),
}


class House:
    """What a web application would keep: the executor, and what each tenant has used."""

    def __init__(self, base_url: str | None = None) -> None:
        self._base_url = base_url
        self.used: Counter[str | None] = Counter()
        self.executor = create_executor(ACTOR, credentials=self._key_of, on_result=self._note, require_tenant=True)

    def _key_of(self, provider: str, context: RunContext[Any]) -> Credential:
        """The tenant's key. It is asked for each run, so that no run is ever sent on another tenant's."""
        assert context.tenant is not None  # require_tenant sees to it
        return Credential(TENANTS[context.tenant].key, base_url=self._base_url)

    def _note(self, result: ActorResult[Any]) -> None:
        """Once for each run, however it ended; a real one writes it into the database, idempotent by run_id."""
        self.used[result.tenant] += result.total_tokens

    async def ask(self, tenant: str, message: str) -> ActorResult[Any]:
        """Answer a tenant, for as long as there is room in the purse."""
        return await self.executor.execute(message, tenant=tenant, budgets=[TENANTS[tenant].purse])


async def talk(house: House) -> None:
    """Two tenants ask side by side, one of them until the purse is empty and beyond."""
    for question in ("How long is a day?", "And a night?", "And a week?"):
        for result in await asyncio.gather(*(house.ask(tenant, question) for tenant in TENANTS)):
            print(f"{result.tenant}: {result.stop_reason}, {result.total_tokens} tokens. {result.response}")
    try:
        await house.executor.execute("Who pays for this?")
    except Exception as error:
        print(f"nobody: {error}")


def billed(provider: ScriptedProvider, key: str) -> int:
    """What the provider's own ledger has under a key."""
    entries = [entry for entry in provider.ledger if provider.requests[entry.order].api_key == key]
    return sum(entry.prompt_tokens + entry.completion_tokens for entry in entries)


async def main() -> None:
    # For a real provider: House() alone, with keys of yours.
    with ScriptedProvider(Turn("It depends.", prompt_tokens=90, completion_tokens=10)) as provider:
        house = House(provider.base_url)
        async with house.executor:
            await talk(house)
        for name, tenant in TENANTS.items():
            told = f"{house.used[name]} used, {billed(provider, tenant.key)} billed to {tenant.key}"
            print(f"{name}: {told}, {tenant.purse.remaining} left")


if __name__ == "__main__":
    asyncio.run(main())
