"""The shortest program with an executor that answers once."""

import asyncio
import sys

from benchmarks.tools import get_weather
from cleveractors import Credential, create_executor


async def main(base_url: str) -> None:
    """Answer once."""
    actor = {"model": "rounds-1", "system_prompt": "You help people to dress.", "tools": ["get_weather"]}
    credentials = {"openai": Credential("none", base_url)}
    async with create_executor(actor, tools=[get_weather], credentials=credentials) as executor:
        print((await executor.execute("What should I wear in Paris?")).response)


asyncio.run(main(sys.argv[1]))
