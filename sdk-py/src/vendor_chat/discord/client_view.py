"""What the collectors ask of a discord.py client."""

from __future__ import annotations

import math
import sys
from typing import Any

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import GuildView, ShardView

# Counting the members who are online takes 0.1 us each; larger guilds would stall the loop.
_COUNTED_MEMBERS_MAX = 5_000
_PRESENCES = 1 << 8


def library_of(client: Any) -> Any:
    """The package of a client class: ``discord``, or that of a fork."""
    for base in type(client).__mro__:
        if base.__name__ == "Client" and base.__module__.endswith(".client"):
            return sys.modules.get(base.__module__.partition(".")[0])
    return None


def optional_int(value: Any) -> int | None:
    return value if type(value) is int else None


def optional_text(value: Any) -> str | None:
    """Text of an id, a name or a locale; a fork's locale may have none."""
    try:
        return None if value is None else str(value)
    except TypeError:
        return None


class DiscordView:
    """Reads a client; on its event loop's thread."""

    def __init__(self, client: Any, library: Any) -> None:
        self._client = client
        self.is_sharded = hasattr(library, "AutoShardedClient") and isinstance(
            client, library.AutoShardedClient
        )
        title = str(getattr(library, "__title__", library.__name__))
        self.library = "discord.py" if title == "discord" else title
        self.library_version = str(getattr(library, "__version__", "unknown"))
        self.is_down: set[int] = set()
        """Shards whose connection is lost."""
        self.is_seen: set[int] = set()
        """Shards that have connected."""
        intents = getattr(client, "intents", None)
        self.intents: int = getattr(intents, "value", 0)

    def shard_count(self) -> int:
        return max(1, self._client.shard_count or 1)

    def own_shard(self) -> int:
        """The shard of a client that is not sharded by the library."""
        return getattr(self._client, "shard_id", None) or 0

    def shards(self) -> list[ShardView]:
        guilds: dict[int, int] = {}
        for guild in self._client.guilds:
            shard_id = self._shard_of(guild)
            guilds[shard_id] = guilds.get(shard_id, 0) + 1
        voices: dict[int, int] = {}
        for voice in self._client.voice_clients:
            shard_id = self._shard_of(getattr(voice, "guild", None))
            voices[shard_id] = voices.get(shard_id, 0) + 1
        return [
            ShardView(
                id=shard_id,
                status=self._status(shard_id),
                ping_ms=_ping_ms(latency_s),
                guild_count=guilds.get(shard_id, 0),
                voice_connections=voices.get(shard_id, 0),
            )
            for shard_id, latency_s in self._latencies()
        ]

    def guild_ids(self) -> list[str]:
        return [str(guild.id) for guild in self._client.guilds]

    def guild(self, guild_id: str) -> GuildView | None:
        guild = self._client.get_guild(int(guild_id))
        return None if guild is None else self.read_guild(guild)

    def read_guild(self, guild: Any) -> GuildView:
        return GuildView(
            shard_id=self._shard_of(guild),
            name=optional_text(getattr(guild, "name", None)),
            locale=optional_text(getattr(guild, "preferred_locale", None)),
            member_count=optional_int(getattr(guild, "member_count", None)),
            online_count=self._online(guild),
            available=not guild.unavailable,
        )

    def guild_of_channel(self, channel_id: str) -> str | None:
        guild = getattr(self._client.get_channel(int(channel_id)), "guild", None)
        return None if guild is None else str(guild.id)

    def shard_of_guild(self, guild_id: str) -> int | None:
        if self.is_sharded or self._client.shard_id is not None:
            return (int(guild_id) >> 22) % self.shard_count()
        return 0

    def application_id(self) -> str | None:
        return optional_text(getattr(self._client, "application_id", None))

    def _shard_of(self, guild: Any) -> int:
        return 0 if guild is None else getattr(guild, "shard_id", None) or 0

    def _latencies(self) -> list[tuple[int, float]]:
        if self.is_sharded:
            return [(i, s) for i, s in self._client.latencies if i in self.is_seen]
        own = self.own_shard()
        return [(own, self._client.latency)] if own in self.is_seen else []

    def _status(self, shard_id: int) -> wire.ShardStatus:
        if self._client.is_closed() or shard_id in self.is_down:
            return "disconnected"
        return "ready"

    def _online(self, guild: Any) -> int | None:
        """None without the presence intent: the platform does not tell it."""
        if not self.intents & _PRESENCES:
            return None
        members = getattr(guild, "_members", None)
        if not isinstance(members, dict) or len(members) > _COUNTED_MEMBERS_MAX:  # type: ignore[arg-type]
            return None
        return sum(1 for member in guild.members if str(member.raw_status) != "offline")


def _ping_ms(latency_s: float) -> float | None:
    """Before the first acknowledgement discord.py answers inf or nan."""
    return round(latency_s * 1_000, 1) if math.isfinite(latency_s) and latency_s >= 0 else None
