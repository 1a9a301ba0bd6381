"""Figures of the process in a heartbeat: memory, CPU, delay of the event loop."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from vendor_chat.core.env import Env

_MB = 2**20
_STATM = Path("/proc/self/statm")
_SAMPLES_MAX = 36_000
"""An hour of samples at 100 ms: the longest snapshot interval."""


class Figures(NamedTuple):
    memory_mb: float
    """Resident memory."""
    cpu_percent: float
    """Of one core, since the last heartbeat."""
    loop_delay_p95_ms: float | None


def memory_reader() -> Callable[[], float]:
    """Reads the resident memory in MB: /proc, else psutil if it is there, else the peak."""
    if _STATM.exists():
        page = os.sysconf("SC_PAGE_SIZE")
        return lambda: int(_STATM.read_bytes().split()[1]) * page / _MB
    with contextlib.suppress(ImportError):
        process: Any = importlib.import_module("psutil").Process()
        return lambda: process.memory_info().rss / _MB
    with contextlib.suppress(ImportError):
        usage: Any = importlib.import_module("resource")
        unit = 1 if sys.platform == "darwin" else 1_024
        return lambda: usage.getrusage(usage.RUSAGE_SELF).ru_maxrss * unit / _MB
    return lambda: 0.0


class ProcessFigures:
    """Turns running totals into figures since the last call."""

    def __init__(
        self,
        env: Env,
        cpu_s: Callable[[], float] = time.process_time,
        memory_mb: Callable[[], float] | None = None,
    ) -> None:
        self._env = env
        self._cpu = cpu_s
        self._memory = memory_mb or memory_reader()
        self._cpu_s = cpu_s()
        self._at_s = env.monotonic_s()
        self._delays_ms: list[float] = []

    def add_delay(self, delay_s: float) -> None:
        """One sample of how late the event loop ran."""
        if len(self._delays_ms) < _SAMPLES_MAX:
            self._delays_ms.append(max(0.0, delay_s * 1_000))

    def take(self) -> Figures:
        cpu_s, at_s = self._cpu(), self._env.monotonic_s()
        took_s = at_s - self._at_s
        percent = (cpu_s - self._cpu_s) / took_s * 100 if took_s > 0 else 0.0
        self._cpu_s, self._at_s = cpu_s, at_s
        delays, self._delays_ms = self._delays_ms, []
        try:
            memory_mb = self._memory()
        except Exception:
            memory_mb = 0.0
        return Figures(round(memory_mb, 1), round(max(0.0, percent), 1), percentile95(delays))


def percentile95(samples: list[float]) -> float | None:
    """Nearest rank; None without samples."""
    if not samples:
        return None
    rank = -(-len(samples) * 95 // 100)
    return round(sorted(samples)[rank - 1], 1)
