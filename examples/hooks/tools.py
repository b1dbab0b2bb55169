"""The tool that has to be guarded. It runs nothing: it only says what a shell might say."""

from cleveractors import tool


@tool(name="Bash", destructive=True)
def bash(command: str) -> str:
    """Run a command in a shell.

    Args:
        command: the whole line.
    """
    return "notes.txt" if command.split()[0] == "ls" else "done"
