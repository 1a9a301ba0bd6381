"""States of the transport. Spec: Transport states."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from vendor_chat.stats import State

Input: TypeAlias = Literal["rate_limited", "quiet_ended", "refused", "shut_down"]

# Every pair. `disabled` and `closed` are final: a 429 that arrives after a 401 changes nothing.
STEPS: Final[dict[State, dict[Input, State]]] = {
    "active": {
        "rate_limited": "quiet",
        "quiet_ended": "active",
        "refused": "disabled",
        "shut_down": "closed",
    },
    "quiet": {
        "rate_limited": "quiet",
        "quiet_ended": "active",
        "refused": "disabled",
        "shut_down": "closed",
    },
    "disabled": {
        "rate_limited": "disabled",
        "quiet_ended": "disabled",
        "refused": "disabled",
        "shut_down": "disabled",
    },
    "closed": {
        "rate_limited": "closed",
        "quiet_ended": "closed",
        "refused": "closed",
        "shut_down": "closed",
    },
}
