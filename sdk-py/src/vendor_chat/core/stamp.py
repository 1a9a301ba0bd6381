"""Ids and timestamps of events."""

from __future__ import annotations

import time

from vendor_chat.core.env import Env

ROLLBACK_MAX_MS = 10_000
"""A clock that steps back further than this is believed; less is bridged. transport.md C25."""

_COUNTER_MAX = 0xFFFF_FFFF
_UNIX_MS_MASK = _NODE_MASK = (1 << 48) - 1


def format_uuid7(unix_ms: int, rand_a: int, rand_b: int) -> str:
    """UUIDv7 text: 48 bits of time, 12 of ``rand_a``, 62 of ``rand_b``. RFC 9562, 5.7."""
    unix_ms &= _UNIX_MS_MASK
    groups = (unix_ms >> 16, unix_ms & 0xFFFF, rand_a, 0x8000 | rand_b >> 48, rand_b & _NODE_MASK)
    # Twice as fast as an f-string of five parts.
    return "%08x-%04x-7%03x-%04x-%012x" % groups  # noqa: UP031


class UuidSource:
    """Makes UUIDs of version 7 that only ever increase.

    The 32 bits behind the time are a counter, which starts at a random value below 2**31 in each
    millisecond; 42 bits are random. RFC 9562, 6.2 method 1. Not thread-safe.
    """

    __slots__ = ("_counter", "_env", "_last_ms")

    def __init__(self, env: Env) -> None:
        self._env = env
        self._last_ms = -1
        self._counter = 0

    def next(self) -> str:
        now_ms = self._env.now_ms()
        if now_ms > self._last_ms or now_ms < self._last_ms - ROLLBACK_MAX_MS:
            self._start_ms(now_ms)
        elif self._counter >= _COUNTER_MAX:
            self._start_ms(self._last_ms + 1)
        else:
            self._counter += 1
        counter = self._counter
        low = (counter & 0xF_FFFF) << 42 | self._env.random_bits(42)
        return format_uuid7(self._last_ms, counter >> 20, low)

    def _start_ms(self, ms: int) -> None:
        self._last_ms = ms
        self._counter = self._env.random_bits(31)


class IsoClock:
    """Writes Unix milliseconds as ``2026-01-31T23:59:59.999Z``; remembers the last second."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        # One tuple, so that a thread never sees the second of one call and the text of another.
        self._last: tuple[int, str] = (-1, "")

    def text(self, unix_ms: int) -> str:
        second, ms = divmod(unix_ms, 1_000)
        known, prefix = self._last
        if second != known:
            prefix = time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(second))
            self._last = (second, prefix)
        return f"{prefix}{ms:03d}Z"
