"""Steps about the face of the package."""

from __future__ import annotations

from behave import then, when
from behave.runner import Context

from cleveractors.testing import Turn
from features.lib import faces as lib
from features.lib.bench import bench
from features.lib.printed import printed
from features.lib.public_api import PINNED, public_api


@when("a fresh Python imports cleveractors")
def import_fresh(context: Context) -> None:
    bench(context).ways.value = lib.fresh(lib.IMPORTING, OPENAI_API_KEY="sk-env")


@when("a fresh Python makes an executor of the openai provider, and watches")
def make_fresh(context: Context) -> None:
    bench(context).ways.value = lib.fresh(lib.MAKING)


@when("a fresh Python asks an actor of the openai provider, blocking and streamed")
def run_fresh(context: Context) -> None:
    calls = [("get_weather", {"city": "Paris"})]
    bench(context).provider.script(Turn(calls=calls), Turn("Rain."), Turn(calls=calls), Turn("Rain."))
    bench(context).ways.value = lib.fresh(lib.RUNNING, bench(context).provider.base_url)


@when("a fresh Python makes an executor of an agent that uses the Responses API")
def make_responses(context: Context) -> None:
    bench(context).ways.value = lib.fresh(lib.RESPONDING, **lib.measuring())


@then("it has loaded {module:S}")
def loaded(context: Context, module: str) -> None:
    assert module in bench(context).ways.value["loaded"], bench(context).ways.value["loaded"]


@when("a run is begun without any loop")
def begin_outside(context: Context) -> None:
    lib.begin_outside(bench(context))


@then("the lazy table, the TYPE_CHECKING list and __all__ of {module} have the same names")
def names_alike(context: Context, module: str) -> None:
    lib.check_alike(module)


@then("every name of {module} can be had, has a docstring, and is the one of its home")
def names_had(context: Context, module: str) -> None:
    lib.check_names(module)


@then("asking cleveractors for a name that it has not fails with an AttributeError that names both")
def name_missing(context: Context) -> None:
    text = lib.missing_name()
    assert "cleveractors" in text and "no_such_name" in text, text


@then("a name that {module} has not is refused with an AttributeError that names both")
def name_missing_in(context: Context, module: str) -> None:
    text = lib.missing_name(module)
    assert module in text and "no_such_name" in text, text


@then('a host that prints {what} reads "{text}"')
async def host_prints(context: Context, what: str, text: str) -> None:
    found = await printed(bench(context), what)
    assert found == text, found


@then("it has loaded none of {names}")
def loaded_none(context: Context, names: str) -> None:
    loaded = set(bench(context).ways.value["loaded"])
    assert not loaded & set(names.split(", ")), sorted(loaded)


@then("it has read no environment, and written nothing")
def read_nothing(context: Context) -> None:
    found = bench(context).ways.value
    assert not any(name.startswith(("OPENAI", "LANG")) for name in found["read"]), found["read"]
    assert found["said"] == [""], found["said"]


@then("it has written nothing")
def wrote_nothing(context: Context) -> None:
    assert bench(context).ways.value["said"] == [""], bench(context).ways.value["said"]


@then("its logger has a NullHandler")
def null_handler(context: Context) -> None:
    assert bench(context).ways.value["handlers"] == ["NullHandler"]


@then("it has opened no socket, no loop and no thread")
def opened_nothing(context: Context) -> None:
    assert bench(context).ways.value["opened"] == [], bench(context).ways.value["opened"]


@then("no module was imported by the runs")
def imported_nothing(context: Context) -> None:
    assert bench(context).ways.value["late"] == [], bench(context).ways.value["late"]


@then('the public names and signatures are those of "features/public_api.txt"')
def names_pinned(context: Context) -> None:
    found, written = public_api().splitlines(), PINNED.read_text(encoding="utf-8").splitlines()
    changed = [
        *(f"- {one}" for one in written if one not in found),
        *(f"+ {one}" for one in found if one not in written),
    ]
    assert not changed and found == written[: len(found)], "\n".join(changed)
