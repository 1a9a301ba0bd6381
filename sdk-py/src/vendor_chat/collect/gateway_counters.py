"""Counts gateway events per kind and shard in windows of 60 s. Spec: Limits; catalogue.md A3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from vendor_chat import _protocol as wire
from vendor_chat.core.env import Env
from vendor_chat.core.event import EventInput
from vendor_chat.core.stamp import IsoClock


def counted_types(intents: int) -> list[wire.GatewayType]:
    """The gateway types that arrive under an intents bitmask, in catalogue order."""
    return [type_ for type_, kind in wire.GATEWAY_KINDS.items() if kind.intents & intents]


class GatewayCounters:
    """One event per kind and shard leaves at the end of a window, none for a count of 0.

    Counters lie outside the queue, so that an overflow cannot lose them.
    """

    def __init__(self, env: Env, emit: Callable[[EventInput], None]) -> None:
        self._env = env
        self._emit = emit
        self._iso = IsoClock()
        self._counts: Counter[tuple[int, wire.GatewayType]] = Counter()
        self._start_ms = env.now_ms()
        self._start_s = env.monotonic_s()

    def add(self, type_: wire.GatewayType, shard_id: int) -> None:
        self._counts[shard_id, type_] += 1

    def tick(self, now_s: float) -> None:
        if now_s - self._start_s >= wire.GATEWAY_WINDOW_S:
            self.emit_window()

    def emit_window(self) -> None:
        """Emits the window so far and begins the next one."""
        counts, self._counts = self._counts, Counter()
        now_s, now_ms = self._env.monotonic_s(), self._env.now_ms()
        start = self._iso.text(self._start_ms)
        window_ms = round((now_s - self._start_s) * 1_000)
        self._start_s, self._start_ms = now_s, now_ms
        for (shard_id, type_), count in sorted(counts.items()):
            data = wire.GatewayCounterData(
                count=count, windowStart=start, windowMs=window_ms, shardId=shard_id
            )
            self._emit(EventInput(type_, now_ms, data))
