"""Hooks into what the gateway sends and into what the client dispatches. platform.md B2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import CommandFailed, Observer
from vendor_chat.collect.gateway_counters import counted_types
from vendor_chat.discord.client_view import DiscordView, optional_text
from vendor_chat.discord.guild_book import GuildBook
from vendor_chat.discord.interactions import read_interaction
from vendor_chat.discord.patches import Patches
from vendor_chat.discord.shard_book import ShardBook

Hook = Callable[..., None]


class GatewayHooks:
    """Reports gateway events of one client."""

    def __init__(self, client: Any, view: DiscordView, observer: Observer, quiet: Quiet) -> None:
        self._client = client
        self._view = view
        self._observer = observer
        self._quiet = quiet
        self._guilds = GuildBook(client, view, observer)
        self._shards = ShardBook(client, view, observer)
        self.on_interaction: Callable[[str, Any], None] | None = None
        """Called with id and token of each interaction; None: interactions are not collected."""
        self._events = self._event_table()

    def install(self, patches: Patches, *, gateway: bool) -> None:
        parsers: dict[str, Any] = self._client._connection.parsers
        if gateway:
            for type_ in counted_types(self._view.intents):
                dispatch = wire.GATEWAY_KINDS[type_].dispatch
                patches.put(parsers, dispatch, self._before(self._counter(type_)))
        if self.on_interaction is not None:
            patches.put(parsers, "INTERACTION_CREATE", self._before(self._interaction))
        patches.put(parsers, "READY", self._before(self._guilds.ready))
        patches.put(parsers, "GUILD_CREATE", self._before(self._guilds.created))
        patches.put(parsers, "GUILD_DELETE", self._before(self._guilds.deleted))
        # The state keeps the bound method that it was made with; both have to be replaced.
        patches.wrap(self._client._connection, "dispatch", self._dispatch)
        patches.wrap(self._client, "dispatch", self._dispatch)
        for shard in self._parents():
            patches.wrap(shard, "_dispatch", self._dispatch)

    def was_ready(self) -> list[int]:
        """Shards that were connected before the client was attached."""
        return self._shards.was_ready()

    def _parents(self) -> list[Any]:
        """Shards that run already; each keeps the bound method of its own start."""
        shards: dict[int, Any] = getattr(self._client, "_AutoShardedClient__shards", {})
        return list(shards.values())

    def _before(self, hook: Hook) -> Callable[[Any], Any]:
        """Runs ``hook`` before the library's own parser, which then runs whatever happened."""
        guarded = self._quiet(hook)

        def make(original: Any) -> Any:
            if original is None:
                return guarded

            def parse(data: Any, *args: Any) -> Any:
                guarded(data)
                return original(data, *args)

            return parse

        return make

    def _counter(self, type_: wire.GatewayType) -> Hook:
        def count(data: Any) -> None:
            self._observer.dispatch(type_, self._shard_of(data))

        return count

    def _shard_of(self, data: Any) -> int:
        guild_id = data.get("guild_id") or (data["id"] if "owner_id" in data else None)
        if guild_id is None:
            # Direct messages come on the first shard.
            return 0 if self._view.is_sharded else self._view.own_shard()
        return self._view.shard_of_guild(guild_id) or 0

    def _interaction(self, data: Any) -> None:
        seen = read_interaction(data, self._shard_of(data))
        if seen is not None and self.on_interaction is not None:
            self.on_interaction(seen.id, data.get("token"))
            self._observer.interaction(seen)

    def _dispatch(self, original: Any) -> Any:
        events = self._events

        def dispatch(event: str, /, *args: Any, **kwargs: Any) -> Any:
            hook = events.get(event)
            if hook is not None:
                hook(*args)
            return original(event, *args, **kwargs)

        return dispatch

    def _event_table(self) -> dict[str, Hook]:
        shards = self._shards
        events: dict[str, Hook] = {"command_error": self._prefix_command_failed}
        if self._view.is_sharded:
            # Also dispatched without `shard_`, which would count twice.
            events["shard_connect"] = shards.connected
            events["shard_ready"] = shards.ready
            events["shard_disconnect"] = shards.disconnected
            events["shard_resumed"] = shards.resumed
        else:
            own = self._view.own_shard
            events["connect"] = lambda: shards.connected(own())
            events["ready"] = lambda: shards.ready(own())
            events["disconnect"] = lambda: shards.disconnected(own())
            events["resumed"] = lambda: shards.resumed(own())
        return {name: self._quiet(hook) for name, hook in events.items()}

    def _prefix_command_failed(self, context: Any, error: Any, *_: Any) -> None:
        command = getattr(context, "command", None)
        ids = {
            name: optional_text(getattr(getattr(context, part, None), "id", None))
            for name, part in (
                ("guild_id", "guild"),
                ("channel_id", "channel"),
                ("user_id", "author"),
            )
        }
        interaction = getattr(context, "interaction", None)
        self._observer.command_failed(
            CommandFailed(
                error,
                "handler",
                interaction_id=optional_text(getattr(interaction, "id", None)),
                command_name=optional_text(getattr(command, "qualified_name", None)),
                **ids,
            )
        )


Quiet = Callable[[Hook], Hook]
"""Wraps a hook so that it never raises into the library."""
