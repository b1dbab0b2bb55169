"""The table of all packages that an installation brings: `python -m features.lib.docs_dependencies` prints it.

Run it in an environment with the extra `all`; it belongs into `docs/dependencies.md`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from features.lib.docs_pages import ROOT

__all__ = ["named_by_project", "table", "unlisted"]

PAGE = ROOT / "docs/dependencies.md"
BASE = "base"


def named_by_project() -> dict[str, list[str]]:
    """What the project itself requires: `base` and each extra, with the names of their packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {BASE: project["dependencies"], **project["optional-dependencies"]}
    names = {group: [canonicalize_name(Requirement(one).name) for one in found] for group, found in groups.items()}
    return {group: [name for name in found if name != project["name"]] for group, found in names.items()}


def unlisted() -> list[str]:
    """Packages that the project requires and that its page does not list."""
    listed = set(re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    return sorted({name for found in named_by_project().values() for name in found} - listed)


def table() -> str:
    """The packages, what brings them, and their licences, as a Markdown table."""
    groups: dict[str, list[str]] = {}
    for group, names in named_by_project().items():
        for name in sorted(_reached(names)):
            groups.setdefault(name, []).append(group)
    lines = ["| package | version | brought by | licence |", "| --- | --- | --- | --- |"]
    for name, found in sorted(groups.items()):
        package = distribution(name)
        by = BASE if BASE in found else ", ".join(found)
        lines.append(f"| `{name}` | {package.version} | {by} | {_licence(package)} |")
    return "\n".join(lines)


def _reached(names: list[str]) -> set[str]:
    """These packages and all that they bring, as far as they are installed here."""
    seen: set[str] = set()
    asked: set[tuple[str, frozenset[str]]] = set()
    open_ = [Requirement(name) for name in names]
    while open_:
        wanted = open_.pop()
        name, extras = canonicalize_name(wanted.name), frozenset(wanted.extras)
        if (name, extras) in asked:
            continue
        asked.add((name, extras))
        try:
            required = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        seen.add(name)
        for one in map(Requirement, required):
            if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras or {""}):
                open_.append(one)
    return seen


def _licence(package: Distribution) -> str:
    told = package.metadata.json
    if expression := told.get("license_expression"):
        return str(expression)
    classifiers = [one for one in told.get("classifier", []) if one.startswith("License :: ")]
    plain = str(told.get("license", "unknown")).strip().splitlines()[0]
    return "; ".join(one.rpartition(" :: ")[2] for one in classifiers) or plain


if __name__ == "__main__":
    sys.stdout.write(f"{table()}\n")
