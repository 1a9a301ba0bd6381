"""The thread that sends, and the way of events to it from any thread, signal handler or fork."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import weakref
from collections.abc import Callable, Generator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from queue import Empty, SimpleQueue
from typing import NamedTuple, Protocol, TypeAlias

from vendor_chat._protocol import EventType
from vendor_chat.core.env import Env
from vendor_chat.core.event import EventInput, QueuedEvent, encode_tail
from vendor_chat.core.policy import NetworkError, Outcome
from vendor_chat.core.stamp import IsoClock
from vendor_chat.core.transport import News, Transport
from vendor_chat.stats import Drop, DropReason, FlushResult, State, Stats

_Item: TypeAlias = "tuple[QueuedEvent, bool] | Future[FlushResult] | tuple[DropReason, EventType]"


class Sender(Protocol):
    """The way to the server. Used by one thread, except for ``abort``."""

    def post(self, body: bytes) -> Outcome: ...
    def abort(self) -> None: ...
    def close(self) -> None: ...


class EngineConfig(NamedTuple):
    env: Env
    flush_interval_s: float
    make_sender: Callable[[], Sender]
    """Called on the sending thread. It must import nothing: a fork in the middle of an import
    leaves the child with that module's lock held for ever.
    """
    warn: Callable[[str], None]
    debug: Callable[[str], None]
    on_drop: Callable[[Drop], None] | None = None
    on_state_change: Callable[[State, State], None] | None = None


class Engine:
    """Takes events at once and sends them on a daemon thread, started with the first event.

    Whoever finds the lock free carries what lies in ``_inbox`` over to the transport; whoever
    finds it taken leaves that to its holder, who looks into the inbox again after the release.
    So no producer ever waits, and neither a signal handler nor a finalizer that runs in the middle
    of an enqueue can deadlock with it.
    """

    def __init__(self, config: EngineConfig) -> None:
        self._config = config
        self._iso = IsoClock()
        self._told = threading.local()
        self._begin()
        _engines.add(self)

    def _begin(self) -> None:
        """State of this process; after a fork the child gets its own."""
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._inbox: SimpleQueue[_Item] = SimpleQueue()
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._transport = Transport(self._config.env, self._config.flush_interval_s)
        self._sender: Sender | None = None
        self._thread: threading.Thread | None = None
        self._is_starting = False
        self._stop = False

    def after_fork(self) -> None:
        """The child starts with nothing: the events of the parent are sent by the parent."""
        state, sender = self._transport.state, self._sender
        self._config.env.reseed()
        self._begin()
        if sender is not None:
            sender.close()
        if state == "disabled":
            self.disable()
        elif state == "closed":
            self.finish()

    @property
    def state(self) -> State:
        return self._transport.state

    def enqueue(self, event: EventInput) -> None:
        """Takes an event. Never raises, never waits; one that cannot be taken is counted."""
        if getattr(self._told, "telling", False):
            # A logger or hook that the SDK calls reports back: it would never end.
            self._inbox.put(("hook", event.type))
        else:
            self._inbox.put(self._encode(event))
        self._absorb()

    def _encode(self, event: EventInput) -> _Item:
        try:
            tail, truncated = encode_tail(event, self._iso.text(event.ts_ms))
        except Exception:
            return "serialization", event.type
        snapshot_of = event.guild_id if event.type == "guild_snapshot" else None
        return QueuedEvent(event.type, tail, snapshot_of), truncated

    def lose(self, reason: DropReason, type_: EventType) -> None:
        """Counts an event that never got into the queue."""
        self._inbox.put((reason, type_))
        self._absorb()

    def drain_soon(self) -> None:
        with self._locked() as transport:
            transport.drain_soon()
        self._wake_up()

    def flush_future(self) -> Future[FlushResult]:
        """Done when every event enqueued before the call is settled; see ``Analytics.flush``."""
        done: Future[FlushResult] = Future()
        # From here on it cannot be cancelled, only left alone.
        done.set_running_or_notify_cancel()
        self._inbox.put(done)
        self._absorb()
        return done

    def flush(self, timeout_s: float) -> FlushResult:
        """Waits for ``flush_future``, at most ``timeout_s``. Not for the event loop's thread."""
        done = self.flush_future()
        if not self._is_running() and not done.done():
            self._send_inline(timeout_s)
        try:
            return done.result(timeout_s)
        except FutureTimeout:
            return self.result()

    def result(self) -> FlushResult:
        """How things stand, for a flush that ran out of time."""
        with self._locked() as transport:
            queued, _ = transport.health()
            return FlushResult(0, 0, queued, transport.state)

    def close(self, timeout_s: float) -> FlushResult:
        """Flushes for at most ``timeout_s``, then drops and counts the rest. For good."""
        with self._locked() as transport:
            transport.closing = True
            before = transport.stats()
            lost = transport.losses.total
        self.flush(timeout_s)
        self.finish()
        with self._locked() as transport:
            delivered = transport.stats().delivered - before.delivered
            return FlushResult(delivered, transport.losses.total - lost, 0, transport.state)

    def finish(self) -> None:
        """Ends all sending at once; what is left is counted. A late answer is ignored."""
        with self._locked() as transport:
            transport.close()
            self._stop = True
            sender = self._sender
        if sender is not None:
            sender.abort()
            if not self._is_running():
                sender.close()
        self._wake.put(None)

    def disable(self) -> None:
        with self._locked() as transport:
            transport.disable()

    def stats(self) -> Stats:
        with self._locked() as transport:
            return transport.stats()

    def health(self) -> tuple[int, int]:
        with self._locked() as transport:
            return transport.health()

    def sendable(self) -> int:
        """Events that could leave now; 0 when a final flush has nothing to do."""
        with self._locked() as transport:
            return transport.sendable()

    @contextlib.contextmanager
    def _locked(self) -> Generator[Transport, None, None]:
        with self._lock:
            wake = self._carry()
            yield self._transport
        if wake:
            self._wake_up()
        self._tell()
        self._absorb()

    def _absorb(self) -> None:
        """Carries the inbox over, unless another thread is at it."""
        while not self._inbox.empty():
            if not self._lock.acquire(blocking=False):
                return
            try:
                wake = self._carry()
            finally:
                self._lock.release()
            if wake:
                self._wake_up()
            self._tell()

    def _carry(self) -> bool:
        """Moves the inbox into the transport; true when the sender has to look."""
        wake, inbox = False, self._inbox
        # Only the holder of the lock takes, so what is seen here is still there.
        while not inbox.empty():
            item = inbox.get_nowait()
            if isinstance(item, Future):
                wake |= self._transport.wait(item)
            elif isinstance(item[0], QueuedEvent):
                wake |= self._transport.add(item[0], truncated=bool(item[1]))
            else:
                self._transport.losses.one(item[0], item[1])  # type: ignore[arg-type]
        return wake

    def _wake_up(self) -> None:
        if not self._stop and not self._is_running():
            self._start()
        self._wake.put(None)

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name="vendor-chat", daemon=True)
        with self._lock:
            if self._is_running():
                return
            # As late as the thread, and by its module: gevent may have replaced both since the
            # import or the fork, and a thread that is a greenlet must not wait in a real queue.
            # A put into the old one is not missed: the thread looks at everything first.
            self._wake = queue.SimpleQueue()
            self._is_starting = True
        try:
            thread.start()
            self._thread = thread
        except RuntimeError:
            # No new thread at interpreter exit, Python 3.12 on; a flush sends inline instead.
            return
        finally:
            self._is_starting = False

    def _is_running(self) -> bool:
        thread = self._thread
        return self._is_starting or (thread is not None and thread.is_alive())

    def _run(self) -> None:
        """The one loop that waits and sends. Nothing ends it but ``finish``."""
        while not self._stop:
            try:
                wait_s = self._step()
            except Exception as error:
                # A fault of the SDK itself must not end the thread, nor spin.
                self._guarded(self._config.debug, f"sender failed: {type(error).__name__}")
                wait_s = 1.0
            if wait_s != 0.0:
                self._sleep(wait_s)
        if self._sender is not None:
            self._sender.close()

    def _sleep(self, wait_s: float | None) -> None:
        with contextlib.suppress(Empty):
            self._wake.get(timeout=wait_s)
            while True:
                self._wake.get_nowait()

    def _step(self) -> float | None:
        """Sends what is due; the time until the next look, 0 for at once, None until woken."""
        with self._locked() as transport:
            part = transport.next_part()
            wait_s = transport.wait_s()
            body = None if part is None else transport.body(part)
        if part is None or body is None:
            return wait_s
        outcome = self._post(body)
        with self._locked() as transport:
            transport.settle(part, outcome)
        return 0.0

    def _post(self, body: bytes) -> Outcome:
        try:
            if self._sender is None:
                self._sender = self._config.make_sender()
            return self._sender.post(body)
        except Exception as error:
            return NetworkError(type(error).__name__)

    def _send_inline(self, timeout_s: float) -> None:
        """Sends on the calling thread, where no thread can be started any more."""
        clock = self._config.env.monotonic_s
        until_s = clock() + timeout_s
        while clock() < until_s:
            wait_s = self._step()
            if wait_s is None or self.sendable() == 0:
                return
            if wait_s > 0:
                self._sleep(min(wait_s, max(0.0, until_s - clock())))

    def _tell(self) -> None:
        """Calls loggers and hooks outside the lock; what they raise is their own affair."""
        transport = self._transport
        if not transport.news and not transport.losses.news:
            return
        if getattr(self._told, "telling", False):
            return
        self._told.telling = True
        try:
            while transport.news:
                self._tell_one(transport.news.pop(0))
            while transport.losses.news:
                drop = transport.losses.news.pop(0)
                if self._config.on_drop is not None:
                    self._guarded(self._config.on_drop, drop)
        except IndexError:
            # Another thread told it.
            return
        finally:
            self._told.telling = False

    def _tell_one(self, news: News) -> None:
        if news.kind == "warn":
            self._guarded(self._config.warn, news.text)
        elif news.kind == "debug":
            self._guarded(self._config.debug, news.text)
        elif self._config.on_state_change is not None:
            self._guarded(self._config.on_state_change, news.text, news.previous)

    @staticmethod
    def _guarded(call: Callable[..., None], *args: object) -> None:
        with contextlib.suppress(Exception):
            call(*args)


_engines: weakref.WeakSet[Engine] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for engine in list(_engines):
        engine.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
