"""The scripted provider as a process of its own, e.g. for benchmarks.

`python -m cleveractors.testing.provider --port-file F --forever '{"text": "Hello", "chunks": 2}'` serves until it
gets SIGTERM or SIGINT (or, with `--until-eof`, until its standard input ends).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path

from cleveractors.testing.provider.fault import StatusFault
from cleveractors.testing.provider.request import json_object
from cleveractors.testing.provider.server import ScriptedProvider
from cleveractors.testing.provider.turn import Call, Turn
from cleveractors.testing.provider.wire import Wire


def turn_from_json(text: str) -> Turn:
    """Read a turn from JSON.

    Args:
        text: An object with the fields of `Turn`; `calls` as objects with the fields of `Call`,
            `wire` with those of `Wire`, `fault` with those of `StatusFault`. Gates are not possible.

    Returns:
        The turn.

    Raises:
        ValueError: The text is no such object.
    """
    fields = json_object(text.encode())
    if fields is None:
        raise ValueError("no turn: it is no JSON object")
    try:
        fields["calls"] = [Call(**call) for call in fields.get("calls", ())]
        for name, kind in (("wire", Wire), ("fault", StatusFault)):
            if name in fields:
                fields[name] = kind(**fields[name])
        return Turn(**fields)
    except (AttributeError, TypeError) as error:
        raise ValueError(f"no turn: {error}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop.

    Args:
        arguments: The command line; `None`: the process's.

    Returns:
        The exit status: 0 after it was told to stop, 1 when it can't serve.
    """
    options = _parse(arguments)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stopping.set())
    try:
        provider = ScriptedProvider(options.forever, api_key=options.api_key, port=options.port)
        provider.script(*options.turn)
        provider.start()
    except (OSError, ValueError) as error:
        print(f"cleveractors.testing.provider: {error}", file=sys.stderr)
        return 1
    with closing(provider):
        _write(options.port_file, str(provider.port))
        if options.until_eof:
            threading.Thread(target=_drain_input, args=(stopping,), daemon=True).start()
        stopping.wait()
    if options.report_file is not None:
        report = {"totals": asdict(provider.totals()), "cpu_seconds": time.process_time()}
        _write(options.report_file, json.dumps(report | {"problems": provider.problems}))
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("cleveractors.testing.provider", description="An OpenAI-compatible test server.")
    parser.add_argument("--port-file", type=Path, required=True, help="where to write the port once it listens")
    parser.add_argument("--port", type=int, default=0, help="the port; 0: any free one")
    parser.add_argument("--turn", type=_turn, action="append", default=[], help="a turn as JSON; repeatable")
    parser.add_argument("--forever", type=_turn, help="the turn, as JSON, for all further requests")
    parser.add_argument("--api-key", help="the only key accepted")
    parser.add_argument("--report-file", type=Path, help="where to write totals and CPU time at the end, as JSON")
    parser.add_argument("--until-eof", action="store_true", help="stop also when standard input ends")
    return parser.parse_args(arguments)


def _turn(text: str) -> Turn:
    try:
        return turn_from_json(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _drain_input(stopping: threading.Event) -> None:
    # Not by the file object: a thread that is left in its read makes Python abort at its end.
    with suppress(OSError):
        while os.read(0, 65536):
            pass
    stopping.set()


def _write(path: Path, text: str) -> None:
    # Renamed into place, so that whoever waits for the file never reads half of it.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
