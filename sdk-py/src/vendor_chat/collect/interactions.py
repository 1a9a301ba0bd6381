"""Measures interactions from receipt to the first settled response, 15 s at most."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import InteractionAnswered, InteractionSeen
from vendor_chat.core.env import Env
from vendor_chat.core.event import EventInput

# More than these at once are emitted unanswered; 300 a second for 15 s are 4,500.
_PENDING_MAX = 10_000


class _Pending(NamedTuple):
    seen: InteractionSeen
    ts_ms: int
    received_s: float
    gateway_delay_ms: int | None


class InteractionTracker:
    """Each interaction becomes exactly one event. Spec: Activity, ``timedOut``."""

    def __init__(
        self,
        env: Env,
        emit: Callable[[EventInput], None],
        skew_ms: Callable[[], int | None],
    ) -> None:
        self._env = env
        self._emit = emit
        self._skew_ms = skew_ms
        self._pending: dict[str, _Pending] = {}
        """In order of receipt, so the first is always the next to time out."""

    def begin(self, seen: InteractionSeen, received_s: float) -> None:
        if seen.id in self._pending:
            return
        now_ms, skew_ms = self._env.now_ms(), self._skew_ms()
        delay_ms = None if skew_ms is None else max(0, now_ms + skew_ms - seen.created_ms)
        self._pending[seen.id] = _Pending(seen, now_ms, received_s, delay_ms)
        if len(self._pending) > _PENDING_MAX:
            self._expire(next(iter(self._pending.values())), timed_out=False)

    def settle(self, answer: InteractionAnswered) -> None:
        """The first response settled; later ones change nothing."""
        pending = self._pending.get(answer.id)
        if pending is None:
            return
        latency_ms = round((self._env.monotonic_s() - pending.received_s) * 1_000, 1)
        self._finish(pending, answer, latency_ms, timed_out=False)

    def tick(self, now_s: float) -> None:
        while self._pending:
            first = next(iter(self._pending.values()))
            if now_s - first.received_s < wire.INTERACTION_TIMEOUT_S:
                return
            self._expire(first, timed_out=True)

    def emit_pending(self) -> None:
        """Emits what still waits as unanswered. For the shutdown."""
        for pending in list(self._pending.values()):
            self._expire(pending, timed_out=False)

    def forget(self) -> None:
        self._pending.clear()

    def _expire(self, pending: _Pending, *, timed_out: bool) -> None:
        nobody = InteractionAnswered(pending.seen.id, False, None, None)
        self._finish(pending, nobody, None, timed_out=timed_out)

    def _finish(
        self,
        pending: _Pending,
        answer: InteractionAnswered,
        latency_ms: float | None,
        *,
        timed_out: bool,
    ) -> None:
        seen = pending.seen
        if self._pending.pop(seen.id, None) is None:
            return
        data = wire.InteractionData(
            commandName=seen.command_name,
            interactionKind=seen.kind,
            success=answer.success,
            latencyMs=latency_ms,
            timedOut=timed_out,
            responseKind=answer.response_kind,
            errorCode=answer.error_code,
            shardId=seen.shard_id,
            gatewayDelayMs=pending.gateway_delay_ms,
        )
        self._emit(
            EventInput(seen.type, pending.ts_ms, data, seen.guild_id, seen.channel_id, seen.user_id)
        )
