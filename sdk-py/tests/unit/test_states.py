"""transport.md B1-26: states, quiet periods. Numbers are those of the page."""

from __future__ import annotations

import pytest

from rig import OK, Rig
from vendor_chat.core.policy import Outcome, Response

KEY_REFUSED = Response(401)
PAUSE = Response(429)


def test_1_key_refused_resolves_all_waiters_with_one_warning() -> None:
    rig = Rig([KEY_REFUSED])
    rig.add("a")
    waiters = [rig.flush() for _ in range(3)]
    rig.settle()
    assert [waiter.result(0).state for waiter in waiters] == ["disabled"] * 3
    assert len(rig.news("warn")) == 1
    rig.add("b")
    rig.run(600)
    assert len(rig.sent) == 1
    assert rig.dropped == {"disabled": 2}
    assert rig.transport.stats().queued == 0


def test_2_key_refused_in_the_middle_of_a_drain() -> None:
    rig = Rig([OK, OK, KEY_REFUSED])
    rig.add(*range(5_000))
    rig.run(600)
    assert len(rig.sent) == 3
    assert rig.dropped == {"disabled": 4_000}
    assert rig.transport.wait_s() is None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_3_4_redirect_disables_and_names_the_origin_only(status: int) -> None:
    rig = Rig([Response(status, location="https://else.example:8443/path?key=secret")])
    rig.add("a")
    rig.run(600)
    assert len(rig.sent) == 1
    assert rig.transport.state == "disabled"
    (warning,) = rig.news("warn")
    assert "https://else.example:8443" in warning
    assert "secret" not in warning
    assert "path" not in warning


@pytest.mark.parametrize("location", [None, "/relative", "//[bad", "http://[::1"])
def test_3_redirect_with_an_odd_location(location: str | None) -> None:
    rig = Rig([Response(302, location=location)])
    rig.add("a")
    rig.run(10)
    assert rig.transport.state == "disabled"
    assert len(rig.news("warn")) == 1


@pytest.mark.parametrize("status", [300, 304, 303, 307])
def test_5_redirect_that_leads_nowhere_drops_the_batch(status: int) -> None:
    rig = Rig([Response(status)])
    rig.add("a")
    rig.run(10)
    rig.add("b")
    rig.run(10)
    assert rig.names == ["a", "b"]
    assert rig.transport.state == "active"
    assert rig.dropped == {"bad_request": 1}


def test_6_pause_without_header_lasts_300_s() -> None:
    rig = Rig([PAUSE])
    rig.add("a")
    rig.run(5)
    rig.add(*range(10))
    rig.run(299)
    assert len(rig.sent) == 1
    rig.run(2)
    assert rig.sent[1].names == ["a", *range(10)]
    assert rig.sent[1].at_s - rig.sent[0].at_s == pytest.approx(300)
    assert rig.transport.state == "active"


def test_7_pause_in_a_drain_keeps_order_and_ids_and_starts_attempts_anew() -> None:
    rig = Rig([OK, OK, Response(503), Response(429, retry_after="60")])
    rig.add(*range(2_500))
    rig.run(30)
    rig.script = [Response(503)] * 4
    rig.run(100)
    assert rig.sent[3].ids == rig.sent[4].ids
    assert rig.sent[3].batch["batchId"] != rig.sent[4].batch["batchId"]
    # Five attempts after the pause: the two before it do not count.
    assert len(rig.sent) == 4 + 5 + 2
    assert rig.sent[9].names + rig.sent[10].names == list(range(1_500, 2_500))
    assert rig.dropped == {}


def test_8_key_refused_while_quiet() -> None:
    rig = Rig([PAUSE, KEY_REFUSED])
    rig.add("a")
    rig.run(5)
    rig.add("beat", type_="heartbeat")
    rig.run(5)
    assert rig.transport.state == "disabled"
    assert rig.dropped == {"disabled": 2}


def test_9_a_second_pause_never_shortens_the_first() -> None:
    rig = Rig([Response(429, retry_after="300"), Response(429, retry_after="10")])
    rig.add("a")
    rig.run(105)
    rig.add("beat", type_="heartbeat")
    rig.run(190)
    assert len(rig.sent) == 2
    rig.run(15)
    # What was under way goes back to the head.
    assert rig.sent[2].names == ["beat", "a"]


def test_10_only_exempt_events_leave_in_a_pause() -> None:
    rig = Rig([PAUSE])
    rig.add("a")
    rig.run(5)
    rig.add(1, 2)
    rig.add("beat", type_="heartbeat")
    for guild in ("1", "2", "3"):
        rig.add(f"g{guild}", type_="guild_snapshot", guild_id=guild)
        rig.add(f"x{guild}")
    rig.run(6)
    assert rig.sent[1].names == ["beat", "g1", "g2", "g3"]
    rig.run(300)
    assert rig.sent[2].names == ["a", 1, 2, "x1", "x2", "x3"]


def test_11_snapshots_of_one_tick_leave_in_full_batches() -> None:
    rig = Rig([PAUSE])
    rig.add("a")
    rig.run(5)
    for guild in range(1, 2_501):
        rig.add(guild, type_="guild_snapshot", guild_id=str(guild))
    rig.run(6)
    assert [len(request.names) for request in rig.sent[1:]] == [500] * 5


def test_12_overflow_in_a_pause_drops_the_oldest_and_warns_once() -> None:
    rig = Rig([PAUSE])
    rig.add("first")
    rig.run(5)
    rig.add(*range(5_000))
    assert rig.dropped == {"overflow": 1}
    rig.run(300)
    assert rig.names == ["first", *range(5_000)]
    rig.add(*range(5_010))
    assert rig.dropped == {"overflow": 11}
    assert len([text for text in rig.news("warn") if "5000" in text]) == 1


def test_13_flush_in_a_pause_waits_for_exempt_events_only() -> None:
    rig = Rig([PAUSE])
    rig.add("a")
    rig.run(5)
    rig.add("beat", type_="heartbeat")
    done = rig.flush()
    assert not done.done()
    rig.settle()
    result = done.result(0)
    assert (result.delivered, result.queued, result.state) == (1, 1, "quiet")


def test_14_pause_that_ends_with_the_flush_timer_sends_once() -> None:
    rig = Rig([Response(429, retry_after="5")])
    rig.add("a")
    rig.run(5)
    rig.add("b")
    rig.run(20)
    assert [request.names for request in rig.sent] == [["a"], ["a", "b"]]


def test_15_flush_of_an_empty_queue_sends_nothing() -> None:
    rig = Rig()
    assert rig.flush().result(0).queued == 0
    rig.run(20)
    assert rig.sent == []


def test_21_clamped_pause_warns_once() -> None:
    rig = Rig([Response(429, retry_after="99999999999")] * 2)
    rig.add("a")
    rig.run(5)
    assert rig.transport.wait_s() == pytest.approx(86_400)
    assert len(rig.news("warn")) == 1
    rig.run(86_400 * 2)
    assert len(rig.news("warn")) == 1


@pytest.mark.parametrize("status", [503, 403])
def test_26_retry_after_of_another_status_is_ignored(status: int) -> None:
    rig = Rig([Response(status, retry_after="120")])
    rig.add("a")
    rig.run(7)
    assert rig.sent[1].at_s - rig.sent[0].at_s == pytest.approx(0.5)


def test_77_78_pause_and_backoff_ignore_the_wall_clock() -> None:
    rig = Rig([PAUSE])
    rig.add("a")
    rig.run(5)
    rig.clock.wall_ms += 3_600_000
    rig.run(299)
    assert len(rig.sent) == 1
    rig.run(1.5)
    assert len(rig.sent) == 2
    rig.script = [Response(503)]
    rig.add("b")
    rig.run(5)
    rig.clock.wall_ms -= 3_600_000
    rig.run(1)
    assert rig.sent[-1].at_s - rig.sent[-2].at_s == pytest.approx(0.5)


def test_state_changes_are_told() -> None:
    rig = Rig([PAUSE])
    rig.add("a")
    rig.run(400)
    told = [(n.previous, n.text) for n in rig.transport.news if n.kind == "state"]
    assert told == [("active", "quiet"), ("quiet", "active")]


@pytest.mark.parametrize("late", [PAUSE, OK, KEY_REFUSED])
def test_an_answer_after_the_end_changes_nothing(late: Outcome) -> None:
    rig = Rig()
    rig.add("a")
    rig.run(4)
    rig.flush()
    part = rig.transport.next_part()
    assert part is not None
    rig.transport.close()
    before = rig.transport.stats()
    rig.transport.settle(part, late)
    assert rig.transport.stats() == before
    assert rig.dropped == {"shutdown": 1}
