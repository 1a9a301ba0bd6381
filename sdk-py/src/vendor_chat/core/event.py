"""Events on their way into the queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from vendor_chat import _protocol as wire
from vendor_chat.core.guards import guard_data

EXEMPT: Final[frozenset[wire.EventType]] = frozenset(wire.QUIET_EXEMPT_TYPES)
"""Types that are still sent in a quiet period. Spec: Limits."""

_SNOWFLAKE_DIGITS_MAX = 20
_ERRORS: Final[frozenset[wire.EventType]] = frozenset(("error", "command_error"))


class EventInput(NamedTuple):
    """An event before it gets its id."""

    type: wire.EventType
    ts_ms: int
    """When it occurred, Unix ms."""
    data: Mapping[str, Any]
    guild_id: str | None = None
    channel_id: str | None = None
    user_id: str | None = None


class QueuedEvent:
    """An event as it waits: bytes that no later change of the bot's objects can reach."""

    __slots__ = ("body", "seq", "snapshot_of", "type")

    def __init__(self, type_: wire.EventType, body: bytes, snapshot_of: str | None) -> None:
        self.type: wire.EventType = type_
        self.body = body
        """JSON of the whole event, UTF-8."""
        self.snapshot_of = snapshot_of
        """Guild of a guild_snapshot, of which only the latest waits."""
        self.seq = 0
        """Order of enqueueing, from 1."""


def encode_tail(event: EventInput, ts: str) -> tuple[bytes, bool]:
    """The event's JSON from behind its id on, and whether ``data`` was cut."""
    head = f'","type":"{event.type}","ts":"{ts}",'
    if event.guild_id is not None:
        head += _id_field("guildId", event.guild_id)
    if event.channel_id is not None:
        head += _id_field("channelId", event.channel_id)
    if event.user_id is not None:
        head += _id_field("userId", event.user_id)
    data = guard_data(event.data, is_error=event.type in _ERRORS)
    return f'{head}"data":{data.json}}}'.encode(), data.truncated


def _id_field(name: str, value: Any) -> str:
    """An id of the platform; one that is none is left out, since the server would refuse it."""
    if type(value) is not str or not 1 <= len(value) <= _SNOWFLAKE_DIGITS_MAX:
        return ""
    valid = value.isdecimal() and value.isascii() and value[0] != "0"
    return f'"{name}":"{value}",' if valid else ""
