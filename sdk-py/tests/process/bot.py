"""A program with the SDK, run as a child process. Its first argument names what it does."""

from __future__ import annotations

import asyncio
import atexit
import multiprocessing
import os
import signal
import sys
import threading
import time
from typing import Any

from vendor_chat import Analytics

ENDPOINT = os.environ["ENDPOINT"]


def make(**options: Any) -> Analytics:
    return Analytics(api_key="key", endpoint=ENDPOINT, flush_interval_ms=60_000, **options)


def report(analytics: Analytics, count: int, name: str = "x") -> None:
    for index in range(count):
        analytics.capture_error(ValueError(f"{name}{index}"))


def say(word: str) -> None:
    print(word, flush=True)


def wait_for_signal() -> None:
    say("ready")
    while True:
        time.sleep(60)


def sigterm() -> None:
    report(make(), 49)
    wait_for_signal()


def sigterm_asyncio() -> None:
    async def main() -> None:
        report(make(), 49)
        say("ready")
        await asyncio.sleep(60)

    asyncio.run(main())


def sigterm_empty() -> None:
    make()
    wait_for_signal()


def sigterm_own_handler() -> None:
    def handler(*_: Any) -> None:
        say("handled")
        sys.exit(7)

    signal.signal(signal.SIGTERM, handler)
    report(make(), 5)
    wait_for_signal()


def sigterm_later_handler() -> None:
    report(make(), 5)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
    wait_for_signal()


def sigterm_opt_out() -> None:
    report(make(handle_signals=False), 5)
    wait_for_signal()


def sigterm_busy() -> None:
    """The signal falls into the middle of enqueueing again and again."""
    analytics = make()
    say("ready")
    while True:
        analytics.capture_error(ValueError("busy"))


def sigterm_two() -> None:
    report(make(), 5, "a")
    report(make(), 5, "b")
    wait_for_signal()


def sigint() -> None:
    async def main() -> None:
        analytics = make()
        try:
            report(analytics, 5)
            say("ready")
            await asyncio.sleep(60)
        finally:
            await analytics.shutdown()

    asyncio.run(main())


def natural_exit() -> None:
    report(make(), 5)


def exit_in_a_pause() -> None:
    analytics = make()
    report(analytics, 1)
    asyncio.run(analytics.flush())
    report(analytics, 4_000)
    say(analytics.stats().state)


def exit_code() -> None:
    report(make(), 5)
    sys.exit(3)


def uncaught() -> None:
    report(make(), 5)
    raise RuntimeError("the end")


def hard_exit() -> None:
    report(make(), 5)
    os._exit(4)


def at_exit_only() -> None:
    """The first event comes when no thread can be started any more."""
    atexit.register(_last, make())


def _last(analytics: Analytics) -> None:
    report(analytics, 3)
    analytics.close(3)


def asyncio_ends() -> None:
    analytics = make()

    async def main() -> None:
        report(analytics, 5)

    asyncio.run(main())
    thread = threading.Thread(target=report, args=(analytics, 2, "thread"))
    thread.start()
    thread.join()


def fork() -> None:
    """Forks again and again while the sender works and another thread enqueues."""
    analytics = make()
    report(analytics, 10, "parent")
    stop = threading.Event()

    def produce() -> None:
        while not stop.is_set():
            analytics.capture_error(ValueError("noise"))
            time.sleep(0.0002)

    producer = threading.Thread(target=produce)
    producer.start()
    for number in range(20):
        child = os.fork()
        if child == 0:
            analytics.capture_error(ValueError(f"child{number}"))
            result = analytics.close(5)
            os._exit(0 if result.delivered == 1 else 9)
        _, status = os.waitpid(child, 0)
        if status != 0:
            say(f"child {number} ended with {status}")
    stop.set()
    producer.join()
    analytics.close(5)


def fork_with_the_lock_held() -> None:
    analytics = make()
    report(analytics, 1, "parent")
    lock = analytics._engine._lock
    with lock:
        child = os.fork()
        if child == 0:
            analytics.capture_error(ValueError("child0"))
            os._exit(0 if analytics.close(5).delivered == 1 else 9)
    _, status = os.waitpid(child, 0)
    say(f"child {status}")


shared: Analytics | None = None


def child_of_multiprocessing(start: str) -> None:
    global shared
    if shared is None:
        shared = make()
    report(shared, 3, start)


def multiprocess() -> None:
    global shared
    start = sys.argv[2]
    if start == "fork":
        shared = make()
        report(shared, 2, "parent")
    context: Any = multiprocessing.get_context(start)
    child = context.Process(target=child_of_multiprocessing, args=(start,))
    child.start()
    child.join()
    say(f"child {child.exitcode}")


def terminate_child() -> None:
    """``Process.terminate`` of a forked child that has events."""
    global shared
    shared = make()
    context: Any = multiprocessing.get_context("fork")
    started = context.Event()

    def run() -> None:
        child_of_multiprocessing("fork")
        started.set()
        time.sleep(60)

    child = context.Process(target=run)
    child.start()
    started.wait(10)
    child.terminate()
    child.join()
    say(f"child {child.exitcode}")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
