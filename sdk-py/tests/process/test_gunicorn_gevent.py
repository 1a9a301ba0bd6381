"""transport.md B124: the SDK below gunicorn's ``--preload`` and on gevent."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sink import Sink, sink

pytest.importorskip("fcntl", reason="gunicorn needs Unix")

_FOLDER = Path(__file__).parent
_LIMIT_S = 30
_EVERY_GREENLET = Counter(f"{name}-{index}" for name in range(8) for index in range(50))


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as made:
        yield made


@contextmanager
def program(server: Sink, *args: str, fd: int = 2) -> Generator[subprocess.Popen[str], None, None]:
    child = subprocess.Popen(
        [sys.executable, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=_FOLDER,
        env={**os.environ, "ENDPOINT": server.url},
        pass_fds=[fd],
        # Workers that outlive their master are found by their group.
        start_new_session=True,
        text=True,
    )
    try:
        yield child
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


@contextmanager
def gunicorn(server: Sink, worker: str) -> Generator[tuple[subprocess.Popen[str], int], None, None]:
    """A master with two workers, and the port where they listen."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        bind, port = f"fd://{listener.fileno()}", listener.getsockname()[1]
        args = ["-m", "gunicorn", "--preload", "--workers=2", f"--worker-class={worker}"]
        args += ["--bind", bind, "--no-control-socket", "web:app"]
        with program(server, *args, fd=listener.fileno()) as child:
            listener.close()
            yield child, port


def get(port: int, path: str) -> str:
    connection = ask(port, path)
    try:
        return answer(connection)
    finally:
        connection.close()


def ask(port: int, path: str) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_LIMIT_S)
    connection.request("GET", f"/{path}", headers={"Connection": "close"})
    return connection


def answer(connection: http.client.HTTPConnection) -> str:
    response = connection.getresponse()
    assert response.status == 200
    return response.read().decode()


def messages(server: Sink) -> Counter[str]:
    return Counter(event["data"]["message"] for event in server.events)


@pytest.mark.parametrize("worker", ["sync", "gevent"])
def test_124_gunicorn_preload(server: Sink, worker: str) -> None:
    with gunicorn(server, worker) as (child, port):
        held = ask(port, "hold")
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        others = {get(port, f"other{index}") for index in range(10)}
        others.add(get(port, "release"))
        first = answer(held)
        held.close()
        assert len(others) == 1
        assert first not in others
        for index in range(10):
            assert get(port, f"any{index}") in {first, *others}
        assert server.requests == [], "the queues are to be full when the signal comes"

        began_s = time.monotonic()
        child.send_signal(signal.SIGTERM)
        _, log = child.communicate(timeout=_LIMIT_S)
        took_s = time.monotonic() - began_s

    assert child.returncode == 0, log
    # Here gunicorn tells of a worker that was killed, or ended with another code than 0.
    assert not any(word in log for word in ("[WARNING]", "[ERROR]", "[CRITICAL]", "Traceback")), log
    assert log.count("Worker exiting") == 2, log
    expected = ["hold", "release", *(f"master{index}" for index in range(3))]
    expected += [f"{name}{index}" for name in ("other", "any") for index in range(10)]
    assert messages(server) == Counter(expected)
    ids = [event["id"] for event in server.events]
    assert len(set(ids)) == len(ids)
    # Each process has its own connection, and only the master sends what was its own.
    processes: dict[int, set[str]] = {}
    for request in server.requests:
        found = {event["data"]["message"] for event in request.events}
        processes.setdefault(request.connection, set()).update(found)
    assert len(processes) == 3
    assert {"master0", "master1", "master2"} in processes.values()
    assert took_s < 5


@pytest.mark.parametrize(("end", "code"), [("exit", 0), ("close", 0), ("signal", -signal.SIGTERM)])
def test_124_gevent(server: Sink, end: str, code: int) -> None:
    with program(server, "greenlets.py", end) as child:
        if end == "signal":
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            child.send_signal(signal.SIGTERM)
        _, err = child.communicate(timeout=_LIMIT_S)
    assert (child.returncode, err) == (code, "")
    assert messages(server) == _EVERY_GREENLET
    ids = [event["id"] for event in server.events]
    assert len(set(ids)) == len(ids)
