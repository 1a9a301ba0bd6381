"""Clock and randomness: the only module that touches them. Tests pass their own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import NamedTuple


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


class Env(NamedTuple):
    """Everything the SDK takes from the outside."""

    now_ms: Callable[[], int]
    """Wall clock, Unix milliseconds."""
    monotonic_s: Callable[[], float]
    """Monotonic clock, seconds from any origin."""
    random01: Callable[[], float]
    """Uniform in [0, 1)."""
    random_bits: Callable[[int], int]
    """An integer of so many random bits."""
    reseed: Callable[[], None] = lambda: None
    """Makes the dice of a forked child differ from those of its parent."""


def real_env() -> Env:
    # Dice of its own: those of the module `random` may be seeded by the bot, the same everywhere.
    dice = random.Random()
    return Env(
        now_ms=_wall_ms,
        monotonic_s=time.perf_counter,
        random01=dice.random,
        random_bits=dice.getrandbits,
        reseed=dice.seed,
    )
