"""How an extra that is missing is installed: one wording for every room that needs one."""

from __future__ import annotations

__all__ = ["install"]


def install(extra: str) -> str:
    """The command, as it is typed anywhere and in the folder of the source.

    Args:
        extra: such as `web`.
    """
    return f"pip install 'cleveractors[{extra}]', or '.[{extra}]' in the project's folder"
