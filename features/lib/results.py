"""Count what the tests left in a folder of JUnit files: `python -m features.lib.results FOLDER`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree


def tally(folder: Path) -> Counter[str]:
    """How many tests `passed`, `failed` or were `skipped`, by the JUnit files below *folder*."""
    counts: Counter[str] = Counter()
    for file in sorted(folder.rglob("*.xml")):
        counts.update(_verdict(case) for case in ElementTree.parse(file).iter("testcase"))
    return counts


def closing_line(counts: Counter[str]) -> str:
    """The counts as one line."""
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    return f"{line}, {counts['skipped']} skipped" if counts["skipped"] else line


def _verdict(case: ElementTree.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None or case.get("status") == "untested" else "passed"


def main() -> int:
    counts = tally(Path(sys.argv[1]))
    print(closing_line(counts))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
