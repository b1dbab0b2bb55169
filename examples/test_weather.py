"""Unit tests of an actor: no key, no network, the same answers each time.

`python examples/test_weather.py`, or with pytest.
"""

import unittest
from pathlib import Path

from weather_tools import get_weather, suggest_clothes

from cleveractors import ActorPolicy, Credential, Executor, create_executor
from cleveractors.testing import ScriptedChatModel, ScriptedProvider, StatusFault, Turn, block_network, call

ACTOR = Path(__file__).with_name("weather.yaml")
TOOLS = [get_weather, suggest_clothes]


def weather() -> Executor:
    """The executor as the application makes it; in place of its model each test plays one of its own."""
    return create_executor(ACTOR, tools=TOOLS, policy=ActorPolicy(scripted=True))


class WeatherTest(unittest.IsolatedAsyncioTestCase):
    """What the actor promises, with the model's part written down."""

    def setUp(self) -> None:
        # Whatever would leave this machine fails, loudly.
        self.enterContext(block_network())

    def test_a_tool_is_a_function(self) -> None:
        self.assertEqual(suggest_clothes("Oslo"), "Wear a warm coat.")

    async def test_the_model_is_told_what_the_tool_found(self) -> None:
        model = ScriptedChatModel([call("get_weather", city="Oslo"), "Take a warm coat."])
        async with weather() as executor:
            with executor.override(model=model):
                result = await executor.execute("What should I wear in Oslo?")
        self.assertEqual(result.response, "Take a warm coat.")
        self.assertEqual(model.calls[1].messages[-1].text, "Oslo has -3 °C and snow today.")
        model.assert_complete()

    async def test_a_tool_that_fails_is_told_and_the_run_goes_on(self) -> None:
        def get_weather(city: str) -> str:
            """Tell today's weather."""
            raise ConnectionError("the weather station is out of reach")

        model = ScriptedChatModel([call("get_weather", city="Oslo"), "I can't tell today."])
        async with weather() as executor:
            with executor.override(model=model, tools=[get_weather]):
                result = await executor.execute("What should I wear in Oslo?")
        self.assertEqual((result.response, result.stop_reason), ("I can't tell today.", "completed"))
        self.assertIn("out of reach", model.calls[1].messages[-1].text)

    async def test_the_bill_is_the_providers_own(self) -> None:
        with ScriptedProvider() as provider:
            provider.script(Turn(calls=[("get_weather", {"city": "Oslo"})]), StatusFault(500), Turn("Take a coat."))
            keys = {"openai": Credential("any", base_url=provider.base_url)}
            real = [("agents.assistant.provider", "openai"), ("agents.assistant.retry.initial", "0")]
            async with create_executor(ACTOR, tools=TOOLS, credentials=keys, overrides=real) as executor:
                result = await executor.execute("What should I wear in Oslo?")
            billed = provider.totals()
        self.assertEqual(result.total_tokens, billed.prompt_tokens + billed.completion_tokens)
        self.assertEqual([row.state for row in result.invocations], ["settled", "rejected", "settled"])


if __name__ == "__main__":
    unittest.main()
