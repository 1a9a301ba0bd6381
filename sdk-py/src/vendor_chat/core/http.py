"""One HTTP/1.1 connection to the server, on the standard library. Never follows a redirect."""

from __future__ import annotations

import errno
import http.client
import importlib
import io
import select
import socket
import ssl
import time
from collections.abc import Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from vendor_chat import _protocol as wire
from vendor_chat.core.policy import NetworkError, Outcome, Response, TimedOut

# The first look-up of a host imports it, and the sending thread must import nothing: see engine.
importlib.import_module("encodings.idna")

_BODY_WAIT_S = 1.0
"""For the body of an answer that is decided by its status already. transport.md C26."""


class Target(NamedTuple):
    """Where batches go."""

    url: str
    """``{endpoint}/v1/events``."""
    headers: Mapping[str, str]
    timeout_s: float
    """Longest attempt, from connect to the end of the headers."""


class _Deadline:
    """A point in time that every read and write of one attempt shares."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = 0.0

    def set(self, seconds: float) -> None:
        self.at = time.perf_counter() + seconds

    def left_s(self) -> float:
        left = self.at - time.perf_counter()
        if left <= 0:
            raise TimeoutError("deadline")
        return left


class _DeadlineReader(io.RawIOBase):
    """Reads a socket; a server that drips a byte a second cannot extend the deadline."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._sock.settimeout(self._deadline.left_s())
        return self._sock.recv_into(buffer)


class _SocketView:
    """What ``HTTPResponse`` takes of a socket. It closes the reader, the connection stays."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._reader = _DeadlineReader(sock, deadline)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._reader)


class _Answer(http.client.HTTPResponse):
    """Passes over 103 and its relatives; the standard library knows 100 only."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            line = cast("tuple[str, int, str]", super()._read_status())  # type: ignore[misc]
            if not 102 <= line[1] <= 199:
                return line
            http.client.parse_headers(self.fp)


class HttpSender:
    """Sends bodies one after the other over one kept-alive connection. Used by one thread."""

    def __init__(self, target: Target) -> None:
        self._target = target
        parts = urlsplit(target.url)
        self._tls = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._tls else 80)
        self._path = parts.path
        host = f"[{self._host}]" if ":" in self._host else self._host
        self._host_header = host if parts.port is None else f"{host}:{parts.port}"
        self._sock: socket.socket | None = None
        self._deadline = _Deadline()
        self._context: ssl.SSLContext | None = None

    def post(self, body: bytes) -> Outcome:
        """One attempt. Never raises."""
        self._deadline.set(self._target.timeout_s)
        try:
            return self._attempt(body)
        except TimeoutError:
            self.close()
            return TimedOut()
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            return NetworkError(_code(error))

    def abort(self) -> None:
        """Ends an attempt from another thread."""
        sock = self._sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                # It is closed already, which was the aim.
                return

    def close(self) -> None:
        sock, self._sock = self._sock, None
        if sock is not None:
            sock.close()

    def _attempt(self, body: bytes) -> Outcome:
        if self._sock is not None and _is_readable(self._sock):
            # An idle connection has nothing to read but its end: the server closed it.
            self.close()
        sock = self._sock = self._sock or self._connect()
        sock.settimeout(self._deadline.left_s())
        sock.sendall(self._head(len(body)) + body)
        answer = _Answer(_SocketView(sock, self._deadline), method="POST")  # type: ignore[arg-type]
        answer.begin()
        header = answer.getheader
        response = Response(
            status=answer.status,
            location=header("Location"),
            retry_after=header("Retry-After"),
            date=header("Date"),
            body=self._body(answer),
        )
        if answer.will_close or not answer.isclosed() or answer.status == 101:
            self.close()
        return response

    def _head(self, length: int) -> bytes:
        lines = [f"POST {self._path} HTTP/1.1", f"Host: {self._host_header}"]
        lines += [f"{name}: {value}" for name, value in self._target.headers.items()]
        lines += [f"Content-Length: {length}", "", ""]
        return "\r\n".join(lines).encode("latin-1")

    def _connect(self) -> socket.socket:
        sock = socket.create_connection((self._host, self._port), self._deadline.left_s())
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls:
                if self._context is None:
                    self._context = ssl.create_default_context()
                sock.settimeout(self._deadline.left_s())
                sock = self._context.wrap_socket(sock, server_hostname=self._host)
        except BaseException:
            sock.close()
            raise
        return sock

    def _body(self, answer: http.client.HTTPResponse) -> bytes:
        """At most 64 KiB within 1 s; more is left, and with it the connection."""
        self._deadline.set(min(_BODY_WAIT_S, max(0.0, self._target.timeout_s)))
        try:
            body = answer.read(wire.ANSWER_BYTES_MAX)
            if not answer.isclosed() and answer.read(1) == b"":
                answer.close()
        except (OSError, http.client.HTTPException, ValueError):
            self.close()
            return b""
        return body


def _is_readable(sock: socket.socket) -> bool:
    try:
        if not hasattr(select, "poll"):
            return bool(select.select([sock], [], [], 0)[0])
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return bool(poll.poll(0))
    except (OSError, ValueError):
        # It is closed: a new connection is the way.
        return True


def _code(error: BaseException) -> str:
    """A short code, such as ``ECONNREFUSED``. The text of an error could quote a header."""
    if isinstance(error, socket.gaierror):
        return "ENOTFOUND"
    number = getattr(error, "errno", None)
    if isinstance(number, int) and number in errno.errorcode:
        return errno.errorcode[number]
    return type(error).__name__
