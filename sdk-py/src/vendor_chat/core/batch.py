"""Batches as bodies of requests, and their splitting. Spec: Batch outcome; transport.md C15."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from vendor_chat import _protocol as wire


class Sized(Protocol):
    """Something with a body: the JSON of an event."""

    @property
    def body(self) -> bytes: ...


S = TypeVar("S", bound=Sized)
T = TypeVar("T")

_SUFFIX = b"]}"
# As long as any batch id and any time.
_SAMPLE_ID = "0" * 36
_SAMPLE_TIME = "0" * 24


class Limit(NamedTuple):
    envelope_bytes: int
    """The body with an empty list of events."""
    bytes_max: int = wire.BATCH_BYTES_MAX
    events_max: int = wire.BATCH_EVENTS_MAX


class Split(NamedTuple):
    parts: list[list[int]]
    """Indexes of the events of each request."""
    dropped: list[int]
    """Events that are too large alone."""


def envelope_prefix(version: str, batch_id: str, sent_at: str) -> bytes:
    return (
        f'{{"batchId":"{batch_id}","sdk":{{"name":"{wire.SDK_NAME}","version":"{version}"}},'
        f'"sentAt":"{sent_at}","events":['
    ).encode()


def ingest_limit(version: str) -> Limit:
    """The limit of the ingestion call for this version's envelope."""
    prefix = envelope_prefix(version, _SAMPLE_ID, _SAMPLE_TIME)
    return Limit(len(prefix) + len(_SUFFIX))


def batch_body(events: Sequence[Sized], prefix: bytes) -> bytes:
    return prefix + b",".join([event.body for event in events]) + _SUFFIX


def split(sizes: Sequence[int], limit: Limit) -> Split:
    """Chunks of at most ``events_max``; one over the limit is halved, the larger half first."""
    result = Split([], [])
    for start in range(0, len(sizes), limit.events_max):
        _halve(sizes, range(start, min(start + limit.events_max, len(sizes))), limit, result)
    return result


def _halve(sizes: Sequence[int], chunk: Sequence[int], limit: Limit, result: Split) -> None:
    size = limit.envelope_bytes + sum(sizes[index] for index in chunk) + len(chunk) - 1
    if size <= limit.bytes_max:
        result.parts.append(list(chunk))
    elif len(chunk) == 1:
        result.dropped.append(chunk[0])
    else:
        for half in halves(chunk):
            _halve(sizes, half, limit, result)


def halves(items: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    """The two halves, the larger one first."""
    middle = (len(items) + 1) // 2
    return items[:middle], items[middle:]
