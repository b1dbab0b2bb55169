"""What can be said of a block without running it."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import re
import shlex
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import yaml

from cleveractors import ActorPolicy, ConfigurationError
from cleveractors.config import ProviderFacts, Surroundings, load_actor
from cleveractors.hooks.inspect import check_file
from features.lib.docs_pages import FRAGMENT, ROOT, Block, documentation, pages

__all__ = ["bare", "commands_of", "faults", "faults_of", "fragments", "pieces_of"]

_OWN_TYPES = re.compile(r"^ +type: (?!llm\b)", re.MULTILINE)
_SET = re.compile(r"^(?:[A-Z_]+=\S* +)+")
_SESSIONS = re.compile(r"^def (\w+)\(session: nox.Session\)", re.MULTILINE)


def faults() -> list[str]:
    """What is wrong with the blocks of all pages."""
    found = [(block, fault) for page in pages() for block in page.blocks for fault in faults_of(block)]
    return [f"{block.place}: {fault}" for block, fault in found]


def fragments() -> list[str]:
    """The places of the blocks that are marked as parts of programs."""
    return [block.place for page in documentation() for block in page.blocks if block.title == FRAGMENT]


def faults_of(block: Block) -> list[str]:
    """What is wrong with a block."""
    check = _CHECKS.get(block.language)
    if check is None:
        return [f"a block is one of {', '.join(_CHECKS)}, not {block.language or 'without a language'}"]
    try:
        return check(block)
    except (ValueError, SyntaxError, yaml.YAMLError, ConfigurationError) as error:
        return [f"{type(error).__name__}: {error}"]


def _text(block: Block) -> list[str]:
    del block
    return []


def _json(block: Block) -> list[str]:
    json.loads(block.text)
    return []


def _python(block: Block) -> list[str]:
    tree = ast.parse(block.text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if (node.module or "").partition(".")[0] == "cleveractors"]
    return [
        f"{node.module} has no {alias.name}"
        for node in ours
        for alias in node.names
        if not hasattr(importlib.import_module(str(node.module)), alias.name)
    ]


def _yaml(block: Block) -> list[str]:
    data: object = yaml.safe_load(block.text)
    if not isinstance(data, dict):
        return ["a YAML block is an actor, or a file of hooks"]
    actor = cast("dict[str, Any]", data)
    if _OWN_TYPES.search(block.text):
        return [] if block.title else ["an actor with types of its own needs a file's name, for a program to read it"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "block.yaml")
        file.write_text(block.text, encoding="utf-8")
        if "hooks" in actor:
            return [str(problem) for problem in check_file(str(file), cwd=str(ROOT / "examples/hooks")).problems]
        load_actor(file, _host_of(actor))
    return []


def _host_of(data: Mapping[str, Any]) -> Surroundings:
    """A host that has every tool and every provider which an actor names."""
    agents: Mapping[str, Any] = data.get("agents") or {"main": data}
    named = {str(name) for agent in agents.values() for name in agent.get("tools", ())}
    providers = {str(agent.get("provider", "openai")) for agent in agents.values()}
    foreign = {name: ProviderFacts(foreign=True) for name in providers - {"openai", "scripted"}}
    policy = ActorPolicy(scripted=True)
    return Surroundings(tools=frozenset(named - {*agents}), providers=foreign, policy=policy, subagents=True)


# Commands


def commands_of(block: Block) -> list[str]:
    """The commands of a console block: its lines, or those behind a `$`, where there are such."""
    lines = [line for line in block.text.splitlines() if line.strip()]
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return typed or lines


def bare(command: str) -> str:
    """A command without the variables that are set for it."""
    return _SET.sub("", command)


def _console(block: Block) -> list[str]:
    found = [_fault_of(command) for command in commands_of(block)]
    return [fault for fault in found if fault is not None]


def _fault_of(command: str) -> str | None:
    """What is wrong with a command, as far as it can be told without running it."""
    words = shlex.split(bare(command), comments=True)
    for name, check in _PROGRAMS.items():
        if words[: len(name)] == list(name):
            return check(words[len(name) :])
    return f"nobody knows the program of {command!r}"


def _nothing(words: list[str]) -> None:
    del words


def _nox(words: list[str]) -> str | None:
    sessions = set(_SESSIONS.findall((ROOT / "noxfile.py").read_text(encoding="utf-8")))
    named = [word.partition("-3")[0] for word in words if not word.startswith("-") and "." not in word[:2]]
    unknown = [word for word in named if word not in sessions] if words[:1] == ["-s"] else []
    return f"there is no session {unknown[0]}" if unknown and "--" not in words else None


def _install(words: list[str]) -> str | None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [extra for word in words for extra in re.findall(r"\[([\w,]+)\]", word)]
    unknown = [one for extra in extras for one in extra.split(",") if one not in project["optional-dependencies"]]
    return f"there is no extra {unknown[0]}" if unknown else None


def _module(words: list[str]) -> str | None:
    return None if importlib.util.find_spec(words[0]) is not None else f"there is no module {words[0]}"


def _file(words: list[str]) -> str | None:
    named = [word for word in words if word.startswith("examples/")]
    missing = [word for word in named if not (ROOT / word).exists()]
    return f"there is no {missing[0]}" if missing else None


_PROGRAMS: dict[tuple[str, ...], Callable[[list[str]], str | None]] = {
    ("cleveractors",): _file,
    ("python", "-m"): _module,
    (".venv/bin/pip", "install"): _install,
    ("pip", "install"): _install,
    ("pip-audit",): _nothing,
    ("python",): _file,
    ("uvicorn",): _file,
    ("curl",): _nothing,
    ("nox",): _nox,
    ("export",): _nothing,
    ("echo",): _nothing,
    ("source",): _nothing,
}

_CHECKS: dict[str, Callable[[Block], list[str]]] = {
    "python": _python,
    "yaml": _yaml,
    "console": _console,
    "json": _json,
    "text": _text,
}


# Pieces of files


def pieces_of(file: str) -> list[str]:
    """What is wrong with the blocks that show a file piece by piece: drift, and lines that none of them shows."""
    text = (ROOT / file).read_text(encoding="utf-8")
    shown = [block for page in documentation() for block in page.blocks if block.title == file]
    drifted = [f"{block.place} is not in {file} as it stands there" for block in shown if block.text not in text]
    covered: set[int] = set()
    for block in shown:
        if block.text in text:
            first = text.count("\n", 0, text.index(block.text))
            covered |= set(range(first, first + block.text.count("\n")))
    lines = text.splitlines()
    left = [f"{file}:{n + 1} is not shown: {line}" for n, line in enumerate(lines) if line.strip() and n not in covered]
    return drifted + left
