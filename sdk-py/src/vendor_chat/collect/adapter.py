"""The border between the collectors, which know no client library, and an adapter, which knows one.

Another library needs another adapter and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from vendor_chat import _protocol as wire


class ShardView(NamedTuple):
    """One shard, as a heartbeat reports it."""

    id: int
    status: wire.ShardStatus
    ping_ms: float | None
    """None before the first acknowledgement."""
    guild_count: int
    voice_connections: int


class GuildView(NamedTuple):
    """One guild, as a guild_snapshot reports it."""

    shard_id: int
    name: str | None
    locale: str | None
    member_count: int | None
    online_count: int | None
    available: bool


class ClientView(Protocol):
    """What the collectors ask of a client, on its event loop's thread."""

    @property
    def library(self) -> str: ...
    @property
    def library_version(self) -> str: ...
    def shard_count(self) -> int:
        """Shards of the whole bot, at least 1."""
        ...

    def shards(self) -> Sequence[ShardView]:
        """Shards of this process that have connected. Empty before the login and after the end."""
        ...

    def guild_ids(self) -> Sequence[str]: ...
    def guild(self, guild_id: str) -> GuildView | None:
        """None when it is gone."""
        ...

    def guild_of_channel(self, channel_id: str) -> str | None: ...
    def shard_of_guild(self, guild_id: str) -> int | None: ...
    def application_id(self) -> str | None:
        """None before the login."""
        ...


@dataclass(frozen=True)
class InteractionSeen:
    """A user's input, when it arrives."""

    id: str
    type: wire.InteractionType
    command_name: str
    kind: wire.InteractionKind
    shard_id: int
    guild_id: str | None
    channel_id: str | None
    user_id: str | None
    created_ms: int
    """Wall clock of its creation on the platform, Unix ms."""


@dataclass(frozen=True)
class InteractionAnswered:
    """The first response to an interaction, settled."""

    id: str
    success: bool
    response_kind: wire.ResponseKind | None
    error_code: int | str | None


@dataclass(frozen=True)
class CommandFailed:
    """A reply method that failed, or a handler."""

    error: BaseException
    phase: str
    interaction_id: str | None = None
    command_name: str | None = None
    """Of a command that is no interaction."""
    guild_id: str | None = None
    channel_id: str | None = None
    user_id: str | None = None


@dataclass(frozen=True)
class RestCall:
    """A REST call of the bot, settled."""

    type: wire.ActionType
    path: str
    """Without ``/api/vN``."""
    body: Any
    """Only the names of its keys and the length of lists are looked at."""
    latency_ms: float
    success: bool
    status: int | None
    error_code: int | str | None
    guild_id: str | None = None
    """Guild of the channel when the call began: afterwards the channel may be gone."""


@dataclass(frozen=True)
class HttpAttempt:
    """One HTTP attempt, answered."""

    method: str
    path: str
    status: int
    header: Callable[[str], str | None]


class Observer(Protocol):
    """What an adapter reports. No method raises."""

    def dispatch(self, type_: wire.GatewayType, shard_id: int) -> None: ...
    def interaction(self, seen: InteractionSeen) -> None: ...
    def answered(self, answer: InteractionAnswered) -> None: ...
    def command_failed(self, failure: CommandFailed) -> None: ...
    def rest_call(self, call: RestCall) -> None: ...
    def http_attempt(self, attempt: HttpAttempt) -> None: ...
    def shard(self, type_: wire.ShardType, shard_id: int, data: Mapping[str, Any]) -> None: ...
    def guild(self, type_: wire.GuildType, guild_id: str, data: wire.GuildChangeData) -> None: ...
    def error(self, error: BaseException, origin: wire.Origin, *, handled: bool) -> None: ...
