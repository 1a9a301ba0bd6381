"""transport.md B27-35, B51-72: batches, retries, sizes, order. Numbers are those of the page."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rig import DOWN, LATE, OK, UNREACHABLE, Rig
from vendor_chat import _protocol as wire
from vendor_chat.core.policy import Outcome, Response


def test_27_retries_keep_ids_and_times_and_renew_the_batch() -> None:
    rig = Rig([DOWN] * 4)
    rig.add(*range(3))
    rig.run(60)
    assert len(rig.sent) == 5
    batches = [request.batch for request in rig.sent]
    assert len({batch["batchId"] for batch in batches}) == 5
    assert all(batch["batchId"][14] == "7" for batch in batches)
    assert all(batch["events"] == batches[0]["events"] for batch in batches)
    times = [batch["sentAt"] for batch in batches]
    assert times == sorted(times)
    assert rig.transport.stats().delivered == 3


@pytest.mark.parametrize("failure", [DOWN, UNREACHABLE, LATE, Response(403), Response(101)])
def test_28_31_five_attempts_and_the_next_batch_starts_anew(failure: Outcome) -> None:
    rig = Rig([failure] * 9)
    rig.add("a")
    rig.run(60)
    assert len(rig.sent) == 5
    assert rig.dropped == {"retries_exhausted": 1}
    rig.add("b")
    rig.run(60)
    assert len(rig.sent) == 10
    assert rig.dropped == {"retries_exhausted": 1}


@pytest.mark.parametrize(
    ("random", "waits"), [(0.0, [0.0] * 4), (0.999, [0.999, 1.998, 3.996, 7.992])]
)
def test_29_backoff(random: float, waits: list[float]) -> None:
    rig = Rig([DOWN] * 4)
    rig.clock.random = random
    rig.add("a")
    rig.run(5)
    rig.run(60)
    times = [request.at_s for request in rig.sent]
    assert [b - a for a, b in pairwise(times)] == pytest.approx(waits)


def test_32_refused_batch_is_dropped_alone() -> None:
    rig = Rig([Response(400)])
    rig.add(*range(510))
    rig.run(10)
    assert [len(request.names) for request in rig.sent] == [500, 10]
    assert rig.dropped == {"bad_request": 500}


@pytest.mark.parametrize("status", [404, 405, 410, 415, 422, 451])
def test_33_other_refusals_drop_too(status: int) -> None:
    rig = Rig([Response(status)] * 2)
    rig.add("a")
    rig.run(10)
    rig.add("b")
    rig.run(10)
    assert len(rig.sent) == 2
    assert rig.transport.state == "active"
    assert len(rig.news("warn")) == (1 if status in (404, 405) else 0)


@pytest.mark.parametrize("status", [408, 425])
def test_34_try_again(status: int) -> None:
    rig = Rig([Response(status)])
    rig.add("a")
    rig.run(10)
    assert len(rig.sent) == 2
    assert rig.dropped == {}


def test_35_too_large_for_the_server_is_halved() -> None:
    rig = Rig([Response(413)])
    rig.add(*range(4))
    rig.run(10)
    assert [request.names for request in rig.sent] == [[0, 1, 2, 3], [0, 1], [2, 3]]
    assert len({request.batch["batchId"] for request in rig.sent}) == 3
    rig.script = [Response(413)]
    rig.add("alone")
    rig.run(10)
    assert rig.dropped == {"too_large": 1}


@pytest.mark.parametrize(("extra", "requests"), [(0, 1), (1, 2)])
def test_51_52_the_limit_is_exact(extra: int, requests: int) -> None:
    rig = Rig()
    rig.add_sized(500_000, 500_000)
    rig.flush()
    rig.settle()
    free = wire.BATCH_BYTES_MAX - len(rig.sent[0].body)
    rig = Rig()
    rig.add_sized(500_000, 500_000 + free + extra)
    rig.flush()
    rig.settle()
    assert len(rig.sent) == requests
    if not extra:
        assert len(rig.sent[0].body) == wire.BATCH_BYTES_MAX


@pytest.mark.parametrize("character", ["é", "€", "😀"])
def test_53_bytes_count_not_characters(character: str) -> None:
    rig = Rig()
    text = character * (4_096 // len(character.encode()))
    rig.add(*([[text, text, text]] * 90))
    rig.flush()
    rig.settle()
    assert len(rig.sent) == 2
    assert all(len(request.body) <= wire.BATCH_BYTES_MAX for request in rig.sent)
    assert len(rig.names) == 90


def test_55_only_the_large_one_is_dropped() -> None:
    rig = Rig()
    rig.add_sized(200, 1_100_000, 200)
    rig.flush()
    rig.settle()
    assert rig.names == [0, 2]
    assert rig.dropped == {"too_large": 1}


def test_56_501_events() -> None:
    rig = Rig()
    rig.add(*range(501))
    rig.settle()
    assert [len(request.names) for request in rig.sent] == [500, 1]


def test_57_500_large_events() -> None:
    rig = Rig()
    rig.add_sized(*([16_500] * 500))
    rig.settle()
    assert all(len(request.body) <= wire.BATCH_BYTES_MAX for request in rig.sent)
    assert rig.names == list(range(500))


def test_58_a_failing_part_is_retried_alone() -> None:
    rig = Rig([OK, DOWN])
    rig.add_sized(*([400_000] * 5))
    rig.flush()
    rig.run(30)
    assert [request.names for request in rig.sent] == [[0, 1], [2], [2], [3, 4]]


def test_59_a_pause_does_not_send_the_first_part_again() -> None:
    rig = Rig([OK, Response(429, retry_after="10")])
    rig.add_sized(*([400_000] * 5))
    rig.flush()
    rig.run(30)
    assert [request.names for request in rig.sent] == [[0, 1], [2], [2, 3], [4]]


def test_60_high_water_mark() -> None:
    rig = Rig()
    assert rig.add("first") is True
    assert rig.add(*range(48)) is False
    rig.settle()
    assert rig.sent == []
    assert rig.add("fiftieth") is True
    rig.settle()
    assert len(rig.sent[0].names) == 50


def test_61_one_burst_leaves_in_full_batches() -> None:
    rig = Rig()
    rig.add(*range(5_000))
    rig.settle()
    assert [len(request.names) for request in rig.sent] == [500] * 10
    assert rig.names == list(range(5_000))


def test_62_events_during_a_request_need_no_further_call() -> None:
    rig = Rig()
    rig.add("a")
    rig.on_send = lambda: rig.add("b") if len(rig.sent) == 1 else None
    rig.run(6)
    assert rig.names == ["a", "b"]


def test_63_64_events_under_way_cannot_be_evicted() -> None:
    rig = Rig()
    rig.add(*range(5_000))
    rig.on_send = lambda: rig.add(*range(5_000, 11_000)) if len(rig.sent) == 1 else None
    rig.settle()
    # The first 500 were under way; of the 10,500 that waited then the newest 5,000 stayed.
    assert rig.names == [*range(500), *range(6_000, 11_000)]
    assert rig.dropped == {"overflow": 5_500}
    assert len(rig.news("warn")) == 1


def test_pause_returns_events_to_the_head_and_they_go_first() -> None:
    rig = Rig([Response(429, retry_after="10")])
    rig.add(*range(500))
    rig.on_send = lambda: rig.add(*range(500, 5_500)) if len(rig.sent) == 1 else None
    rig.settle()
    assert rig.dropped == {"overflow": 500}
    rig.run(11)
    assert rig.names[500:] == list(range(500, 5_500))


def test_67_flush_ends_though_new_events_keep_coming() -> None:
    rig = Rig()
    rig.add("a")
    done = rig.flush()
    rig.on_send = lambda: rig.add("more")
    part = rig.transport.next_part()
    assert part is not None
    rig.add("more")
    rig.transport.settle(part, OK)
    assert done.result(0).delivered == 1


def test_69_flush_does_not_skip_the_wait() -> None:
    rig = Rig([DOWN])
    rig.add("a")
    rig.run(5)
    done = rig.flush()
    rig.settle()
    assert len(rig.sent) == 1
    rig.run(1)
    assert len(rig.sent) == 2
    assert done.result(0).delivered == 1


def test_rejected_events_are_counted_as_the_server_tells() -> None:
    rig = Rig(
        [Response(200, body=b'{"rejectedCount":2}'), Response(200, body=b'{"rejectedCount":"x"}')]
    )
    rig.add(*range(5))
    rig.run(6)
    rig.add("a")
    rig.run(6)
    assert rig.transport.stats().delivered == 4
    assert rig.dropped == {"rejected": 2}
    assert len(rig.news("warn")) == 1


def test_snapshots_of_one_guild_collapse_while_they_wait() -> None:
    rig = Rig([DOWN])
    rig.add("old", type_="guild_snapshot", guild_id="7")
    rig.add("x")
    rig.add("new", type_="guild_snapshot", guild_id="7")
    rig.run(5)
    assert rig.names == ["new", "x"]
    # Under way: a newer one waits beside it.
    rig.add("newest", type_="guild_snapshot", guild_id="7")
    rig.run(6)
    assert rig.names == ["new", "x", "new", "x", "newest"]


def test_a_returned_snapshot_gives_way_to_a_newer_one() -> None:
    rig = Rig([Response(429, retry_after="60")])
    rig.add("old", type_="guild_snapshot", guild_id="7")
    rig.on_send = lambda: (
        rig.add("new", type_="guild_snapshot", guild_id="7") if len(rig.sent) == 1 else None
    )
    rig.run(200)
    assert rig.names == ["old", "new"]
