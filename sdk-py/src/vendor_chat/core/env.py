"""Clock and randomness: the only module that touches them. Tests pass their own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Env:
    """Everything the SDK takes from the outside."""

    now_ms: Callable[[], int] = _wall_ms
    """Wall clock, Unix milliseconds."""
    monotonic_s: Callable[[], float] = time.perf_counter
    """Monotonic clock, seconds from any origin."""
    random01: Callable[[], float] = field(default_factory=lambda: random.Random().random)
    """Uniform in [0, 1)."""
    random_bits: Callable[[int], int] = field(default_factory=lambda: random.Random().getrandbits)
    """An integer of so many random bits."""
