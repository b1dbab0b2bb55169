"""The smallest whole program: one tool, one agent, one question. `python examples/hello.py`; no key, no network."""

import asyncio

from cleveractors import ActorPolicy, create_executor


def count_letter(word: str, letter: str) -> int:
    """Count how often a letter stands in a word.

    Args:
        word: the word.
        letter: one letter.
    """
    return word.lower().count(letter.lower())


# For a real model: "provider": "openai", "model": "gpt-4o-mini", and no "script";
# then credentials="env", which reads OPENAI_API_KEY, in place of the policy below.
ACTOR = {
    "provider": "scripted",
    "model": "demo",
    "tools": ["count_letter"],
    "script": [
        {"calls": [{"name": "count_letter", "arguments": {"word": "strawberry", "letter": "r"}}]},
        "There are 3.",
    ],
}


async def main() -> None:
    async with create_executor(ACTOR, tools=[count_letter], policy=ActorPolicy(scripted=True)) as executor:
        result = await executor.execute("How many r are there in strawberry?")
    print(result.response)
    for message in result.messages:
        print(f"  {message.type}: {message.text or 'asks for a tool'}")
    print(f"{result.prompt_tokens} + {result.completion_tokens} tokens in {len(result.invocations)} model calls")


asyncio.run(main())
