"""The life of the connections: 5 shard types without double counting. catalogue.md A4."""

from __future__ import annotations

import time
import weakref
from typing import Any

from vendor_chat.collect.adapter import Observer
from vendor_chat.discord.client_view import DiscordView


class ShardBook:
    def __init__(self, client: Any, view: DiscordView, observer: Observer) -> None:
        self._client = client
        self._view = view
        self._observer = observer
        self._connected_s: dict[int, float] = {}
        self._down_s: dict[int, float] = {}
        self._attempts: dict[int, int] = {}
        self._lost: dict[int, weakref.ref[Any] | None] = {}
        """The connection whose loss was reported last."""

    def connected(self, shard_id: int) -> None:
        """READY came: a new session."""
        self._up(shard_id)
        self._connected_s[shard_id] = time.perf_counter()
        self._observer.shard("shard_connect", shard_id, {"resumed": False})

    def ready(self, shard_id: int) -> None:
        connected_s = self._connected_s.pop(shard_id, None)
        if connected_s is None and shard_id in self._view.is_seen:
            # AutoShardedClient says it again for shards whose guilds were waited for together.
            return
        self._view.is_seen.add(shard_id)
        guilds = [g for g in self._client.guilds if (g.shard_id or 0) == shard_id]
        startup_ms = None
        if connected_s is not None:
            startup_ms = round((time.perf_counter() - connected_s) * 1_000, 1)
        data = {
            "guildCount": len(guilds),
            "unavailableGuilds": sum(1 for guild in guilds if guild.unavailable),
            "startupMs": startup_ms,
        }
        self._observer.shard("shard_ready", shard_id, data)

    def resumed(self, shard_id: int) -> None:
        down_s = self._down_s.get(shard_id)
        self._up(shard_id)
        down_ms = None if down_s is None else round((time.perf_counter() - down_s) * 1_000, 1)
        data = {"replayedEvents": None, "downMs": down_ms}
        self._observer.shard("shard_resume", shard_id, data)

    def disconnected(self, shard_id: int) -> None:
        """A lost connection, or a failed attempt to get it back: both are dispatched alike."""
        again = not self._client.is_closed()
        is_down = shard_id in self._view.is_down
        if not is_down:
            self._view.is_down.add(shard_id)
            self._down_s[shard_id] = time.perf_counter()
        # The library keeps the socket of the last connection that opened; one whose resume was
        # refused is a connection of its own, as in JavaScript.
        socket = self._socket(shard_id)
        if not is_down or socket is not self._last_lost(shard_id):
            self._lost[shard_id] = None if socket is None else weakref.ref(socket)
            data = {"code": None, "willReconnect": again}
            self._observer.shard("shard_disconnect", shard_id, data)
        if again:
            self._attempts[shard_id] = self._attempts.get(shard_id, 0) + 1
            attempt = {"attempt": self._attempts[shard_id]}
            self._observer.shard("shard_reconnect", shard_id, attempt)

    def _socket(self, shard_id: int) -> Any:
        if self._view.is_sharded:
            shards: dict[int, Any] = getattr(self._client, "_AutoShardedClient__shards", {})
            return getattr(shards.get(shard_id), "ws", None)
        return getattr(self._client, "ws", None)

    def _last_lost(self, shard_id: int) -> Any:
        lost = self._lost.get(shard_id)
        return None if lost is None else lost()

    def was_ready(self) -> list[int]:
        """Shards that were connected before the client was attached."""
        if not self._client.is_ready():
            return []
        ids = list(self._client.shards) if self._view.is_sharded else [self._view.own_shard()]
        self._view.is_seen.update(ids)
        return ids

    def _up(self, shard_id: int) -> None:
        self._view.is_seen.add(shard_id)
        self._view.is_down.discard(shard_id)
        self._down_s.pop(shard_id, None)
        self._attempts.pop(shard_id, None)
