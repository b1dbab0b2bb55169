"""Runs behind a web server: streamed as server-sent events, ended when the client leaves. It needs the extra `web`."""

from __future__ import annotations

try:
    from cleveractors.web.response import SseResponse, sse_response
    from cleveractors.web.watching import abort_on_disconnect
except ModuleNotFoundError as error:
    from cleveractors.extras import install

    if error.name is None or error.name.partition(".")[0] != "starlette":
        raise
    raise ModuleNotFoundError(f"cleveractors.web needs an extra: {install('web')}", name=error.name) from None

__all__ = ["SseResponse", "abort_on_disconnect", "sse_response"]
