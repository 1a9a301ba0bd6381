"""A scripted ingest server on raw sockets: it can hang, drip, reset and answer nonsense."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

DEADLINE_S = 10.0


@dataclass
class Request:
    """One request as it arrived."""

    connection: int
    at_s: float
    line: str
    headers: dict[str, str]
    raw: bytes

    @property
    def batch(self) -> dict[str, Any]:
        return json.loads(self.raw)

    @property
    def events(self) -> list[dict[str, Any]]:
        return self.batch["events"]


Reply = Callable[[socket.socket, Request], bool]
"""Answers a request; false to end the connection."""


def status(code: int, *, body: bytes = b"{}", headers: Sequence[str] = ()) -> Reply:
    """An ordinary answer."""
    lines = [f"HTTP/1.1 {code} X", f"Content-Length: {len(body)}", *headers, "", ""]
    data = "\r\n".join(lines).encode() + body

    def reply(sock: socket.socket, _request: Request) -> bool:
        sock.sendall(data)
        return True

    return reply


def raw(data: bytes, *, keep: bool = True) -> Reply:
    """Bytes as they are."""

    def reply(sock: socket.socket, _request: Request) -> bool:
        sock.sendall(data)
        return keep

    return reply


def reset(before: bytes = b"") -> Reply:
    """Cuts the connection with RST, after ``before``."""

    def reply(sock: socket.socket, _request: Request) -> bool:
        if before:
            sock.sendall(before)
            time.sleep(0.05)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    return reply


def after(seconds: float, reply: Reply) -> Reply:
    """The same, later."""

    def late(sock: socket.socket, request: Request) -> bool:
        time.sleep(seconds)
        return reply(sock, request)

    return late


@dataclass
class Sink:
    """Answers from ``script`` first, then with ``default``."""

    default: Reply = field(default_factory=lambda: status(200))
    script: list[Reply] = field(default_factory=list[Reply])
    requests: list[Request] = field(default_factory=list[Request])
    url: str = ""
    connections: int = 0
    most_at_once: int = 0
    _at_once: int = 0

    def __post_init__(self) -> None:
        self._news = threading.Condition()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self.released = threading.Event()
        """Set at the end: hanging replies wait for it."""
        threading.Thread(target=self._accept, daemon=True).start()

    def hang(self, before: bytes = b"") -> Reply:
        """Sends ``before`` and then nothing more."""

        def reply(sock: socket.socket, _request: Request) -> bool:
            if before:
                sock.sendall(before)
            self.released.wait(60)
            return False

        return reply

    def drip(self, data: bytes, pause_s: float) -> Reply:
        """A byte at a time."""

        def reply(sock: socket.socket, _request: Request) -> bool:
            for index in range(len(data)):
                sock.sendall(data[index : index + 1])
                if self.released.wait(pause_s):
                    return False
            return True

        return reply

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events of all requests, those of refused ones included."""
        return [event for request in list(self.requests) for event in request.events]

    def of_type(self, *types: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] in types]

    def wait(self, done: Callable[[], Any], what: str, timeout_s: float = DEADLINE_S) -> Any:
        """Waits until ``done`` answers something true, looking after each request."""
        until_s = time.monotonic() + timeout_s
        with self._news:
            while True:
                found = done()
                if found:
                    return found
                left_s = until_s - time.monotonic()
                if left_s <= 0:
                    raise AssertionError(f"not within {timeout_s} s: {what}")
                self._news.wait(min(left_s, 0.2))

    def wait_requests(self, count: int, timeout_s: float = DEADLINE_S) -> list[Request]:
        self.wait(lambda: len(self.requests) >= count, f"{count} requests", timeout_s)
        return self.requests

    def close_idle(self) -> None:
        """Ends all kept-alive connections."""
        for sock in list(self._open):
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def close(self) -> None:
        self.released.set()
        # Wakes the accepting thread, which would take one more connection otherwise.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.close_idle()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.add(sock)
            args = (sock, self.connections)
            threading.Thread(target=self._serve, args=args, daemon=True).start()

    def _serve(self, sock: socket.socket, number: int) -> None:
        reader = sock.makefile("rb")
        try:
            while True:
                request = _read(reader, number)
                if request is None:
                    return
                with self._news:
                    self._at_once += 1
                    self.most_at_once = max(self.most_at_once, self._at_once)
                    self.requests.append(request)
                    reply = self.script.pop(0) if self.script else self.default
                    self._news.notify_all()
                keep = reply(sock, request)
                with self._news:
                    self._at_once -= 1
                if not keep:
                    return
        except OSError:
            return
        finally:
            self._open.discard(sock)
            reader.close()
            sock.close()


def _read(reader: Any, number: int) -> Request | None:
    line = reader.readline().decode("latin-1").rstrip("\r\n")
    if not line:
        return None
    headers: dict[str, str] = {}
    while text := reader.readline().decode("latin-1").rstrip("\r\n"):
        name, _, value = text.partition(": ")
        headers[name.lower()] = value
    body = reader.read(int(headers.get("content-length", "0")))
    return Request(number, time.monotonic(), line, headers, body)


@contextmanager
def sink(default: Reply | None = None, script: Sequence[Reply] = ()) -> Generator[Sink, None, None]:
    server = Sink(default or status(200), list(script))
    try:
        yield server
    finally:
        server.close()
