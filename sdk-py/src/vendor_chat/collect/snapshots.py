"""Heartbeats per shard, guild snapshots spread over the interval, routes every 5 minutes."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import ClientView, ShardView
from vendor_chat.collect.process_figures import ProcessFigures
from vendor_chat.collect.rest_counters import COUNTERS, RestCounters
from vendor_chat.core.env import Env
from vendor_chat.core.event import EventInput

_NO_REST: dict[str, int] = dict.fromkeys(COUNTERS, 0)

_PING_LOOKS = 60
"""Looks for a first ping in an interval: one a second by default."""


@dataclass(frozen=True)
class SnapshotSources:
    env: Env
    emit: Callable[[EventInput], None]
    client: ClientView
    rest: RestCounters
    figures: ProcessFigures
    instance_id: str
    """UUID of the process."""
    cluster_id: str | None
    health: Callable[[], tuple[int, int]]
    """Events that wait and that were lost."""
    interval_s: float
    all: bool
    """guild_snapshot and api_routes_snapshot too."""


class Snapshots:
    def __init__(self, sources: SnapshotSources) -> None:
        self._from = sources
        self._began_s = sources.env.monotonic_s()
        self._last_beat_s: dict[int, float] = {}
        self._primary_id: int | None = None
        """The lowest shard that was ready: it alone carries what stands once per process."""
        self._pingless: set[int] = set()
        """Shards whose last heartbeat had no ping; the library knows it up to 45 s later."""
        self._pings_at_s = 0.0
        self._beat_at_s: float | None = None
        """Next round of heartbeats; None before the first shard is ready."""
        self._routes_at_s = 0.0
        self._guild_ids: Sequence[str] = ()
        self._round_s = 0.0
        """Start of the present round of guild snapshots."""
        self._sent = 0

    def shard_ready(self, shard_id: int) -> None:
        """A shard is ready, or again: its heartbeat leaves at once. transport.md C22."""
        now_s = self._from.env.monotonic_s()
        if self._beat_at_s is None:
            self._beat_at_s = now_s + self._from.interval_s
            self._routes_at_s = now_s + wire.API_ROUTES_INTERVAL_S
            self._begin_round(now_s)
        former = self._primary_id
        self._primary_id = shard_id if former is None else min(former, shard_id)
        for shard in self._from.client.shards():
            # The one that is no longer the lowest gives the figures away at once.
            handover = shard.id == former != self._primary_id
            if handover or shard.id == shard_id:
                self._beat(shard, now_s)

    def tick(self, now_s: float) -> None:
        if self._beat_at_s is None:
            return
        if now_s >= self._beat_at_s:
            # A loop that was blocked for long beats once, not once per missed interval.
            self._beat_at_s = max(self._beat_at_s + self._from.interval_s, now_s)
            for shard in self._from.client.shards():
                self._beat(shard, now_s)
        if self._pingless and now_s >= self._pings_at_s:
            self._pings_at_s = now_s + self._from.interval_s / _PING_LOOKS
            for shard in self._from.client.shards():
                if shard.id in self._pingless and shard.ping_ms is not None:
                    self._beat(shard, now_s)
        if self._from.all:
            self._guilds(now_s)
            if now_s >= self._routes_at_s:
                self._routes_at_s = now_s + wire.API_ROUTES_INTERVAL_S
                self._routes()

    def _beat(self, shard: ShardView, now_s: float) -> None:
        last_s = self._last_beat_s.get(shard.id, now_s)
        self._last_beat_s[shard.id] = now_s
        interval_ms = round((now_s - last_s) * 1_000)
        (self._pingless.add if shard.ping_ms is None else self._pingless.discard)(shard.id)
        data = self._heartbeat(shard, interval_ms, shard.id == self._primary_id, now_s)
        self._from.emit(EventInput("heartbeat", self._from.env.now_ms(), data))

    def _heartbeat(
        self, shard: ShardView, interval_ms: int, primary: bool, now_s: float
    ) -> dict[str, Any]:
        source = self._from
        # Of several shards in one process only one carries its figures, or they would be summed.
        figures = source.figures.take() if primary else None
        rest: dict[str, int] = source.rest.take_counts() if primary else _NO_REST
        queued, dropped = source.health()
        return {
            "shardId": shard.id,
            "shardCount": source.client.shard_count(),
            "clusterId": source.cluster_id,
            "shardStatus": shard.status,
            "wsPingMs": shard.ping_ms,
            "guildCount": shard.guild_count,
            "voiceConnections": shard.voice_connections,
            "memoryMb": 0 if figures is None else figures.memory_mb,
            "cpuPercent": 0 if figures is None else figures.cpu_percent,
            "eventLoopDelayP95Ms": None if figures is None else figures.loop_delay_p95_ms,
            "intervalMs": interval_ms,
            **rest,
            "instanceId": source.instance_id,
            "primary": primary,
            "uptimeMs": round((now_s - self._began_s) * 1_000),
            "library": source.client.library,
            "libraryVersion": source.client.library_version,
            "runtime": sys.implementation.name,
            "runtimeVersion": platform.python_version(),
            "sdkQueueSize": queued,
            "sdkDropped": dropped,
        }

    def _begin_round(self, now_s: float) -> None:
        self._guild_ids = self._from.client.guild_ids()
        self._round_s, self._sent = now_s, 0

    def _guilds(self, now_s: float) -> None:
        """Guilds whose turn came: the i-th of n at i/n of the interval."""
        share = (now_s - self._round_s) / self._from.interval_s
        total = len(self._guild_ids)
        due = min(total, int(share * total) + 1)
        while self._sent < due:
            self._guild(self._guild_ids[self._sent])
            self._sent += 1
        if share >= 1:
            self._begin_round(now_s)

    def _guild(self, guild_id: str) -> None:
        guild = self._from.client.guild(guild_id)
        # In an outage nothing is known of it. catalogue.md A5.
        if guild is None or not guild.available:
            return
        data = wire.GuildSnapshotData(
            memberCount=guild.member_count,
            onlineCount=guild.online_count,
            name=guild.name,
            locale=guild.locale,
            available=guild.available,
            shardId=guild.shard_id,
        )
        self._from.emit(EventInput("guild_snapshot", self._from.env.now_ms(), data, guild_id))

    def _routes(self) -> None:
        routes = self._from.rest.take_routes()
        if routes is None:
            return
        data = {**routes, "instanceId": self._from.instance_id, "shardId": self._primary_id or 0}
        self._from.emit(EventInput("api_routes_snapshot", self._from.env.now_ms(), data))
