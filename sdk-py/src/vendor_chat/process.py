"""The end of the process: SIGTERM and interpreter exit. Spec: Emission and flush; transport.md C19.

SIGINT is left to asyncio, which cancels the bot's main task; the bot then closes its client, and
that flushes. SIGTERM without a handler kills a Python process at once, so the SDK installs one,
unless the bot has its own.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any, Protocol


class Ending(Protocol):
    """Something that wants to finish before the process ends."""

    @property
    def final_timeout_s(self) -> float: ...

    def emit_pending(self) -> None:
        """Turns what is half done into events. Any thread."""

    def final_flush(self, timeout_s: float) -> None:
        """Sends what waits. Any thread but never in a signal handler."""


_endings: weakref.WeakSet[Any] = weakref.WeakSet()
_signalled: list[bool] = []


def watch(ending: Ending, *, handle_signals: bool) -> None:
    """Finishes ``ending`` at interpreter exit and, where the bot has no handler, on SIGTERM."""
    _endings.add(ending)
    if handle_signals and threading.current_thread() is threading.main_thread():
        _install()


def unwatch(ending: Ending) -> None:
    _endings.discard(ending)
    if not _endings and threading.current_thread() is threading.main_thread():
        _restore()


def watch_child(finish: Callable[[], None]) -> None:
    """A child of ``multiprocessing`` skips ``atexit``; it has its own list of last things."""
    util = sys.modules.get("multiprocessing.util")
    process = sys.modules.get("multiprocessing.process")
    if util is not None and process is not None and process.parent_process() is not None:
        util.Finalize(None, finish, exitpriority=100)


def _install() -> None:
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        # Not the main interpreter, where no handler can stand.
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGTERM, _on_sigterm)


def _restore() -> None:
    if signal.getsignal(signal.SIGTERM) is _on_sigterm:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _on_sigterm(signum: int, _frame: FrameType | None) -> None:
    """The first one flushes on another thread, the second one dies at once.

    Nothing here waits: the handler may have interrupted the very code that the flush needs.
    """
    if _signalled or not _endings:
        _die(signum)
        return
    _signalled.append(True)
    for ending in list(_endings):
        with contextlib.suppress(Exception):
            ending.emit_pending()
    try:
        # Not threading.Thread: the handler may have interrupted a start, which holds a lock.
        _thread.start_new_thread(_flush_and_die, (signum,))
    except RuntimeError:
        _die(signum)


def _die(signum: int) -> None:
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)


def _flush_and_die(signum: int) -> None:
    _flush_all()
    # Runs the handler again, on the main thread, which alone may restore the disposition.
    os.kill(os.getpid(), signum)


def _at_exit() -> None:
    for ending in list(_endings):
        with contextlib.suppress(Exception):
            ending.emit_pending()
    _flush_all()


def _flush_all() -> None:
    endings = list(_endings)
    until_s = time.perf_counter() + max((e.final_timeout_s for e in endings), default=0.0)
    for ending in endings:
        with contextlib.suppress(Exception):
            ending.final_flush(max(0.0, until_s - time.perf_counter()))


atexit.register(_at_exit)


def _forget_signal() -> None:
    _signalled.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_signal)
