"""What the SDK tells of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from vendor_chat._protocol import EventType

DropReason: TypeAlias = Literal[
    "overflow",
    "bad_request",
    "retries_exhausted",
    "too_large",
    "rejected",
    "serialization",
    "hook",
    "disabled",
    "shutdown",
]
"""Why an event did not arrive.

- ``overflow``: over 5,000 waited; the oldest went.
- ``bad_request``: the server refused the whole batch (400 and its relatives).
- ``retries_exhausted``: five attempts failed.
- ``too_large``: the event alone is over 1 MiB.
- ``rejected``: the server stored the batch without this event.
- ``serialization``: it could not be written as JSON.
- ``hook``: ``before_send`` raised, or returned None or something that is no event.
- ``disabled``: the SDK is off: no key, key refused, or redirect.
- ``shutdown``: it came after the shutdown or did not get out in its time.
"""

DROP_REASONS: Final[tuple[DropReason, ...]] = get_args(DropReason)

State: TypeAlias = Literal["active", "quiet", "disabled", "closed"]
"""What the transport may send.

- ``active``: everything.
- ``quiet``: the server asked for a pause (429); heartbeats and guild snapshots are still sent.
- ``disabled``: nothing for the rest of the process: no key, key refused, or redirect.
- ``closed``: nothing, it is shut down.
"""


class Drop(NamedTuple):
    """One loss, as ``on_drop`` hears of it."""

    reason: DropReason
    # The name is public; the method of a tuple is not missed.
    count: int  # pyright: ignore[reportIncompatibleMethodOverride]
    type: EventType | None
    """None when the server told only a number."""


class FlushResult(NamedTuple):
    """Answer of ``flush()`` and ``shutdown()``."""

    delivered: int
    """Events that arrived during the call."""
    dropped: int
    """Events that were lost during the call."""
    queued: int
    """Events that still wait, those under way included."""
    state: State


class Stats(NamedTuple):
    """Counters since the start of the process."""

    state: State
    queued: int
    """Events that wait; at most 5,000."""
    in_flight: int
    """Events in the batch under way; at most 500."""
    delivered: int
    dropped: Mapping[DropReason, int]
    truncated: int
    """Events whose ``data`` was cut or reduced to its bounds."""
    last_error: str | None
    """Last failure, such as ``HTTP 503`` or ``ECONNREFUSED``; None when there was none."""
