"""Which guilds the bot is in, so that joins and leaves are counted once. platform.md B2."""

from __future__ import annotations

from typing import Any

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import GuildView, Observer
from vendor_chat.discord.client_view import DiscordView, optional_int, optional_text


class GuildBook:
    """The library alone would over- and undercount.

    A resumed connection may replay a GUILD_CREATE that came before; a guild that was left while
    the connection was down vanishes without an event, and one that was joined looks like the end
    of an outage. `on_guild_join` waits for the guild's members, up to 60 s, and never comes when
    the guild is left meanwhile. So the book is kept from what the gateway sends: the guilds of each
    READY are compared with those of before, and GUILD_CREATE of any other guild is a join.
    """

    def __init__(self, client: Any, view: DiscordView, observer: Observer) -> None:
        self._client = client
        self._view = view
        self._observer = observer
        self._known: dict[int, set[str]] = {}
        """By shard; a shard that is not in it has not said READY yet."""
        self._new: set[str] = set()
        """Joined while the connection was down; told when their details come."""
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

    def created(self, payload: Any) -> None:
        """GUILD_CREATE: a join, the end of an outage, a guild of READY or a replay."""
        guild_id, shard_id = str(payload["id"]), self._shard_of(payload)
        known = self._known.setdefault(shard_id, set())
        if payload.get("unavailable") or (guild_id in known and guild_id not in self._new):
            return
        known.add(guild_id)
        self._new.discard(guild_id)
        guild = GuildView(
            shard_id=shard_id,
            name=optional_text(payload.get("name")),
            locale=optional_text(payload.get("preferred_locale")),
            member_count=optional_int(payload.get("member_count")),
            online_count=None,
            available=True,
        )
        self._report("guild_join", guild_id, guild)

    def deleted(self, payload: Any) -> None:
        """GUILD_DELETE, before the library forgets the guild: a leave or an outage."""
        guild_id = str(payload["id"])
        known = self._known.get(self._shard_of(payload), set())
        if guild_id in known and not payload.get("unavailable"):
            known.discard(guild_id)
            self._new.discard(guild_id)
            self._leave(guild_id, self._view.guild(guild_id))

    def _shard_of(self, payload: Any) -> int:
        return self._view.shard_of_guild(str(payload["id"])) or 0

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
