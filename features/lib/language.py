"""Actor files for the features: what the host offers, how a file is made, what came of reading it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, cast

import jsonschema
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cleveractors.config import (
    ActorConfig,
    ActorPolicy,
    AgentConfig,
    ModelAgentConfig,
    ProviderFacts,
    Surroundings,
    json_schema,
    load_actor,
    render,
    substitute,
)
from cleveractors.exceptions import ConfigurationError, Problem

BREAK = "⏎"
SECONDS = 5.0  # far above what any file takes here, far below what one without bounds takes


class EchoConfig(AgentConfig):
    """A host's own agent type."""

    greeting: str = "hello"
    since: date = date(2024, 1, 1)
    loud: bool = False

    def model_post_init(self, context: object) -> None:
        if self.greeting == "forbidden":
            raise ValueError("that greeting is not polite")


class RouterConfig(ModelAgentConfig):
    """A host's own agent type that calls a model; one of its fields has no JSON schema."""

    routes: dict[str, Callable[[], object]] | None = None


HOST = Surroundings(
    tools=frozenset({"get_weather", "search"}),
    providers={
        "openai": ProviderFacts(base_urls=("https://eu.example.com/v1",)),
        "near": ProviderFacts(base_url="http://127.0.0.1:8000/v1"),
        "far": ProviderFacts(base_urls=("https://far.example.com/v1/",)),
        "house": ProviderFacts(foreign=True),
    },
    agent_types={"echo": EchoConfig, "router": RouterConfig},
)


@dataclass
class Language:
    """One reading of one document."""

    host: Surroundings = HOST
    overrides: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    actor: ActorConfig | None = None
    error: ConfigurationError | None = None
    text: str = ""
    seconds: float = 0.0

    def allow(self, **bounds: Any) -> None:
        """Change the host's policy."""
        self.host = replace(self.host, policy=replace(self.host.policy, **bounds))

    def read(self, source: object) -> None:
        """Load a document of any kind; an error is kept as the result."""
        began = time.perf_counter()
        self.actor = self.error = None
        try:
            self.actor = load_actor(cast("str", source), self.host, overrides=self.overrides)
        except ConfigurationError as error:
            self.error = error
        self.seconds = time.perf_counter() - began

    def read_file(self, content: str | bytes, name: str = "actor.yaml") -> None:
        """Write a file and load it."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            self.read(path)

    def read_kind(self, kind: str) -> None:
        """Load a file of a kind that no text can show."""
        with tempfile.TemporaryDirectory() as folder:
            self.read(KINDS[kind](Path(folder)))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was found wrong."""
        assert self.error is not None, f"it was read: {self.actor}"
        return self.error.problems

    @property
    def lines(self) -> list[str]:
        """The problems, one a line: `2:5 agents.a.model: message (hint)`, files left out."""
        return [line_of(problem) for problem in self.problems]

    @property
    def shown(self) -> str:
        """The error as a terminal shows it, the folder of the file left out."""
        assert self.error is not None, "nothing was refused"
        folder = os.path.dirname(self.problems[0].file or "")
        return render(self.error).replace(f"{folder}{os.sep}", "") if folder else render(self.error)

    def agent(self, name: str) -> dict[str, Any]:
        """An agent as data."""
        assert self.actor is not None, f"it was refused: {self.error}"
        return self.actor.agents[name].model_dump(mode="json")

    def check_bounds(self) -> None:
        """Whatever was in the file: the answer came soon, and is short and clean."""
        assert self.seconds < SECONDS, f"{self.seconds:.1f} s"
        told = f"{self.error}{render(self.error)}" if self.error else ""
        assert len(told) < 200_000, f"{len(told)} characters"
        assert all(char.isprintable() or char in "\n\t" for char in told), ascii(told)


def line_of(problem: Problem) -> str:
    """A problem in one line."""
    place = f"{problem.line}:{problem.column} " if problem.line else ""
    path = f"{problem.path}: " if problem.path else ""
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{place}{path}{problem.message}{hint}"


def unfolded(text: str) -> str:
    """The text of a table's cell with its line breaks, tabs and pipes."""
    return text.replace(BREAK, "\n").replace("⇥", "\t").replace("¦", "|")


def _written(name: str, content: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content)
        return path

    return write


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "actor.yaml")
    return folder / "actor.yaml"


def _folder(folder: Path) -> Path:
    (folder / "actor.yaml").mkdir()
    return folder / "actor.yaml"


def _device(folder: Path) -> Path:
    (folder / "actor.yaml").symlink_to("/dev/zero")
    return folder / "actor.yaml"


def _locked(folder: Path) -> Path:
    (folder / "actor.yaml").symlink_to("actor.yaml")
    return folder / "actor.yaml"


def _bomb(text: str, times: int) -> bytes:
    levels = [f"a0: &a0 {text}"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, times)]
    return "\n".join(levels).encode()


_MANY = 60_000
_BAD_TOOLS = b" a%d: {model: x, tools: [" + b",".join(b"t%d" % n for n in range(300)) + b"]}\n"
KINDS: dict[str, Callable[[Path], object]] = {
    "missing": lambda folder: folder / "actor.yaml",
    "a pipe": _pipe,
    "a directory": _folder,
    "a device": _device,
    "a link to itself": _locked,
    "a path with NUL": lambda folder: "a\0.yaml",
    "a text instead of a path": lambda folder: "model: x\nname: y",
    "a Python file": _written("actor.py", b"model: x"),
    "10 MB": _written("actor.yaml", b"x" * 10_000_000),
    "empty": _written("actor.yaml", b""),
    "only comments": _written("actor.yaml", b"# nothing\n" * 1000),
    "an empty JSON": _written("actor.json", b" \n"),
    "Latin-1": _written("actor.yaml", "model: x\nname: café".encode("latin-1")),
    "UTF-16": _written("actor.yaml", "model: x".encode("utf-16")),
    "UTF-32": _written("actor.yaml", "\ufeffmodel: x".encode("utf-32-be")),
    "with NUL": _written("actor.yaml", b"model: x\nname: a\0b"),
    "with an escape sequence": _written("actor.yaml", b"model: x\nname: \x1b[31m"),
    "an alias bomb": _written("actor.yaml", _bomb("[x, x]", 12)),
    "a text bomb": _written("actor.yaml", _bomb("x" * 100_000, 3)),
    "10,000 open brackets": _written("actor.yaml", b"[" * 10_000),
    "10,000 open braces": _written("actor.yaml", b"{" * 10_000),
    "10,000 nested JSON lists": _written("actor.json", b"[" * 10_000 + b"]" * 10_000),
    "100 nested JSON lists": _written("actor.json", b'{"model": ' + b"[" * 100 + b"]" * 100 + b"}"),
    "JSON with 5,000 digits": _written("actor.json", b'{"model": ' + b"9" * 5000 + b"}"),
    "JSON with 4,000 digits": _written("actor.json", b'{"model": "x", "tool_max_rounds": ' + b"9" * 4000 + b"}"),
    "JSON with -4,000 digits": _written("actor.json", b'{"model": "x", "tool_max_rounds": -' + b"9" * 4000 + b"}"),
    "many values": _written("actor.yaml", b"a: [" + b"1," * _MANY + b"]"),
    "many keys": _written("actor.yaml", b"model: x\n" + b"".join(b"k%d: 1\n" % n for n in range(9000))),
    "one key many times": _written("actor.yaml", b"model: x\n" * 9000),
    "many unclosed templates": _written("actor.yaml", b"model: x\nsystem_prompt: '" + b"{{" * _MANY + b"'"),
    "many expressions": _written("actor.yaml", b"model: x\nsystem_prompt: '" + b"{{f()}}" * 30_000 + b"'"),
    "many bad turns": _written("actor.yaml", b"model: x\nscript: [" + b"{t: 1}," * 6000 + b"]"),
    "many agents": _written("actor.yaml", b"agents:\n" + b"".join(b" a%d: {modl: x}\n" % n for n in range(4000))),
    "many bad tools": _written("actor.yaml", b"agents:\n" + b"".join(_BAD_TOOLS % n for n in range(20))),
    "many mistakes, then no YAML": _written("actor.yaml", b"model: x\n" * 60 + b"name: ["),
    "a name of 300 characters": _written("actor.yaml", b"agents: {" + b"a" * 300 + b": {model: x}}"),
    "an entry of 300 characters": _written("actor.yaml", b"model: x\nentry: " + b"a" * 300),
    "a tool of 300 characters": _written("actor.yaml", b"model: x\ntools: [" + b"a" * 300 + b"]"),
    "a key of 3,000 characters": _written("actor.yaml", b"model: x\n? " + b"a" * 3000 + b"\n: 1"),
    "an impossible escape": _written("actor.yaml", b'model: "\\UFFFFFFFF"'),
    "an impossible version": _written("actor.yaml", b"%YAML 1." + b"9" * 5000 + b"\n---\nmodel: x"),
    "one long line": _written("actor.yaml", b"model: x\nzz: [" + b"word, " * 8000 + b"]"),
}


def check_subset(actual: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Every expected key is there with its value."""
    wrong = {key: actual.get(key) for key, value in expected.items() if actual.get(key) != value}
    assert not wrong, f"{wrong} instead of { ({key: expected[key] for key in wrong}) }"


def schema_accepts(document: Any) -> bool:
    """Whether an editor would accept a document; the schema itself is checked as well."""
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator: Any = jsonschema.Draft202012Validator(schema)
    return bool(validator.is_valid(document))


def imported_by(module: str) -> set[str]:
    """The modules loaded by importing one in a fresh process."""
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(json.loads(done.stdout))


_WORDS: Sequence[str] = (
    *("model: x\n", "agents:\n", "  a: {model: x}\n", "name: ", "tools: [search]\n", "&a ", "*a", "!!str ", "<<: "),
    *("? ", "- ", "[", "]", "{", "}", ": ", "\n", "  ", "\t", "#", "|\n", ">\n", "'", '"', "%YAML 1.1\n", "---\n"),
    *("yes", "1e9", ".nan", "{{", "}}", "{%", '"\\x00"', '"\\ud800"', '"\\UFFFFFFFF"', "\u2028", "\x85", "\ufeff"),
    *("\0", "...\n"),
)


def check_any_bytes(examples: int) -> None:
    """Any bytes, as YAML and as JSON, are an actor or one clear error, soon."""
    fragments = st.lists(st.sampled_from(_WORDS), max_size=40).map(lambda words: "".join(words).encode())

    @settings(max_examples=examples)
    @given(st.binary(max_size=2048) | fragments, st.sampled_from(["actor.yaml", "actor.json"]))
    @example(b"\xef\xbb\xbf\xe2\x80\x82\xb3", "actor.yaml")
    def check(content: bytes, name: str) -> None:
        language = Language()
        language.read_file(content, name)
        language.check_bounds()

    check()


def check_any_substitution(examples: int) -> None:
    """What a value holds is never replaced, whatever it is."""
    texts = st.text(max_size=20) | st.sampled_from(["{{ a }}", "{{ b }}", "{{", "}}", "{% x %}"])

    @settings(max_examples=examples)
    @given(texts, texts, st.lists(st.sampled_from(["a", "b"]), max_size=6))
    def check(first: str, second: str, names: list[str]) -> None:
        values = {"a": first, "b": second}
        text = "-".join(f"{{{{ {name} }}}}" for name in names)
        assert substitute(text, {"a": "", "b": second}, {"a": first}) == "-".join(values[name] for name in names)

    check()


def policy_error(**bounds: Any) -> str:
    """What a policy that makes no sense is refused with."""
    try:
        ActorPolicy(**bounds)
    except ConfigurationError as error:
        return str(error)
    raise AssertionError("the policy was accepted")
