"""The built site: `python -m features.lib.docs_site FOLDER` fails where a page would load something from elsewhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path

__all__ = ["foreign"]

_LOADS = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//[^>]*>"""
    r"""|<link\b[^>]*\bhref=["']?(?:https?:)?//[^>]*>"""
)
_STYLE = re.compile(r"""@import\s+[^;]*//[^;]*;|url\(\s*["']?(?:https?:)?//[^)]*\)""")


def foreign(site: Path) -> list[str]:
    """What the pages and styles of a site load from other servers when they are shown."""
    rules = {"*.html": _LOADS, "*.css": _STYLE}
    files = [(file, rule) for pattern, rule in rules.items() for file in sorted(site.rglob(pattern))]
    return [f"{file}: {found}" for file, rule in files for found in rule.findall(file.read_text(encoding="utf-8"))]


if __name__ == "__main__":
    loaded = foreign(Path(sys.argv[1]))
    if not Path(sys.argv[1], "index.html").is_file():
        loaded.append("there is no site")
    sys.exit("\n".join(loaded) or 0)
