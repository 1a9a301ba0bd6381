"""Counts every HTTP attempt of a client through aiohttp's tracing. platform.md B2."""

from __future__ import annotations

import contextlib
import importlib
import re
from typing import Any

from vendor_chat.collect.adapter import HttpAttempt, Observer
from vendor_chat.discord.patches import Patches

_API = re.compile(r"/api(/v[0-9]+)?/")


class HttpTrace:
    def __init__(self, client: Any, observer: Observer) -> None:
        self._http = client.http
        self._observer = observer
        # The client has imported it; the SDK does not depend on it.
        aiohttp: Any = importlib.import_module("aiohttp")
        self._trace = aiohttp.TraceConfig()
        self._trace.on_request_end.append(self._ended)
        self._session: Any = None
        self._appended_to: Any = None

    def install(self, patches: Patches) -> None:
        """Before the login the library's own setting is used, after it the session."""
        http, trace = self._http, self._trace
        patches.on_undo(self._remove)
        if _session(http) is not None:
            self.join_session()
        if not hasattr(http, "http_trace"):
            # A fork without the setting: the session is joined after the login.
            return
        if http.http_trace is None:
            http.http_trace = trace
        elif not http.http_trace.on_request_end.frozen:
            self._appended_to = http.http_trace.on_request_end
            self._appended_to.append(self._ended)

    def join_session(self) -> None:
        """Adds the trace to the session, unless the login has done that."""
        session = _session(self._http)
        if session is None or session is self._session or self._appended_to is not None:
            return
        self._session = session
        if self._trace not in session._trace_configs:
            self._trace.freeze()
            session._trace_configs.append(self._trace)

    def _remove(self) -> None:
        if getattr(self._http, "http_trace", None) is self._trace:
            self._http.http_trace = None
        if self._session is not None and self._trace in self._session._trace_configs:
            self._session._trace_configs.remove(self._trace)
        if self._appended_to is not None and not self._appended_to.frozen:
            self._appended_to.remove(self._ended)

    async def _ended(self, _session: Any, _context: Any, params: Any) -> None:
        with contextlib.suppress(Exception):
            path = str(params.url.raw_path)
            status = params.response.status
            # The gateway's sockets appear as GET with 101; files lie below other paths.
            if status != 101 and _API.search(path):
                header = params.response.headers.get
                self._observer.http_attempt(HttpAttempt(params.method, path, status, header))


def _session(http: Any) -> Any:
    """The session after the login; None before."""
    session: Any = getattr(http, "_HTTPClient__session", None)
    return session if isinstance(getattr(session, "_trace_configs", None), list) else None
