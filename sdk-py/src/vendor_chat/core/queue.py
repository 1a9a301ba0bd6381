"""Events that wait to be sent. Not thread-safe: the transport holds its lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from vendor_chat import _protocol as wire
from vendor_chat.core.event import EXEMPT, QueuedEvent


class Queue:
    """Oldest first, at most 5,000: over it the oldest go, whatever their type.

    Of each guild at most one guild_snapshot waits, the latest; it takes the place of the one
    before, since an outage would otherwise fill the queue with snapshots. transport.md C8, C14.
    """

    __slots__ = ("_events", "_exempt", "_snapshots")

    def __init__(self) -> None:
        self._events: deque[QueuedEvent] = deque()
        self._snapshots: dict[str, QueuedEvent] = {}
        self._exempt = 0

    def __len__(self) -> int:
        return len(self._events)

    @property
    def exempt(self) -> int:
        """Waiting events that a quiet period does not hold back."""
        return self._exempt

    @property
    def oldest_seq(self) -> int | None:
        return self._events[0].seq if self._events else None

    def push(self, event: QueuedEvent) -> Sequence[QueuedEvent]:
        """Appends an event; returns those that had to go."""
        if event.snapshot_of is not None:
            older = self._snapshots.get(event.snapshot_of)
            if older is not None:
                older.body = event.body
                return ()
            self._snapshots[event.snapshot_of] = event
        self._events.append(event)
        if event.type in EXEMPT:
            self._exempt += 1
        return self._evict() if len(self._events) > wire.QUEUE_EVENTS_MAX else ()

    def take(self, count: int) -> list[QueuedEvent]:
        """Takes the oldest events, at most ``count``."""
        taken = [self._events.popleft() for _ in range(min(count, len(self._events)))]
        self._forget(taken)
        return taken

    def take_exempt(self, count: int) -> list[QueuedEvent]:
        """Takes the oldest exempt events, at most ``count``, in their order."""
        if self._exempt == 0:
            return []
        taken: list[QueuedEvent] = []
        kept: deque[QueuedEvent] = deque()
        for event in self._events:
            wanted = len(taken) < count and event.type in EXEMPT
            (taken if wanted else kept).append(event)
        self._events = kept
        self._forget(taken)
        return taken

    def put_back(self, events: Sequence[QueuedEvent]) -> Sequence[QueuedEvent]:
        """Puts events back to the head; returns those that had to go, these first."""
        for event in reversed(events):
            if event.snapshot_of is not None:
                if event.snapshot_of in self._snapshots:
                    continue
                self._snapshots[event.snapshot_of] = event
            if event.type in EXEMPT:
                self._exempt += 1
            self._events.appendleft(event)
        return self._evict()

    def _evict(self) -> Sequence[QueuedEvent]:
        surplus = len(self._events) - wire.QUEUE_EVENTS_MAX
        return self.take(surplus) if surplus > 0 else ()

    def _forget(self, events: Sequence[QueuedEvent]) -> None:
        for event in events:
            if event.type in EXEMPT:
                self._exempt -= 1
            if event.snapshot_of is not None:
                self._snapshots.pop(event.snapshot_of, None)
