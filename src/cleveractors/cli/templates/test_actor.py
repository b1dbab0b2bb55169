"""Tests without a key and without the network: `python test_actor.py`, or `pytest`."""

import asyncio
from pathlib import Path

from tools import find_order, opening_hours

from cleveractors import ActorPolicy, ActorResult, Limits, create_executor
from cleveractors.testing import ScriptedChatModel, call

ACTOR = Path(__file__).with_name("actor.yaml")
NO_LIMITS = Limits()


def ask(message: str, model: ScriptedChatModel, limits: Limits = NO_LIMITS) -> ActorResult[str]:
    """One run of the actor, with a script in place of its model."""

    async def run() -> ActorResult[str]:
        policy = ActorPolicy(scripted=True)
        async with create_executor(ACTOR, tools=[find_order, opening_hours], policy=policy) as executor:
            with executor.override(model=model):
                return await executor.execute(message, limits=limits)

    return asyncio.run(run())


def test_an_order_is_looked_up() -> None:
    model = ScriptedChatModel([call("find_order", number="A1"), "It was sent this morning."])
    result = ask("Where is my order A1?", model)
    assert result.response == "It was sent this morning."
    assert model.calls[1].messages[-1].text == "Order A1 was sent this morning."
    model.assert_complete()


def test_two_tools_at_a_time() -> None:
    model = ScriptedChatModel([[call("find_order", number="A1"), call("opening_hours", day="Sunday")], "Closed."])
    result = ask("Is A1 there, and may I come on Sunday?", model)
    assert result.tool_calls == 2
    assert [message.text for message in model.calls[1].messages[-2:]] == ["Order A1 was sent this morning.", "Closed."]


def test_a_limit_ends_with_an_answer_in_words() -> None:
    result = ask("Where is my order A1?", ScriptedChatModel(["Never asked."]), Limits(max_tokens=10))
    assert result.stop_reason == "token_budget"
    assert result.total_tokens == 0
    assert result.response


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"{name}: ok")
