"""Steps about agents of the host's own."""

from __future__ import annotations

from behave import given, register_type, then, when
from behave.runner import Context
from parse import with_pattern

from cleveractors import ExecutionError
from features.lib import agent_contexts, agent_steps
from features.lib import custom as lib
from features.lib.bench import as_json, bench


@with_pattern("|".join(lib.AGENTS))
def own_agent(string: str) -> str:
    return string


@with_pattern("|".join(lib.ENDED))
def ended(string: str) -> str:
    return string


register_type(own_agent=own_agent, ended=ended)


@given("an echoing agent with the keys {keys}")
def echoing(context: Context, keys: str) -> None:
    lib.use(bench(context), lib.EchoAgent, as_json(keys))


@given("a working agent, which asks its model, calls a tool, and reports what it paid")
def working(context: Context) -> None:
    lib.use_working(bench(context))


@given("an agent {what:own_agent}")
def own(context: Context, what: str) -> None:
    lib.use(bench(context), lib.AGENTS[what], {})


@given("an LLMAgent that overrides {step:w}")
def overriding(context: Context, step: str) -> None:
    agent_steps.use_step(bench(context), step)


@given("an LLMAgent whose call_model asks its model twice")
def asking_twice(context: Context) -> None:
    agent_steps.use_asking_twice(bench(context))


@given("a tool that says how long a word is, as an agent")
def tool_agent(context: Context) -> None:
    bench(context).notes[:] = [agent_steps.tool_agent()]


@then('it answers {message} with "{answer}"')
async def tool_answers(context: Context, message: str, answer: str) -> None:
    found = await agent_steps.ask_tool(bench(context).notes[0], message)
    assert found == answer, found


@then('it fails at {message} with ExecutionError "{text}"')
async def tool_fails(context: Context, message: str, text: str) -> None:
    with context.world.catching():
        await agent_steps.ask_tool(bench(context).notes[0], message)
    assert text in str(context.world.error_of(ExecutionError)), context.world.error


@given("a tool and a helper that look at the run's context")
def looking(context: Context) -> None:
    agent_contexts.use_looking_tool(bench(context))


@when("the overriding agent is asked")
async def ask_overriding(context: Context) -> None:
    await agent_steps.ask_step(bench(context))


@when("it is asked {how:ended}")
async def ask_and_end(context: Context, how: str) -> None:
    await lib.ENDED[how](bench(context))


@when("its stream is left after a text")
async def leave_stream(context: Context) -> None:
    await lib.leave_clinging(bench(context))


@when("the actor is asked with deps, a tenant and metadata")
async def ask_with_deps(context: Context) -> None:
    await agent_contexts.ask_with_deps(bench(context))


@then("{step:w} was overridden")
def was_overridden(context: Context, step: str) -> None:
    agent_steps.check_step(bench(context), step)


@then("the response says why")
def says_why(context: Context) -> None:
    result = bench(context).result
    assert result.response.strip() and result.stop_detail, result
    assert not bench(context).texts or bench(context).texts == [result.response], bench(context).texts


@then("the leaver was told of it in time")
def told_in_time(context: Context) -> None:
    context.world.error_of(TimeoutError)


@then("a lone LLMAgent answers both ways, with the same tokens in _last_token_usage")
async def lone(context: Context) -> None:
    await agent_steps.check_lone()


@then("a lone LLMAgent whose model fails in the second call has the tokens of the first")
async def lone_failing(context: Context) -> None:
    await agent_steps.check_lone_failing()


@then("the tool saw the host's object, its own call and the tokens so far")
def tool_saw(context: Context) -> None:
    agent_contexts.check_tool_saw(bench(context))


@then("the helper saw the same by current_context")
def helper_saw(context: Context) -> None:
    run, found = bench(context).notes[:2]
    assert (found.deps, found.run_id, found.tool_call_id) == (run.deps, run.run_id, run.tool_call_id)


@then("outside the run there is no current context")
async def no_context(context: Context) -> None:
    agent_contexts.check_no_context()


@then("the model saw neither the context's parameter nor the object")
def model_saw(context: Context) -> None:
    agent_contexts.check_model_saw(bench(context))


@then("a context made for tests carries deps and labels, counts what is reported, and calls no model")
async def check_test_context(context: Context) -> None:
    await agent_contexts.check_test_context()


@then("a context made without a loop carries deps and labels")
def check_loopless_context(context: Context) -> None:
    agent_contexts.check_loopless_context()
