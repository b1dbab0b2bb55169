import asyncio

from weather_tools import get_weather, suggest_clothes

from cleveractors import ActorPolicy, create_executor


async def main() -> None:
    tools, policy = [get_weather, suggest_clothes], ActorPolicy(scripted=True)
    async with create_executor("examples/weather.yaml", tools=tools, policy=policy) as executor:
        result = await executor.execute("What should I wear in Paris today?", tenant="acme")
        print(result.response, result.total_tokens, result.stop_reason)
        async with executor.execute_stream("And in Rome?", history=result.messages, streaming="tokens") as stream:
            async for text in stream:
                print(text, end="", flush=True)
        assert stream.result is not None
        print("\n", stream.result.total_tokens, stream.result.cost)


asyncio.run(main())
