"""transport.md B74-76: ids and times."""

from __future__ import annotations

import re

from rig import START_MS, Clock
from vendor_chat.core.env import real_env
from vendor_chat.core.stamp import IsoClock, UuidSource

UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def test_74_100k_ids_increase_and_differ() -> None:
    source = UuidSource(real_env())
    ids = [source.next() for _ in range(100_000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 100_000
    assert all(UUID7.fullmatch(made) for made in ids[::97])


def test_75_clock_back_5_s() -> None:
    clock = Clock()
    source = UuidSource(clock.env())
    first = source.next()
    clock.wall_ms -= 5_000
    assert source.next() > first


def test_76_clock_back_an_hour_is_believed() -> None:
    clock = Clock()
    source = UuidSource(clock.env())
    first = source.next()
    clock.wall_ms -= 3_600_000
    second = source.next()
    assert int(second.replace("-", "")[:12], 16) == START_MS - 3_600_000
    assert first != second


def test_a_full_counter_borrows_from_the_next_millisecond() -> None:
    clock = Clock()
    source = UuidSource(clock.env())
    source._counter = 0xFFFF_FFFE
    source._last_ms = START_MS
    ids = [source.next() for _ in range(4)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 4


def test_times() -> None:
    clock = IsoClock()
    assert clock.text(0) == "1970-01-01T00:00:00.000Z"
    assert clock.text(START_MS + 7) == "2026-01-15T12:00:00.007Z"
    assert clock.text(START_MS + 999) == "2026-01-15T12:00:00.999Z"
    assert clock.text(START_MS - 1) == "2026-01-15T11:59:59.999Z"
