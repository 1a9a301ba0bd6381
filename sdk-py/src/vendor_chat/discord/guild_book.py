"""Which guilds the bot is in, so that joins and leaves are counted once. platform.md B2."""

from __future__ import annotations

from typing import Any

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import GuildView, Observer
from vendor_chat.discord.client_view import DiscordView


class GuildBook:
    """The library alone would over- and undercount.

    A resumed connection may replay a GUILD_CREATE that came before; a guild that was left while
    the connection was down vanishes without an event, and one that was joined looks like the end
    of an outage. So the guilds of each READY are compared with those of before.
    """

    def __init__(self, client: Any, view: DiscordView, observer: Observer) -> None:
        self._client = client
        self._view = view
        self._observer = observer
        self._known: dict[int, set[str]] = {}
        """By shard; a shard that is not in it has not said READY yet."""
        self._new: set[str] = set()
        """Joined while the connection was down; told when their details come."""
        if client.is_ready():
            for guild in client.guilds:
                self._known.setdefault(guild.shard_id or 0, set()).add(str(guild.id))

    def ready(self, payload: Any) -> None:
        """READY, before the library clears its cache."""
        shard_id = (payload.get("shard") or [self._view.own_shard()])[0]
        present = {str(guild["id"]) for guild in payload.get("guilds", ())}
        known = self._known.get(shard_id)
        self._known[shard_id] = present
        if known is None:
            return
        self._new |= present - known
        for guild_id in sorted(known - present):
            self._leave(guild_id, self._view.guild(guild_id))

    def joined(self, guild: Any) -> None:
        guild_id = str(guild.id)
        known = self._known.setdefault(guild.shard_id or 0, set())
        if guild_id in known and guild_id not in self._new:
            return
        known.add(guild_id)
        self._join(guild_id)

    def available(self, guild: Any) -> None:
        if str(guild.id) in self._new:
            self._join(str(guild.id))

    def removed(self, guild: Any) -> None:
        guild_id = str(guild.id)
        known = self._known.get(guild.shard_id or 0, set())
        if guild_id in known:
            known.discard(guild_id)
            self._new.discard(guild_id)
            self._leave(guild_id, self._view.guild(guild_id) or self._view.read_guild(guild))

    def _join(self, guild_id: str) -> None:
        self._new.discard(guild_id)
        self._report("guild_join", guild_id, self._view.guild(guild_id))

    def _leave(self, guild_id: str, guild: GuildView | None) -> None:
        self._report("guild_leave", guild_id, guild)

    def _report(self, type_: wire.GuildType, guild_id: str, guild: GuildView | None) -> None:
        data = wire.GuildChangeData(
            name=None if guild is None else guild.name,
            locale=None if guild is None else guild.locale,
            memberCount=None if guild is None else guild.member_count,
            shardId=self._view.shard_of_guild(guild_id) or 0,
            guildCount=sum(len(ids) for ids in self._known.values()),
        )
        self._observer.guild(type_, guild_id, data)
