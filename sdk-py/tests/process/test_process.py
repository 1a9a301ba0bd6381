"""transport.md B103-134: the SDK in real processes that end in every way there is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sink import Sink, after, sink, status

_BOT = Path(__file__).with_name("bot.py")
_LIMIT_S = 30
TERM, INT = -signal.SIGTERM, -signal.SIGINT


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as made:
        yield made


@contextmanager
def bot(server: Sink, *args: str) -> Generator[subprocess.Popen[str], None, None]:
    environment = {**os.environ, "ENDPOINT": server.url, "PYTHONWARNINGS": "error"}
    # The fork of a process with threads is what these tests are about.
    environment["PYTHONWARNINGS"] = (
        "ignore::DeprecationWarning" if "fork" in args[0] + args[-1] else "error"
    )
    child = subprocess.Popen(
        [sys.executable, str(_BOT), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def run(server: Sink, *args: str) -> subprocess.CompletedProcess[str]:
    with bot(server, *args) as child:
        out, err = child.communicate(timeout=_LIMIT_S)
        return subprocess.CompletedProcess(args, child.returncode, out, err)


def signalled(server: Sink, name: str, *signals: int) -> tuple[int, str, float]:
    """Exit status, standard error, and seconds from the first signal to the end."""
    with bot(server, name) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        began_s = time.monotonic()
        for index, number in enumerate(signals):
            if index:
                time.sleep(0.5)
            child.send_signal(number)
        _, err = child.communicate(timeout=_LIMIT_S)
        return child.returncode, err, time.monotonic() - began_s


def messages(server: Sink) -> list[str]:
    return [event["data"]["message"] for event in server.events]


@pytest.mark.parametrize("name", ["sigterm", "sigterm_asyncio"])
def test_103_sigterm_flushes_and_dies_by_it(server: Sink, name: str) -> None:
    server.default = after(0.05, status(200))
    code, err, took_s = signalled(server, name, signal.SIGTERM)
    assert (code, err) == (TERM, "")
    assert len(messages(server)) == 49
    assert took_s < 2


def test_104_sigint_is_left_to_asyncio(server: Sink) -> None:
    code, err, _ = signalled(server, "sigint", signal.SIGINT)
    assert code == INT
    assert "KeyboardInterrupt" in err
    assert len(messages(server)) == 5


def test_105_a_handler_of_the_bot_stays(server: Sink) -> None:
    code, err, _ = signalled(server, "sigterm_own_handler", signal.SIGTERM)
    assert (code, err) == (7, "")
    assert len(messages(server)) == 5


def test_105_a_later_handler_takes_over(server: Sink) -> None:
    code, err, _ = signalled(server, "sigterm_later_handler", signal.SIGTERM)
    assert (code, err) == (7, "")
    assert len(messages(server)) == 5


def test_handle_signals_false_leaves_the_signal_alone(server: Sink) -> None:
    code, err, _ = signalled(server, "sigterm_opt_out", signal.SIGTERM)
    assert (code, err) == (TERM, "")
    assert server.requests == []


def test_sigterm_with_nothing_to_send_dies_at_once(server: Sink) -> None:
    code, err, took_s = signalled(server, "sigterm_empty", signal.SIGTERM)
    assert (code, err) == (TERM, "")
    assert took_s < 0.5


def test_106_sigterm_with_a_hung_server(server: Sink) -> None:
    server.default = server.hang()
    code, err, took_s = signalled(server, "sigterm", signal.SIGTERM)
    assert (code, err) == (TERM, "")
    assert 2.9 < took_s < 3.6


def test_107_a_second_sigterm_dies_at_once(server: Sink) -> None:
    server.default = server.hang()
    code, _, took_s = signalled(server, "sigterm", signal.SIGTERM, signal.SIGTERM)
    assert code == TERM
    assert took_s < 1.2


def test_108_two_instances(server: Sink) -> None:
    code, err, _ = signalled(server, "sigterm_two", signal.SIGTERM)
    assert (code, err) == (TERM, "")
    assert len(messages(server)) == 10


def test_sigterm_in_the_middle_of_enqueueing(server: Sink) -> None:
    for _ in range(3):
        code, err, took_s = signalled(server, "sigterm_busy", signal.SIGTERM)
        assert code == TERM
        # On a busy machine the signal comes late, and by then the loop has filled the queue.
        assert err in {
            "",
            "vendor_chat: over 5000 events wait; the oldest are dropped from now on\n",
        }
        assert took_s < 4


def test_110_natural_exit(server: Sink) -> None:
    began_s = time.monotonic()
    ended = run(server, "natural_exit")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(messages(server)) == 5
    assert time.monotonic() - began_s < 2


def test_111_natural_exit_while_the_server_fails(server: Sink) -> None:
    server.default = status(503)
    began_s = time.monotonic()
    ended = run(server, "natural_exit")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert time.monotonic() - began_s < 4.5


def test_111_natural_exit_while_the_server_hangs(server: Sink) -> None:
    server.default = server.hang()
    began_s = time.monotonic()
    ended = run(server, "natural_exit")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert time.monotonic() - began_s < 4.5


def test_112_exit_in_a_pause(server: Sink) -> None:
    server.default = status(429)
    began_s = time.monotonic()
    ended = run(server, "exit_in_a_pause")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "quiet\n", "")
    assert len(server.requests) == 1
    assert time.monotonic() - began_s < 2


@pytest.mark.parametrize(("name", "code"), [("exit_code", 3), ("uncaught", 1)])
def test_other_exits_flush_too(server: Sink, name: str, code: int) -> None:
    ended = run(server, name)
    assert ended.returncode == code
    assert len(messages(server)) == 5
    assert ("RuntimeError: the end" in ended.stderr) == (name == "uncaught")


def test_113_hard_exit(server: Sink) -> None:
    assert run(server, "hard_exit").returncode == 4


def test_125_first_event_at_exit(server: Sink) -> None:
    ended = run(server, "at_exit_only")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(messages(server)) == 3


def test_126_127_after_the_event_loop(server: Sink) -> None:
    ended = run(server, "asyncio_ends")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(messages(server)) == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
class TestFork:
    def test_122_children_of_a_busy_parent(self, server: Sink) -> None:
        ended = run(server, "fork")
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
        counts = Counter(messages(server))
        counts.pop("noise", None)
        expected = [f"parent{i}" for i in range(10)] + [f"child{i}" for i in range(20)]
        assert counts == Counter(expected)
        ids = [event["id"] for event in server.events]
        assert len(set(ids)) == len(ids)

    def test_122_fork_with_the_lock_held(self, server: Sink) -> None:
        ended = run(server, "fork_with_the_lock_held")
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "child 0\n", "")
        assert sorted(messages(server)) == ["child0", "parent0"]

    def test_123_terminated_child(self, server: Sink) -> None:
        ended = run(server, "terminate_child")
        assert (ended.stdout, ended.stderr) == (f"child {TERM}\n", "")
        assert sorted(messages(server)) == ["fork0", "fork1", "fork2"]


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_123_multiprocessing(server: Sink, start: str) -> None:
    if start == "fork" and not hasattr(os, "fork"):
        pytest.skip("no fork here")
    ended = run(server, "multiprocess", start)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "child 0\n", "")
    parents = ["parent0", "parent1"] if start == "fork" else []
    assert sorted(messages(server)) == [f"{start}0", f"{start}1", f"{start}2", *parents]
