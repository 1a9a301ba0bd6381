"""A transport with a hand-turned clock and scripted answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from vendor_chat._protocol import EventType
from vendor_chat.core.env import Env
from vendor_chat.core.event import EventInput, QueuedEvent, encode_tail
from vendor_chat.core.policy import NetworkError, Outcome, Response, TimedOut
from vendor_chat.core.stamp import IsoClock
from vendor_chat.core.transport import Transport
from vendor_chat.stats import FlushResult

START_MS = 1_768_478_400_000
OK = Response(200)
DOWN = Response(503)
UNREACHABLE = NetworkError("ECONNREFUSED")
LATE = TimedOut()


class Clock:
    """Wall clock and monotonic clock; both move only by hand."""

    def __init__(self) -> None:
        self.wall_ms = START_MS
        self.mono_s = 1_000.0
        self.random = 0.5
        self._bits = 0

    def env(self) -> Env:
        return Env(
            now_ms=lambda: self.wall_ms,
            monotonic_s=lambda: self.mono_s,
            random01=lambda: self.random,
            random_bits=self._random_bits,
        )

    def advance(self, seconds: float) -> None:
        self.mono_s += seconds
        self.wall_ms += round(seconds * 1_000)

    def _random_bits(self, bits: int) -> int:
        self._bits = (self._bits * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        return self._bits % 2**bits


@dataclass
class Sent:
    """One request, as the server would have seen it."""

    at_s: float
    body: bytes

    @property
    def batch(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def ids(self) -> list[str]:
        return [event["id"] for event in self.batch["events"]]

    @property
    def names(self) -> list[str]:
        """What the tests put into ``data.n``."""
        return [event["data"]["n"] for event in self.batch["events"]]


class Rig:
    """Sends what is due at once; the outcome comes from ``script`` first, then is 200."""

    def __init__(self, script: Iterable[Outcome] = (), *, default: Outcome = OK) -> None:
        self.clock = Clock()
        self.transport = Transport(self.clock.env(), flush_interval_s=5.0)
        self.script: Sequence[Outcome] = list(script)
        self.default = default
        self.sent: list[Sent] = []
        self.on_send: Callable[[], object] | None = None
        self._iso = IsoClock()

    def add(self, *names: Any, type_: EventType = "interaction_slash", **ids: str) -> bool:
        """Enqueues events; true when the sender would be woken up."""
        wake = False
        for name in names:
            event = EventInput(type_, self.clock.wall_ms, {"n": name}, **ids)
            tail, truncated = encode_tail(event, self._iso.text(event.ts_ms))
            of = event.guild_id if type_ == "guild_snapshot" else None
            wake |= self.transport.add(QueuedEvent(type_, tail, of), truncated=truncated)
        return wake

    def add_sized(self, *sizes: int) -> None:
        """Enqueues events whose whole JSON has so many bytes."""
        for index, size in enumerate(sizes):
            head = f'","type":"error","ts":"2026-01-15T12:00:00.000Z","data":{{"n":{index},"x":"'
            tail = head + "x" * (size - len(head) - 45 - 3) + '"}}'
            self.transport.add(QueuedEvent("error", tail.encode(), None), truncated=False)

    def flush(self) -> Future[FlushResult]:
        done: Future[FlushResult] = Future()
        self.transport.wait(done)
        return done

    def settle(self) -> None:
        """Sends everything that is due now."""
        while (part := self.transport.next_part()) is not None:
            self.sent.append(Sent(self.clock.mono_s, self.transport.body(part)))
            if self.on_send is not None:
                self.on_send()
            self.transport.settle(part, self._outcome())

    def _outcome(self) -> Outcome:
        if not self.script:
            return self.default
        first, *self.script = self.script
        return first

    def run(self, seconds: float) -> None:
        """Lets time pass, sending whatever falls due."""
        until_s = self.clock.mono_s + seconds
        self.settle()
        while (wait_s := self.transport.wait_s()) is not None:
            if self.clock.mono_s + wait_s > until_s:
                break
            assert wait_s > 0, "a hot loop"
            self.clock.advance(wait_s)
            self.settle()
        self.clock.advance(max(0.0, until_s - self.clock.mono_s))

    @property
    def names(self) -> list[Any]:
        return [name for request in self.sent for name in request.names]

    def news(self, kind: str) -> list[str]:
        return [item.text for item in self.transport.news if item.kind == kind]

    @property
    def dropped(self) -> dict[str, int]:
        counts = self.transport.stats().dropped
        return {reason: count for reason, count in counts.items() if count}
