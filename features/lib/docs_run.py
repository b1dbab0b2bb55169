"""The blocks of the pages as programs; `python -m features.lib.docs_run` runs all of them and tells what failed.

A page has a folder of its own, with the examples beside it. A block whose title is a file's name is that file, for the
blocks behind it. The network is closed; whoever asks OpenAI is answered by a scripted provider on loopback.
"""

from __future__ import annotations

import io
import json
import linecache
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from cleveractors.testing import ScriptedProvider, Turn, block_network
from features.lib.docs_blocks import bare, commands_of
from features.lib.docs_pages import FRAGMENT, ROOT, Block, Page, documentation

__all__ = ["Story", "programs", "run_all"]

NOT_RUN = (
    *("pip ", ".venv/bin/pip ", "pip-audit", "nox", "python -m "),
    *("uvicorn ", "curl ", "export ", "source "),
)
"""Commands that install, serve, or change the shell: their words are checked, they are not run."""

_EXIT = re.compile(r"# exits with (\d+)")


def run_all(seconds: float) -> dict[str, Any]:
    """Run the blocks of all pages in a fresh Python.

    Returns:
        `programs` and `commands`, how many were run, and `faults`, a text for each that failed.
    """
    command = [sys.executable, "-m", "features.lib.docs_run"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=ROOT, timeout=seconds)
    if done.returncode:
        return {"programs": 0, "commands": 0, "faults": [done.stderr[-4000:]]}
    return json.loads(done.stdout.splitlines()[-1])


class Story:
    """The blocks of all pages, one after the other, and how they fared."""

    def __init__(self) -> None:
        self.programs = 0
        self.commands = 0
        self.faults: list[str] = []

    def run_page(self, page: Page, tools: Path) -> None:
        """Run the blocks of a page in a folder of its own."""
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            Path("examples").symlink_to(ROOT / "examples")
            sys.path.insert(0, folder)
            before = set(sys.modules)
            for block in page.blocks:
                self._run_block(block, tools)
            sys.path.remove(folder)
            for name in set(sys.modules) - before:
                # A page's own files must not stand in for another page's.
                if str(getattr(sys.modules[name], "__file__", None)).startswith(folder):
                    del sys.modules[name]

    def _run_block(self, block: Block, tools: Path) -> None:
        if block.title == FRAGMENT or block.title.startswith(("examples/", "src/")):
            return
        if block.title:
            Path(block.title).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            self.programs += 1
            said, fault = run_program(block)
            self._judge(block, said, fault)
        elif block.language == "console":
            wanted = [one for one in commands_of(block) if not bare(one).startswith(NOT_RUN)]
            self.commands += len(wanted)
            if wanted:
                self._judge(block, *run_commands(wanted, tools))

    def _judge(self, block: Block, said: str, fault: str) -> None:
        if fault:
            self.faults.append(f"{block.place}: {fault}")
            return
        missing = [line for line in (block.shown or "").splitlines() if line not in said]
        if missing:
            self.faults.append(f"{block.place}: {missing[0]!r} is not printed, but\n{said}")


def run_program(block: Block) -> tuple[str, str]:
    """Run a Python block as a program; what it printed, and its error."""
    module = ModuleType("__main__")
    own, sys.modules["__main__"] = sys.modules["__main__"], module
    written = io.StringIO()
    # Its lines stand in a traceback with their numbers in the page.
    text, name = "\n" * (block.line - 1) + block.text, block.place.partition(":")[0]
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    try:
        with redirect_stdout(written), redirect_stderr(written):
            exec(compile(text, name, "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit):
        return written.getvalue(), f"{traceback.format_exc()}\n{written.getvalue()}"
    finally:
        sys.modules["__main__"] = own
    return written.getvalue(), ""


def run_commands(commands: Iterable[str], tools: Path) -> tuple[str, str]:
    """Run the commands of a block with a shell of its own; what they printed, and which of them failed."""
    said: list[str] = []
    for command in commands:
        env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": _python_path()}
        script = ["bash", "-uo", "pipefail", "-c", command]
        done = subprocess.run(script, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env, timeout=60)
        said += done.stdout, done.stderr
        wanted = _EXIT.search(command)
        if done.returncode != int(wanted[1] if wanted else 0):
            return "", f"{command}\nended with {done.returncode}: {done.stdout}{done.stderr}"
    return "".join(said), ""


def _python_path() -> str:
    return os.pathsep.join([str(ROOT / "src"), str(ROOT / "examples")])


def programs(folder: Path) -> Path:
    """A folder with the programs that a page may call, whether they are installed or not."""
    for name, words in (("cleveractors", "-m cleveractors"), ("python", "")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    return folder


def main() -> int:
    """Run all pages; the last line says how they fared."""
    story = Story()
    sys.path.append(str(ROOT / "examples"))
    with tempfile.TemporaryDirectory() as folder, ScriptedProvider(Turn("Take a light jacket.")) as provider:
        os.environ |= {"OPENAI_API_KEY": "sk-of-nobody", "OPENAI_BASE_URL": provider.base_url}
        tools = programs(Path(folder))
        with block_network():
            for page in documentation():
                print(f"{page.path.name} …", file=sys.stderr, flush=True)
                story.run_page(page, tools)
    print(json.dumps(vars(story)))
    return 0


if __name__ == "__main__":
    sys.stdout.flush()
    status = main()
    sys.stdout.flush()
    # Threads that the programs have left must not hold up the end.
    os._exit(status)
