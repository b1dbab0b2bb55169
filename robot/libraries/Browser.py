"""A real browser on a page of this machine, where one is installed: Chromium without a window, told by pipes."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from typing import Any

from robot.api.deco import keyword, library

NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
OPTIONS = (
    "--headless",
    "--remote-debugging-pipe",
    # Containers have no sandbox to offer, and only our own page is shown.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)
PATIENCE = 60
"""Seconds for one answer of the browser, on a slow machine too."""


@library(scope="SUITE")
class Browser:
    """One page a suite."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._profile: tempfile.TemporaryDirectory[str] | None = None
        self._to = self._from = -1
        self._read = b""
        self._number = 0
        self._session: str | None = None

    @keyword
    def browser_is_here(self) -> bool:
        """Whether there is one on this machine's PATH."""
        return _program() is not None

    @keyword
    def open_page(self, address: str) -> None:
        """Show a page, in a browser that is started for it where none runs yet."""
        if self._process is None:
            self._start()
            target = self._tell("Target.createTarget", url="about:blank")["targetId"]
            self._session = self._tell("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        failure = self._tell("Page.navigate", url=address).get("errorText")
        assert failure is None, f"{address}: {failure}"
        self.wait_on_page("document.readyState === 'complete'")

    @keyword
    def on_page(self, script: str) -> Any:
        """The value of an expression of JavaScript."""
        answer = self._tell("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, f"{script}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    @keyword
    def wait_on_page(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.on_page(condition):
            if time.monotonic() > deadline:
                raise AssertionError(f"{condition} is not true of:\n{self.on_page('document.body.innerText')}")
            time.sleep(0.05)

    @keyword
    def close_browser(self) -> None:
        """End the browser, and all that it started."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        assert self._profile is not None
        self._profile.cleanup()
        self._process = None

    def _start(self) -> None:
        program = _program()
        assert program is not None, "there is no browser on this machine"
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        theirs, self._to = os.pipe()
        self._from, answers = os.pipe()
        # It reads commands from descriptor 3, and writes answers to 4.
        command = f'exec "$@" 3<&{theirs} 4>&{answers}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, "bash", program, *OPTIONS, f"--user-data-dir={self._profile.name}"],
            pass_fds=(theirs, answers),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(answers)

    def _tell(self, method: str, **params: Any) -> dict[str, Any]:
        """Have a command done, and return what came of it."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            command["sessionId"] = self._session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            pass
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        """The next thing that the browser says."""
        while b"\0" not in self._read:
            ready, _, _ = select.select([self._from], [], [], PATIENCE)
            piece = os.read(self._from, 65536) if ready else b""
            assert piece, "the browser says nothing any more"
            self._read += piece
        said, _, self._read = self._read.partition(b"\0")
        return json.loads(said)


def _program() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)
