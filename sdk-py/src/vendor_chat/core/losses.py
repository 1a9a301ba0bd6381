"""Counts every event that does not arrive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from vendor_chat._protocol import EventType
from vendor_chat.core.event import QueuedEvent
from vendor_chat.stats import DROP_REASONS, Drop, DropReason


class Losses:
    """Not thread-safe: the transport holds its lock. What to tell hooks waits in ``news``."""

    def __init__(self) -> None:
        self.counts: dict[DropReason, int] = dict.fromkeys(DROP_REASONS, 0)
        self.total = 0
        self.news: list[Drop] = []

    def one(self, reason: DropReason, type_: EventType | None, count: int = 1) -> None:
        """``type_`` is None when the server told only a number."""
        self.counts[reason] += count
        self.total += count
        self.news.append(Drop(reason, count, type_))

    def many(self, reason: DropReason, events: Iterable[QueuedEvent]) -> None:
        """One report per type."""
        counts: Counter[EventType] = Counter(event.type for event in events)
        for type_, count in counts.items():
            self.one(reason, type_, count)
