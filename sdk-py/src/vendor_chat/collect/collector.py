"""Turns what an adapter reports into events. One per client."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from vendor_chat import _protocol as wire
from vendor_chat.collect.actions import action_event
from vendor_chat.collect.adapter import (
    ClientView,
    CommandFailed,
    HttpAttempt,
    InteractionAnswered,
    InteractionSeen,
    RestCall,
)
from vendor_chat.collect.errors import chain, describe_error, innermost
from vendor_chat.collect.gateway_counters import GatewayCounters
from vendor_chat.collect.interactions import InteractionTracker
from vendor_chat.collect.process_figures import ProcessFigures
from vendor_chat.collect.rest_counters import RestCounters
from vendor_chat.collect.snapshots import Snapshots, SnapshotSources
from vendor_chat.core.env import Env
from vendor_chat.core.event import EventInput

# Interactions remembered for errors of later replies; their tokens live for 15 min.
_RECENT_MAX = 1_000
_SEEN = "_vendor_chat_seen"


@dataclass(frozen=True)
class CollectorParts:
    env: Env
    emit: Callable[[EventInput], None]
    snapshots: bool
    snapshot_interval_s: float
    cluster_id: str | None
    instance_id: str
    health: Callable[[], tuple[int, int]]
    drain_soon: Callable[[], None]
    """Sends what waits: a shard that is ready shows at once, not after a flush interval."""
    figures: ProcessFigures


class Collector:
    """Every method runs on the thread of the client's event loop, but ``emit_pending``."""

    def __init__(self, client: ClientView, parts: CollectorParts) -> None:
        self._client = client
        self._parts = parts
        self._env = parts.env
        self._counters = GatewayCounters(parts.env, parts.emit)
        self._rest = RestCounters(parts.env)
        self._interactions = InteractionTracker(parts.env, parts.emit, lambda: self._rest.skew_ms)
        self._snapshots = Snapshots(
            SnapshotSources(
                env=parts.env,
                emit=parts.emit,
                client=client,
                rest=self._rest,
                figures=parts.figures,
                instance_id=parts.instance_id,
                cluster_id=parts.cluster_id,
                health=parts.health,
                interval_s=parts.snapshot_interval_s,
                all=parts.snapshots,
            )
        )
        self._recent: dict[str, InteractionSeen] = {}

    def dispatch(self, type_: wire.GatewayType, shard_id: int) -> None:
        self._counters.add(type_, shard_id)

    def interaction(self, seen: InteractionSeen) -> None:
        self._interactions.begin(seen, self._env.monotonic_s())
        self._recent[seen.id] = seen
        if len(self._recent) > _RECENT_MAX:
            del self._recent[next(iter(self._recent))]

    def answered(self, answer: InteractionAnswered) -> None:
        self._interactions.settle(answer)

    def command_failed(self, failure: CommandFailed) -> None:
        if self._is_repeated(failure.error):
            return
        seen = self._recent.get(failure.interaction_id or "")
        data = wire.CommandErrorData(
            **describe_error(innermost(failure.error)),
            phase=failure.phase,
            commandName=failure.command_name if seen is None else seen.command_name,
            interactionKind=None if seen is None else seen.kind,
            shardId=self._shard_of(failure.guild_id) if seen is None else seen.shard_id,
        )
        ids = failure if seen is None else seen
        event = EventInput(
            "command_error", self._env.now_ms(), data, ids.guild_id, ids.channel_id, ids.user_id
        )
        self._parts.emit(event)

    def error(self, error: BaseException, origin: wire.Origin, *, handled: bool) -> None:
        if self._is_repeated(error):
            return
        data = wire.ErrorData(**describe_error(error), origin=origin, handled=handled, context=None)
        self._parts.emit(EventInput("error", self._env.now_ms(), data))

    def rest_call(self, call: RestCall) -> None:
        self._parts.emit(action_event(call, self._client, self._env.now_ms()))

    def http_attempt(self, attempt: HttpAttempt) -> None:
        self._rest.add(attempt)

    def shard(self, type_: wire.ShardType, shard_id: int, data: Mapping[str, Any]) -> None:
        head = {"shardId": shard_id, "shardCount": self._client.shard_count()}
        self._parts.emit(EventInput(type_, self._env.now_ms(), {**head, **data}))
        if type_ in ("shard_ready", "shard_resume"):
            self.shard_was_ready(shard_id)

    def shard_was_ready(self, shard_id: int) -> None:
        """A client that was ready before it was attached gets its heartbeats too."""
        self._snapshots.shard_ready(shard_id)
        self._parts.drain_soon()

    def guild(self, type_: wire.GuildType, guild_id: str, data: wire.GuildChangeData) -> None:
        self._parts.emit(EventInput(type_, self._env.now_ms(), data, guild_id))

    def tick(self, late_s: float) -> None:
        """Called by the event loop every 100 ms; ``late_s`` is how late it ran."""
        self._parts.figures.add_delay(late_s)
        now_s = self._env.monotonic_s()
        self._counters.tick(now_s)
        self._interactions.tick(now_s)
        self._snapshots.tick(now_s)

    def emit_pending(self) -> None:
        """Emits what is half done: the window so far, interactions without an answer."""
        self._counters.emit_window()
        self._interactions.emit_pending()

    def _shard_of(self, guild_id: str | None) -> int | None:
        return None if guild_id is None else self._client.shard_of_guild(guild_id)

    def _is_repeated(self, error: BaseException) -> bool:
        """One failure passes through several layers, each with a wrapper of its own."""
        layers = chain(error)
        if any(getattr(layer, _SEEN, False) for layer in layers):
            return True
        # A mark on the error itself: a list of errors would keep their frames alive.
        for layer in layers:
            with contextlib.suppress(Exception):
                setattr(layer, _SEEN, True)
        return False
