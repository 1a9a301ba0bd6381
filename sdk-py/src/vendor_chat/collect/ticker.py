"""Runs the collectors' clockwork on an event loop and measures how late it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

TICK_S = 0.1
"""10 ticks a second of a few microseconds each; 600 samples of the loop's delay a minute."""


class Ticker:
    """Never keeps the loop alive; ends with it. A hung loop sends no heartbeat: it is not alive."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tick: Callable[[float], None]) -> None:
        self.loop = loop
        self._tick = tick
        self._due_s = loop.time() + TICK_S
        self._handle: asyncio.TimerHandle | None = loop.call_at(self._due_s, self._run)

    def stop(self) -> None:
        """From the loop's thread, or after its end."""
        handle, self._handle = self._handle, None
        if handle is not None and not self.loop.is_closed():
            handle.cancel()

    def _run(self) -> None:
        if self._handle is None:
            return
        now_s = self.loop.time()
        late_s = now_s - self._due_s
        self._due_s = now_s + TICK_S
        self._handle = self.loop.call_at(self._due_s, self._run)
        self._tick(late_s)
