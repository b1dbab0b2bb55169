"""A chat that goes on where it stopped: `python examples/sessions/chat.py FILE SESSION`, then a line a message.

Point `chat.yaml` at a provider of yours to talk to a model; as it is, no key and no network is needed.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from cleveractors import ActorPolicy, create_executor
from cleveractors.sessions import SQLiteSessions

ACTOR = Path(__file__).with_name("chat.yaml")


async def main(file: str, session_id: str) -> None:
    store = SQLiteSessions(file)
    executor = create_executor(ACTOR, sessions=store, policy=ActorPolicy(scripted=True))
    async with executor, executor.session(session_id) as session:
        print(f"{len(await session.messages())} messages so far")
        for line in sys.stdin:
            if not line.strip():
                continue
            async with session.execute_stream(line.strip()) as stream:
                async for text in stream:
                    print(text, end="", flush=True)
            assert stream.result is not None
            print(f"  [{stream.result.total_tokens} tokens, {len(stream.result.messages)} messages]")


parser = argparse.ArgumentParser(description="A chat that goes on where it stopped. Type a line a message.")
parser.add_argument("file", help="where conversations are kept, such as chats.sqlite; made where it is not there")
parser.add_argument("session", help="the name of a conversation, such as alice; begun where there is none")
arguments = parser.parse_args()
asyncio.run(main(arguments.file, arguments.session))
