"""What to do after an HTTP attempt. Pure. Spec: Errors; decision 0014."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from vendor_chat import _protocol as wire


class Response(NamedTuple):
    """The headers of an answer arrived."""

    status: int
    location: str | None = None
    retry_after: str | None = None
    date: str | None = None
    body: bytes = b""
    """At most 64 KiB; empty when it did not come in time."""


class NetworkError(NamedTuple):
    code: str | None
    """``ECONNREFUSED`` and the like."""


class TimedOut:
    """No answer within the time of one attempt."""


Outcome: TypeAlias = Response | NetworkError | TimedOut
Action: TypeAlias = Literal["deliver", "drop", "retry", "quiet", "split", "disable"]
Why: TypeAlias = Literal[
    "accepted",
    "bad_request",
    "wrong_endpoint",
    "unusable_redirect",
    "too_large",
    "retries_exhausted",
    "forbidden",
    "try_again",
    "server_error",
    "network_error",
    "timeout",
    "rate_limited",
    "bad_key",
    "redirect",
]


class Decision(NamedTuple):
    do: Action
    why: Why


_BY_STATUS: dict[int, Decision] = {
    301: Decision("disable", "redirect"),
    302: Decision("disable", "redirect"),
    401: Decision("disable", "bad_key"),
    # A CDN or firewall answers 403 in passing. Spec: Errors.
    403: Decision("retry", "forbidden"),
    404: Decision("drop", "wrong_endpoint"),
    405: Decision("drop", "wrong_endpoint"),
    408: Decision("retry", "try_again"),
    413: Decision("split", "too_large"),
    425: Decision("retry", "try_again"),
    429: Decision("quiet", "rate_limited"),
}


def decide(outcome: Outcome, attempt: int, event_count: int) -> Decision:
    """What to do with the outcome of attempt ``attempt`` (from 1) of ``event_count`` events."""
    decision = _by_outcome(outcome)
    if decision.do == "retry" and attempt >= wire.ATTEMPTS_MAX:
        return Decision("drop", "retries_exhausted")
    if decision.do == "split" and event_count <= 1:
        return Decision("drop", "too_large")
    return decision


def _by_outcome(outcome: Outcome) -> Decision:
    if isinstance(outcome, TimedOut):
        return Decision("retry", "timeout")
    if isinstance(outcome, NetworkError):
        return Decision("retry", "network_error")
    return _BY_STATUS.get(outcome.status) or _by_class(outcome)


def _by_class(answer: Response) -> Decision:
    hundreds = answer.status // 100
    if hundreds == 2:
        return Decision("deliver", "accepted")
    if hundreds == 1:
        # No HTTP client hands on a final 1xx, except for a 101 that nobody asked for.
        return Decision("retry", "network_error")
    if hundreds == 3:
        usable = answer.status in (303, 307, 308) and answer.location is not None
        return Decision("disable", "redirect") if usable else Decision("drop", "unusable_redirect")
    if hundreds == 4:
        return Decision("drop", "bad_request")
    return Decision("retry", "server_error")


# The cap is reached long before.
_DOUBLINGS_MAX = 30


def backoff_s(attempt: int, random01: float) -> float:
    """Full jitter: uniform in [0, min(30, 2 ** (attempt - 1))) seconds after failed ``attempt``.

    ``attempt`` counts from 1; ``random01`` is in [0, 1). Spec: Errors.
    """
    return random01 * min(
        wire.BACKOFF_CAP_S, wire.BACKOFF_BASE_S * 2 ** min(attempt - 1, _DOUBLINGS_MAX)
    )
