"""transport.md B36-50: the wire, against real sockets."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from sink import Reply, Sink, after, raw, reset, sink, status
from vendor_chat.core.http import HttpSender, Target
from vendor_chat.core.policy import NetworkError, Response, TimedOut

OK_HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
BODY = b'{"batchId":"x","events":[]}'


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as made:
        yield made


def sender(server: Sink, timeout_s: float = 5.0) -> HttpSender:
    headers = {"Content-Type": "application/json", "Authorization": "Bearer key"}
    return HttpSender(Target(f"{server.url}/v1/events", headers, timeout_s))


def test_the_request(server: Sink) -> None:
    http = sender(server)
    outcome = http.post(BODY)
    http.close()
    assert outcome == Response(200, body=b"{}")
    (request,) = server.requests
    assert request.line == "POST /v1/events HTTP/1.1"
    assert request.headers == {
        "host": server.url.removeprefix("http://"),
        "content-type": "application/json",
        "authorization": "Bearer key",
        "content-length": str(len(BODY)),
    }
    assert request.raw == BODY


def test_headers_of_the_answer_are_read(server: Sink) -> None:
    server.script = [
        status(429, headers=["retry-after: 7", "Date: Thu, 15 Jan 2026 12:00:00 GMT"]),
        status(302, headers=["LOCATION: http://else.example/"]),
    ]
    http = sender(server)
    first, second = http.post(BODY), http.post(BODY)
    http.close()
    assert isinstance(first, Response)
    assert (first.retry_after, first.date) == ("7", "Thu, 15 Jan 2026 12:00:00 GMT")
    assert isinstance(second, Response)
    assert (second.status, second.location) == (302, "http://else.example/")


@pytest.mark.parametrize("code", [200, 201, 202, 206, 226, 400, 503])
def test_36_one_connection_for_many_requests(server: Sink, code: int) -> None:
    server.default = status(code)
    http = sender(server)
    assert [http.post(BODY) for _ in range(5)] == [Response(code, body=b"{}")] * 5
    http.close()
    assert server.connections == 1


def test_36_no_content(server: Sink) -> None:
    server.default = raw(b"HTTP/1.1 204 No Content\r\n\r\n")
    http = sender(server)
    assert [http.post(BODY), http.post(BODY)] == [Response(204)] * 2
    http.close()
    assert server.connections == 1


@pytest.mark.parametrize("early", [100, 103])
def test_37_early_answers_are_passed_over(server: Sink, early: int) -> None:
    server.default = raw(
        b"HTTP/1.1 %d Early\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        % early
    )
    http = sender(server)
    assert [http.post(BODY), http.post(BODY)] == [Response(200, body=b"{}")] * 2
    http.close()


def test_38_switching_protocols(server: Sink) -> None:
    server.script = [raw(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n")]
    http = sender(server)
    first = http.post(BODY)
    assert isinstance(first, Response)
    assert first.status == 101
    assert http.post(BODY) == Response(200, body=b"{}")
    http.close()
    assert server.connections == 2


@pytest.mark.parametrize(
    "body", [b"", b"\xff\x00garbage", b"x" * 10_000_000], ids=["empty", "garbage", "10 MB"]
)
def test_39_any_body(server: Sink, body: bytes) -> None:
    server.script = [status(200, body=body)]
    http = sender(server)
    outcome = http.post(BODY)
    assert isinstance(outcome, Response)
    assert len(outcome.body) <= 65_536
    assert http.post(BODY) == Response(200, body=b"{}")
    http.close()


def test_39_chunked_body(server: Sink) -> None:
    server.default = raw(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    )
    http = sender(server)
    assert [http.post(BODY), http.post(BODY)] == [Response(200, body=b"{}")] * 2
    http.close()
    assert server.connections == 1


def test_40_43_body_that_hangs_costs_a_second(server: Sink) -> None:
    server.script = [server.hang(OK_HEAD)]
    http = sender(server)
    began_s = time.monotonic()
    assert http.post(BODY) == Response(200)
    assert time.monotonic() - began_s < 1.5
    assert http.post(BODY) == Response(200, body=b"{}")
    http.close()


def test_41_reset_in_the_body_is_delivered(server: Sink) -> None:
    server.script = [reset(OK_HEAD)]
    http = sender(server)
    assert http.post(BODY) == Response(200)
    http.close()


def test_42_no_answer(server: Sink) -> None:
    server.script = [server.hang()]
    http = sender(server, timeout_s=0.3)
    began_s = time.monotonic()
    assert isinstance(http.post(BODY), TimedOut)
    assert 0.25 < time.monotonic() - began_s < 0.6
    assert isinstance(http.post(BODY), Response)
    http.close()
    assert server.connections == 2


def test_44_headers_that_drip(server: Sink) -> None:
    server.script = [server.drip(OK_HEAD, 0.1)]
    http = sender(server, timeout_s=0.5)
    began_s = time.monotonic()
    assert isinstance(http.post(BODY), TimedOut)
    assert time.monotonic() - began_s < 0.8
    http.close()


def test_45_nobody_listens(server: Sink) -> None:
    server.close()
    outcome = sender(server).post(BODY)
    assert outcome == NetworkError("ECONNREFUSED")


def test_45_unknown_host() -> None:
    http = HttpSender(Target("http://host.invalid/v1/events", {}, 5.0))
    assert http.post(BODY) == NetworkError("ENOTFOUND")


def test_45_no_tls_at_the_other_end(server: Sink) -> None:
    server.default = raw(b"HTTP/1.1 400 Bad\r\n\r\n", keep=False)
    url = server.url.replace("http://", "https://")
    outcome = HttpSender(Target(f"{url}/v1/events", {}, 1.0)).post(BODY)
    assert isinstance(outcome, (NetworkError, TimedOut))


@pytest.mark.parametrize(
    "reply", [reset(), raw(b"", keep=False), raw(b"nonsense\r\n\r\n", keep=False)]
)
def test_45_broken_exchange(server: Sink, reply: Reply) -> None:
    server.script = [reply]
    http = sender(server)
    assert isinstance(http.post(BODY), NetworkError)
    assert http.post(BODY) == Response(200, body=b"{}")
    http.close()


def test_46_idle_connection_that_the_server_closed(server: Sink) -> None:
    http = sender(server)
    for _ in range(3):
        assert http.post(BODY) == Response(200, body=b"{}")
        server.close_idle()
        time.sleep(0.05)
    http.close()
    assert server.connections == 3


def test_47_connection_close(server: Sink) -> None:
    server.default = status(200, headers=["Connection: close"])
    http = sender(server)
    assert [http.post(BODY), http.post(BODY)] == [Response(200, body=b"{}")] * 2
    http.close()
    assert server.connections == 2


def test_49_ipv6_literal() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    http = HttpSender(Target("http://[::1]:1/v1/events", {}, 1.0))
    assert isinstance(http.post(BODY), NetworkError)


def test_116_abort_from_another_thread(server: Sink) -> None:
    import threading

    server.script = [server.hang()]
    http = sender(server)
    threading.Timer(0.2, http.abort).start()
    began_s = time.monotonic()
    assert isinstance(http.post(BODY), NetworkError)
    assert time.monotonic() - began_s < 1.0
    http.close()


def test_slow_answer_within_the_limit(server: Sink) -> None:
    server.script = [after(0.3, status(200))]
    http = sender(server, timeout_s=2.0)
    assert http.post(BODY) == Response(200, body=b"{}")
    http.close()
