"""The shortest program with the hand-written loop that answers once."""

import asyncio
import sys

from benchmarks.handmade import Handmade


async def main(base_url: str) -> None:
    """Answer once."""
    print(await Handmade(base_url, "rounds-1", "get_weather").answer("What should I wear in Paris?"))


asyncio.run(main(sys.argv[1]))
