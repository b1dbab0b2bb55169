"""The hooks around the scenarios: each gets a fresh world, one event loop, a time limit, and has to leave nothing."""

import atexit
import os
import sys
import traceback
from pathlib import Path

# `from features.lib… import …` works in every step file, however behave was started.
sys.path.insert(0, str(Path(__file__).parent.parent))

import hypothesis
from behave.model import Scenario, Step
from behave.runner import Context

from features.lib.guard import Guard
from features.lib.world import World

SECONDS, SLOW_SECONDS = 30.0, 120.0  # the time limit of a scenario, and of one tagged @slow
FOREIGN = ("OPENAI_", "LANGCHAIN_", "LANGSMITH_")  # settings of the person's machine that no test may depend on


def before_all(context: Context) -> None:
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        del os.environ[name]
    hypothesis.settings.register_profile("features", deadline=None, database=None, derandomize="CI" in os.environ)
    hypothesis.settings.load_profile("features")
    atexit.register(_cut_short)


def after_all(context: Context) -> None:
    atexit.unregister(_cut_short)


def before_scenario(context: Context, scenario: Scenario) -> None:
    context.guard = Guard(SLOW_SECONDS if "slow" in scenario.effective_tags else SECONDS)
    context.world = World(context.guard.loop)
    context.guard.start()


def before_step(context: Context, step: Step) -> None:
    context.guard.enter_loop()


def after_step(context: Context, step: Step) -> None:
    if isinstance(step.exception, AssertionError):
        print(_last_frame(step.exception))


def after_scenario(context: Context, scenario: Scenario) -> None:
    context.guard.run(context.world.close())
    faults = context.guard.finish()
    if (unseen := context.world.unseen_error()) is not None:
        faults.append("no step looked at this error:\n" + "".join(traceback.format_exception(unseen)))
    if faults:
        raise AssertionError("\n".join(faults))


def _cut_short() -> None:
    """A SystemExit that a step lets out would end behave with that step's exit code, 0 perhaps."""
    print("The run was cut short: a step has ended the process.", file=sys.__stderr__, flush=True)
    os._exit(70)


def _last_frame(error: BaseException) -> str:
    """Where *error* was raised, with the values there: a plain `assert` says no more than that it failed."""
    trace = traceback.TracebackException.from_exception(error, capture_locals=True, compact=True)
    trace.stack[:-1] = []
    return "".join(trace.format())
