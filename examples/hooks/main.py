"""A guard and an audit log around an actor's tools: `python examples/hooks/main.py`.

The guard is a function; the audit log is a command, which writes `audit.jsonl` into the folder where this is started.
With a file of hooks, in this folder: `cleveractors run actor.yaml --tools tools.py --hooks hooks.yaml "Clean up"`.
"""

import asyncio
import sys
from pathlib import Path

from guard import hooks
from tools import bash

from cleveractors import ActorPolicy, create_executor

HERE = Path(__file__).parent

# Denied calls are told too, with their status.
hooks.command("post_tool_call", [sys.executable, str(HERE / "audit.py")])


async def main() -> None:
    policy = ActorPolicy(scripted=True)
    async with create_executor(HERE / "actor.yaml", tools=[bash], hooks=hooks, policy=policy) as executor:
        result = await executor.execute("Clean up", tenant="acme")
    for message in result.messages:
        if message.type == "tool":
            print(f"the model was told: {message.text}")
    print(result.response)


asyncio.run(main())
