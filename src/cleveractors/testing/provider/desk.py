"""The provider's desk: records each request, checks it, and finds who answers it."""

from __future__ import annotations

import json
import time

from cleveractors.testing.provider.answer import settle_answer
from cleveractors.testing.provider.connection import Connection, ConnectionRegistry, Service
from cleveractors.testing.provider.errors import error_json, error_message, status_body
from cleveractors.testing.provider.exchange import Exchange, Reply
from cleveractors.testing.provider.fault import StatusFault, is_billed
from cleveractors.testing.provider.frames import stream_frames
from cleveractors.testing.provider.history import check_chat, check_key
from cleveractors.testing.provider.http1 import HttpRequest
from cleveractors.testing.provider.ledger import Ledger
from cleveractors.testing.provider.meter import Meter
from cleveractors.testing.provider.notice import Notice
from cleveractors.testing.provider.request import RecordedRequest, json_object
from cleveractors.testing.provider.script import Script
from cleveractors.testing.provider.stream import AnswerStream
from cleveractors.testing.provider.turn import Turn


class Desk:
    """The state of a provider and the way a request takes through it.

    Args:
        api_key: The only key accepted; `None` accepts any request.
        strict_history: Whether unpaired tool calls and tool messages are rejected.
    """

    def __init__(self, api_key: str | None, strict_history: bool) -> None:
        self._api_key = api_key
        self._strict_history = strict_history
        self.notice = Notice()
        self.script = Script()
        self.ledger = Ledger(self.notice)
        self.connections = ConnectionRegistry(self.notice)
        self.requests: list[RecordedRequest] = []
        self.problems: list[str] = []

    def serve(self, request: HttpRequest, connection: Connection) -> Service:
        """Record a request and give what answers it.

        Args:
            request: The request.
            connection: The connection it came on.

        Returns:
            The service to run.
        """
        recorded = self._record(request, connection)
        target = (recorded.method, recorded.path.partition("?")[0])
        if target == ("POST", "/v1/chat/completions"):
            return self._chat(recorded, connection)
        rejection = check_key(recorded, self._api_key)
        if rejection is not None:
            return self._reply(recorded, connection, rejection.status, status_body(rejection))
        if target == ("GET", "/v1/models"):
            return self._reply(recorded, connection, 200, self._models())
        error = error_json(f"Invalid URL ({target[0]} {target[1]})", "invalid_request_error", "unknown_url")
        return self._reply(recorded, connection, 404, error.encode())

    def report(self, problem: str) -> None:
        """Take note of a mistake in the script or in a request."""
        self.problems.append(problem)

    def clear(self) -> None:
        """Forget the script, the recorded requests, the ledger and the problems."""
        self.script.clear()
        self.requests.clear()
        self.problems.clear()
        self.ledger.clear()

    def _record(self, request: HttpRequest, connection: Connection) -> RecordedRequest:
        recorded = RecordedRequest(
            order=len(self.requests),
            method=request.method,
            path=request.path,
            headers=request.headers,
            body=json_object(request.body) or {},
            raw=request.body,
            arrived=time.monotonic(),
            connection=connection.number,
        )
        self.requests.append(recorded)
        self.notice.check()
        return recorded

    def _reply(self, request: RecordedRequest, connection: Connection, status: int, body: bytes) -> Reply:
        headers = {"content-type": "application/json", "x-request-id": f"req_{request.order:06d}"}
        return Reply(connection, status, headers, b"" if request.method == "HEAD" else body)

    def _chat(self, request: RecordedRequest, connection: Connection) -> Exchange:
        rejection = check_key(request, self._api_key)
        if rejection is not None:
            return self._exchange(request, connection, Turn(fault=rejection))
        rejection = check_chat(request, self._strict_history)
        if rejection is not None:
            self.report(f"request {request.order} was rejected: {error_message(rejection)}")
            return self._exchange(request, connection, Turn(fault=rejection))
        try:
            turn = self.script.take(request)
            if turn is not None:
                return self._exchange(request, connection, turn)
            problem, code = f"the script has no turn left for model {request.model!r}", "script_exhausted"
        except BaseException as error:
            # A responder is the user's code and may fail in any way, as test frameworks do by exceptions that are
            # no Exception; the client must get an answer all the same.
            problem, code = f"the script failed: {type(error).__name__}: {error}", "script_failed"
        return self._blame_script(request, connection, f"request {request.order}: {problem}", code)

    def _blame_script(self, request: RecordedRequest, connection: Connection, problem: str, code: str) -> Exchange:
        self.report(problem)
        # A status that nobody retries, and a header that the OpenAI client obeys: a retry would repeat the mistake.
        fault = StatusFault(400, code=code, message=problem, headers={"x-should-retry": "false"})
        return self._exchange(request, connection, Turn(fault=fault))

    def _exchange(self, request: RecordedRequest, connection: Connection, turn: Turn) -> Exchange:
        answer = settle_answer(turn, request)
        meter = Meter(self.ledger, answer, request.order, request.streamed, is_billed(turn.fault))
        stream = None
        if request.streamed:
            stream = AnswerStream(turn, stream_frames(turn, answer, request.wants_usage), meter)
        return Exchange(connection, turn, answer, meter, stream)

    def _models(self) -> bytes:
        names = self.script.models() or ("scripted-model",)
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "scripted"} for name in names]
        return json.dumps({"object": "list", "data": data}).encode()
