"""Queue, attempts and state of one SDK. Decides; the engine waits and sends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from vendor_chat import _protocol as wire
from vendor_chat._version import __version__
from vendor_chat.core.batch import batch_body, envelope_prefix, halves, ingest_limit, split
from vendor_chat.core.env import Env
from vendor_chat.core.event import EXEMPT, QueuedEvent
from vendor_chat.core.losses import Losses
from vendor_chat.core.policy import (
    Decision,
    NetworkError,
    Outcome,
    Response,
    TimedOut,
    backoff_s,
    decide,
)
from vendor_chat.core.queue import Queue
from vendor_chat.core.retry_after import quiet_period
from vendor_chat.core.stamp import IsoClock, UuidSource
from vendor_chat.core.state import STEPS, Input
from vendor_chat.stats import DropReason, FlushResult, State, Stats


class News(NamedTuple):
    """Something to tell outside the lock."""

    kind: str
    """``warn``, ``debug`` or ``state``."""
    text: str
    previous: str = ""


class _Waiter(NamedTuple):
    seq: int
    """Waits for all events up to this one."""
    delivered: int
    dropped: int
    done: Future[FlushResult]


class Transport:
    """One batch is under way at once; callers of ``flush`` share the run. Spec: Emission and flush.

    Every method expects the engine's lock to be held; none waits. Time is ``env.monotonic_s``.
    """

    def __init__(self, env: Env, flush_interval_s: float) -> None:
        self._env = env
        self._flush_interval_s = flush_interval_s
        self._limit = ingest_limit(__version__)
        self._ids = UuidSource(env)
        self._clock = IsoClock()
        self._queue = Queue()
        self._losses = Losses()
        self._parts: list[Sequence[QueuedEvent]] = []
        """Parts of the batch under way, the next one first."""
        self._attempt = 1
        self._not_before_s = 0.0
        self._draining = False
        self._flush_at_s: float | None = None
        self._quiet_until_s = 0.0
        self._waiters: list[_Waiter] = []
        self._seq = 0
        self._delivered = 0
        self._truncated = 0
        self._last_error: str | None = None
        self._warned: set[str] = set()
        self.closing = False
        self.state: State = "active"
        self.news: list[News] = []

    @property
    def losses(self) -> Losses:
        return self._losses

    def add(self, event: QueuedEvent, *, truncated: bool) -> bool:
        """Takes an event whose body lacks its id; true when the sender has to wake up."""
        if self.closing or self.state in ("disabled", "closed"):
            self._losses.one("disabled" if self.state == "disabled" else "shutdown", event.type)
            return False
        self._seq += 1
        event.seq = self._seq
        event.body = b'{"id":"' + self._ids.next().encode() + event.body
        self._truncated += truncated
        evicted = self._queue.push(event)
        if evicted:
            self._evicted(evicted)
        return self._after_add(event)

    def _after_add(self, event: QueuedEvent) -> bool:
        quiet = self.state == "quiet"
        # In a quiet period only an exempt event may cause a request. Spec: Transport states.
        if self._draining or (quiet and event.type not in EXEMPT):
            return False
        if (self._queue.exempt if quiet else len(self._queue)) >= wire.HIGH_WATER_EVENTS:
            self._draining = True
            return True
        if self._flush_at_s is None:
            self._flush_at_s = self._env.monotonic_s() + self._flush_interval_s
            return True
        return False

    def wait(self, done: Future[FlushResult]) -> bool:
        """Resolves ``done`` when every event added before is settled; true to wake the sender."""
        if self.state in ("disabled", "closed") or self._outstanding() == 0:
            done.set_result(FlushResult(0, 0, self._outstanding(), self.state))
            return False
        self._waiters.append(_Waiter(self._seq, self._delivered, self._losses.total, done))
        self._draining = True
        return True

    def drain_soon(self) -> None:
        self._draining = True

    def next_part(self) -> Sequence[QueuedEvent] | None:
        """What is to be sent now; None when the sender has to wait for ``wait_s``."""
        now_s = self._env.monotonic_s()
        if self.state in ("disabled", "closed"):
            return None
        if self.state == "quiet" and now_s >= self._quiet_until_s:
            self._step("quiet_ended")
            self._draining = True
        if not self._parts and (self._draining or self._timer_is_due(now_s)):
            self._take_batch()
        if not self._parts or now_s < self._not_before_s:
            return None
        return self._parts[0]

    def wait_s(self) -> float | None:
        """Time until the next look is due; None until something is added."""
        if self.state in ("disabled", "closed"):
            return None
        times = [self._flush_at_s]
        if self._parts:
            times = [self._not_before_s]
        elif self.state == "quiet":
            times.append(self._quiet_until_s)
        due = [at for at in times if at is not None]
        return max(0.0, min(due) - self._env.monotonic_s()) if due else None

    def body(self, part: Sequence[QueuedEvent]) -> bytes:
        """The body of one attempt, with a batch id of its own."""
        sent_at = self._clock.text(self._env.now_ms())
        return batch_body(part, envelope_prefix(__version__, self._ids.next(), sent_at))

    def settle(self, part: Sequence[QueuedEvent], outcome: Outcome) -> None:
        """Applies the outcome of an attempt. A late one, after a shutdown, changes nothing."""
        if not self._parts or self._parts[0] is not part:
            return
        decision = decide(outcome, self._attempt, len(part))
        self._note(outcome, decision)
        if decision.do == "retry":
            wait_s = backoff_s(self._attempt, self._env.random01())
            self._not_before_s = self._env.monotonic_s() + wait_s
            self._attempt += 1
            return
        self._attempt, self._not_before_s = 1, 0.0
        answer = outcome if isinstance(outcome, Response) else Response(0)
        if decision.do == "deliver":
            self._count_delivered(len(self._parts.pop(0)), answer)
        elif decision.do == "drop":
            self._drop(self._parts.pop(0), decision, answer)
        elif decision.do == "split":
            self._parts[:1] = halves(part)
        elif decision.do == "quiet":
            self._start_quiet(answer)
        else:
            self._refuse(decision, answer)
        self._resolve_waiters()

    def disable(self) -> None:
        """Switches sending off: no usable key or address."""
        self._step("refused")
        self._discard("disabled")

    def close(self) -> None:
        """Ends all sending and counts what is left."""
        self.closing = True
        self._step("shut_down")
        self._discard("shutdown")

    def stats(self) -> Stats:
        return Stats(
            state=self.state,
            queued=len(self._queue),
            in_flight=sum(len(part) for part in self._parts),
            delivered=self._delivered,
            dropped=dict(self._losses.counts),
            truncated=self._truncated,
            last_error=self._last_error,
        )

    def health(self) -> tuple[int, int]:
        """Events that wait and events that were lost, for the heartbeat."""
        return self._outstanding(), self._losses.total

    def sendable(self) -> int:
        """Events that could leave now; in a quiet period the exempt ones."""
        waiting = self._queue.exempt if self.state == "quiet" else len(self._queue)
        return waiting + sum(len(part) for part in self._parts)

    def _timer_is_due(self, now_s: float) -> bool:
        return self._flush_at_s is not None and now_s >= self._flush_at_s

    def _take_batch(self) -> None:
        self._draining = True
        self._flush_at_s = None
        while not self._parts:
            count = wire.BATCH_EVENTS_MAX
            quiet = self.state == "quiet"
            events = self._queue.take_exempt(count) if quiet else self._queue.take(count)
            if not events:
                self._end_drain()
                return
            cut = split([len(event.body) for event in events], self._limit)
            self._losses.many("too_large", [events[index] for index in cut.dropped])
            self._parts = [[events[index] for index in part] for part in cut.parts]

    def _end_drain(self) -> None:
        self._draining = False
        self._resolve_waiters()

    def _resolve_waiters(self) -> None:
        if not self._waiters:
            return
        oldest = self._oldest_seq() if self._draining else None
        still: list[_Waiter] = []
        for waiter in self._waiters:
            if oldest is not None and oldest <= waiter.seq:
                still.append(waiter)
                continue
            result = FlushResult(
                delivered=self._delivered - waiter.delivered,
                dropped=self._losses.total - waiter.dropped,
                queued=self._outstanding(),
                state=self.state,
            )
            if not waiter.done.done():
                waiter.done.set_result(result)
        self._waiters = still

    def _oldest_seq(self) -> int | None:
        return self._parts[0][0].seq if self._parts else self._queue.oldest_seq

    def _outstanding(self) -> int:
        return len(self._queue) + sum(len(part) for part in self._parts)

    def _count_delivered(self, sent: int, answer: Response) -> None:
        rejected = min(sent, _rejected_count(answer.body))
        self._delivered += sent - rejected
        if rejected > 0:
            self._losses.one("rejected", None, rejected)
            self._warn_once(
                "rejected",
                f"the server did not store {rejected} of {sent} events; "
                "see its ingestion health page",
            )

    def _drop(self, part: Sequence[QueuedEvent], decision: Decision, answer: Response) -> None:
        reasons: dict[str, DropReason] = {
            "retries_exhausted": "retries_exhausted",
            "too_large": "too_large",
        }
        self._losses.many(reasons.get(decision.why, "bad_request"), part)
        self.news.append(News("debug", f"dropped {len(part)} events: {decision.why}"))
        if decision.why == "wrong_endpoint":
            text = f"the endpoint answered {answer.status}: check the `endpoint` option"
            self._warn_once("wrong_endpoint", text)

    def _start_quiet(self, answer: Response) -> None:
        """Everything unsent goes back to the head of the queue, in order; attempts start anew."""
        unsent = [event for part in self._parts for event in part]
        self._parts = []
        self._evicted(self._queue.put_back(unsent))
        period = quiet_period(answer.retry_after, answer.date, self._env.now_ms())
        until_s = self._env.monotonic_s() + period.ms / 1_000
        if self.state == "quiet":
            until_s = max(until_s, self._quiet_until_s)
        self._quiet_until_s = until_s
        self._step("rate_limited")
        if period.clamped:
            text = "the server asked for a pause of over 24 hours; 24 hours are kept"
            self._warn_once("clamped", text)
        self._end_drain()

    def _refuse(self, decision: Decision, answer: Response) -> None:
        self._step("refused")
        if decision.why == "bad_key":
            text = "the server refused the API key (401); nothing more is sent"
        else:
            text = (
                f"the endpoint redirects{_origin_of(answer.location)}; set `endpoint` to the "
                "final address. Nothing more is sent"
            )
        self._warn_once("refused", text)
        self._discard("disabled")

    def _discard(self, reason: DropReason) -> None:
        left = [event for part in self._parts for event in part]
        left += self._queue.take(len(self._queue))
        self._parts = []
        self._flush_at_s = None
        if left:
            self.news.append(News("debug", f"{len(left)} events are dropped: {reason}"))
        self._losses.many(reason, left)
        self._end_drain()

    def _evicted(self, events: Sequence[QueuedEvent]) -> None:
        if not events:
            return
        self._losses.many("overflow", events)
        text = f"over {wire.QUEUE_EVENTS_MAX} events wait; the oldest are dropped from now on"
        self._warn_once("overflow", text)

    def _note(self, outcome: Outcome, decision: Decision) -> None:
        if decision.do == "deliver":
            return
        if isinstance(outcome, TimedOut):
            self._last_error = "timeout"
        elif isinstance(outcome, NetworkError):
            self._last_error = outcome.code or "network error"
        else:
            self._last_error = f"HTTP {outcome.status}"
        text = f"attempt failed ({self._last_error}): {decision.do}, {decision.why}"
        self.news.append(News("debug", text))

    def _step(self, what: Input) -> None:
        previous = self.state
        self.state = STEPS[previous][what]
        if self.state != previous:
            self.news.append(News("state", self.state, previous))

    def _warn_once(self, key: str, text: str) -> None:
        if key not in self._warned:
            self._warned.add(key)
            self.news.append(News("warn", text))


def _origin_of(location: str | None) -> str:
    """Origin only: path and query of a redirect may hold secrets."""
    try:
        parts = urlsplit(location or "")
        host = parts.hostname
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        return ""
    return f" to {parts.scheme}://{host}{port}" if parts.scheme and host else ""


def _rejected_count(body: bytes) -> int:
    """Events of a stored batch that the server left out, as its answer tells."""
    if b'"rejectedCount"' not in body:
        return 0
    try:
        answer: Any = json.loads(body)
        count: Any = answer["rejectedCount"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return count if type(count) is int and count > 0 else 0
