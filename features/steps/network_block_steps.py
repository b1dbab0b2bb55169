"""Steps about the network that `block_network()` closes."""

from __future__ import annotations

from behave import given, then, when
from behave.runner import Context

from cleveractors.testing import NetworkBlockedError, block_network
from features.lib import network_blocks as lib
from features.lib.network_blocks import blocked


@given("a server of the test on loopback")
def listen(context: Context) -> None:
    blocked(context).listen()


@when("under a block, code does {way}")
async def attempt(context: Context, way: str) -> None:
    await blocked(context).attempt(way)


@when("under a block without loopback, code does {way}")
async def attempt_strictly(context: Context, way: str) -> None:
    await blocked(context).attempt(way, allow_loopback=False)


@then("it is refused, and the block has noted {address}")
def refused(context: Context, address: str) -> None:
    story = blocked(context)
    expected = eval(address, {"port": story.port})
    assert expected in str(context.world.error_of(NetworkBlockedError))
    assert story.block is not None and story.block.attempts == [expected], story.block


@then("it is not refused")
def let_through(context: Context) -> None:
    block = blocked(context).block
    assert context.world.error is None and block is not None and not block.attempts, context.world.error


@then('it is not refused, but the block has noted "{address}"')
def noted(context: Context, address: str) -> None:
    block = blocked(context).block
    assert context.world.error is None and block is not None and block.attempts == [address]


@then("it fails with {kind}")
def fails(context: Context, kind: str) -> None:
    assert type(context.world.error).__name__ == kind, repr(context.world.error)


@then('a refusal is a RuntimeError, and no OSError, and says "{text}"')
def refusal(context: Context, text: str) -> None:
    with block_network():
        error = blocked(context).try_outside()
    assert isinstance(error, RuntimeError) and not isinstance(error, OSError) and str(error) == text, error


@when("a block is entered and left, by an error too")
def enter_and_leave(context: Context) -> None:
    blocked(context)
    lib.enter_and_leave()


@then("socket is as it was before")
def restored(context: Context) -> None:
    assert lib.functions() == blocked(context).before


@then("loopback is reached in a block, not in one without loopback inside it, and again after that")
def nested(context: Context) -> None:
    lib.check_nesting(blocked(context))


@then("each of two blocks in force has noted what was refused, a block within itself once")
def noted_once(context: Context) -> None:
    lib.check_noting(blocked(context))


@then("a block that a thread enters holds for all threads, until the thread leaves it")
def threads(context: Context) -> None:
    lib.check_threads(blocked(context))


@when("a {kind} function with a block around it tries to leave the machine twice")
async def decorated(context: Context, kind: str) -> None:
    blocked(context).said = await lib.call_decorated(blocked(context), kind)


@then("both calls were refused, and the function has kept its name")
def both_refused(context: Context) -> None:
    said, name = blocked(context).said
    assert len(said) == 2 and all("203.0.113.1:443" in one for one in said) and name.startswith("leave_machine")


@then('a block around {what} is a TypeError "{text}"')
def refuses(context: Context, what: str, text: str) -> None:
    with context.world.catching():
        block_network()(lib.undecorated(what))
    assert text in str(context.world.error_of(TypeError))
