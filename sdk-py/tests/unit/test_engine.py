"""The engine with real threads and sockets; asyncio where it is about asyncio."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vendor_chat
from rig import Clock
from sink import Sink, sink, status
from vendor_chat import Analytics
from vendor_chat.core.event import QueuedEvent
from vendor_chat.core.queue import Queue

Make = Callable[..., Analytics]


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as made:
        yield made


@pytest.fixture
def make(server: Sink) -> Iterator[Make]:
    """Makes instances that are closed at the end."""
    made: list[Analytics] = []

    def new(**options: Any) -> Analytics:
        given: dict[str, Any] = {
            "api_key": "key",
            "endpoint": server.url,
            "flush_interval_ms": 100,
            "handle_signals": False,
        }
        made.append(Analytics(**{**given, **options}))
        return made[-1]

    yield new
    server.released.set()
    for analytics in made:
        analytics.close(0.2)


def report(analytics: Analytics, *names: Any) -> None:
    for name in names:
        analytics.capture_error(ValueError(str(name)))


def messages(server: Sink) -> list[str]:
    return [event["data"]["message"] for event in server.events]


def dropped(analytics: Analytics) -> dict[str, int]:
    return {reason: count for reason, count in analytics.stats().dropped.items() if count}


def test_the_batch(server: Sink, make: Make) -> None:
    analytics = make()
    analytics.capture_error(
        ValueError("x"), guild_id=123456789012345678, user_id="42", data={"a": 1}
    )
    (request,) = server.wait_requests(1)
    batch = request.batch
    assert sorted(batch) == ["batchId", "events", "sdk", "sentAt"]
    assert batch["sdk"] == {"name": "vendor-chat.py", "version": vendor_chat.__version__}
    assert request.headers["user-agent"] == f"vendor-chat.py/{vendor_chat.__version__}"
    assert request.headers["authorization"] == "Bearer key"
    (event,) = batch["events"]
    assert list(event) == ["id", "type", "ts", "guildId", "userId", "data"]
    assert event["guildId"] == "123456789012345678"
    assert event["data"] == {
        "name": "ValueError",
        "message": "x",
        "stack": None,
        "code": None,
        "origin": "captureError",
        "handled": True,
        "context": {"a": 1},
    }


def test_flush_timer_and_order(server: Sink, make: Make) -> None:
    analytics = make()
    report(analytics, *range(10))
    server.wait(lambda: len(messages(server)) == 10, "10 events")
    assert messages(server) == [str(index) for index in range(10)]
    assert len(server.requests) == 1


def test_133_no_thread_before_the_first_event(make: Make) -> None:
    before = threading.active_count()
    analytics = make()
    assert analytics.stats().state == "active"
    assert threading.active_count() == before
    report(analytics, "x")
    assert threading.active_count() == before + 1


def test_134_eight_producers_lose_and_double_nothing(server: Sink, make: Make) -> None:
    analytics = make(flush_interval_ms=3_600_000)

    def produce(name: int) -> None:
        for index in range(1_000):
            report(analytics, f"{name}:{index}")
            while analytics.stats().queued > 4_000:
                time.sleep(0.001)

    threads = [threading.Thread(target=produce, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asyncio.run(analytics.flush())
    sent = server.events
    assert len(sent) == 8_000
    assert len({event["id"] for event in sent}) == 8_000
    assert [event["id"] for event in sent] == sorted(event["id"] for event in sent)
    for name in range(8):
        own = [m for m in messages(server) if m.startswith(f"{name}:")]
        assert own == [f"{name}:{index}" for index in range(1_000)]
    assert server.most_at_once == 1
    assert dropped(analytics) == {}


def test_66_a_hundred_flushes_at_once(server: Sink, make: Make) -> None:
    analytics = make(flush_interval_ms=3_600_000)

    async def main() -> None:
        report(analytics, *range(20))
        results = await asyncio.gather(*(analytics.flush() for _ in range(100)))
        assert {result.queued for result in results} == {0}

    asyncio.run(main())
    assert server.most_at_once == 1
    assert len(server.requests) == 1


def test_48_a_hundred_flushes_on_one_connection(server: Sink, make: Make) -> None:
    analytics = make(flush_interval_ms=3_600_000)

    async def main() -> None:
        for index in range(100):
            report(analytics, index)
            assert (await analytics.flush()).delivered == 1

    asyncio.run(main())
    assert len(server.requests) == 100
    assert server.connections == 1


def test_68_exhausted_retries_do_not_end_the_thread(
    make: Make, server: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vendor_chat.core.transport.backoff_s", lambda *_: 0.01)
    server.default = status(503)
    analytics = make()
    report(analytics, "lost")
    server.wait_requests(5)
    server.default = status(200)
    report(analytics, "kept")
    server.wait(lambda: messages(server)[-1] == "kept", "the next event")
    assert dropped(analytics) == {"retries_exhausted": 1}


def test_131_flush_does_not_wait_for_the_interval(server: Sink, make: Make) -> None:
    analytics = make(flush_interval_ms=3_600_000)
    report(analytics, "x")
    began_s = time.monotonic()
    assert asyncio.run(analytics.flush()).delivered == 1
    assert time.monotonic() - began_s < 1


def test_116_shutdown_keeps_its_deadline(server: Sink, make: Make) -> None:
    server.default = server.hang()
    analytics = make()
    report(analytics, *range(600))
    server.wait_requests(1)
    began_s = time.monotonic()
    result = asyncio.run(analytics.shutdown(0.1))
    assert time.monotonic() - began_s < 0.4
    assert (result.delivered, result.dropped, result.state) == (0, 600, "closed")
    assert dropped(analytics) == {"shutdown": 600}


def test_115_after_the_shutdown(server: Sink, make: Make) -> None:
    analytics = make()
    report(analytics, "x")
    assert asyncio.run(analytics.shutdown()).delivered == 1
    assert asyncio.run(analytics.shutdown()).state == "closed"
    report(analytics, "late")
    assert asyncio.run(analytics.flush()).queued == 0
    assert dropped(analytics) == {"shutdown": 1}
    assert len(server.requests) == 1


def test_117_nothing_is_left_after_the_shutdown(server: Sink, make: Make) -> None:
    before = threading.active_count()
    for _ in range(12):
        analytics = make()
        report(analytics, "x")
        analytics.close()
    server.wait(lambda: threading.active_count() <= before + 12, "threads of the server aside")
    names = [thread.name for thread in threading.enumerate()]
    deadline_s = time.monotonic() + 5
    while "vendor-chat" in names and time.monotonic() < deadline_s:
        time.sleep(0.01)
        names = [thread.name for thread in threading.enumerate()]
    assert "vendor-chat" not in names


def test_async_with(server: Sink, make: Make) -> None:
    async def main() -> Analytics:
        async with make(flush_interval_ms=3_600_000) as analytics:
            report(analytics, "x")
        return analytics

    analytics = asyncio.run(main())
    assert messages(server) == ["x"]
    assert analytics.stats().state == "closed"


def test_126_127_no_loop_is_needed(server: Sink, make: Make) -> None:
    analytics = make()

    async def main() -> None:
        report(analytics, "in the loop")

    asyncio.run(main())
    thread = threading.Thread(target=lambda: report(analytics, "after the loop"))
    thread.start()
    thread.join()
    server.wait(lambda: len(messages(server)) == 2, "both events")


def test_flush_that_is_cancelled_disturbs_nobody(server: Sink, make: Make) -> None:
    server.default = server.hang()
    analytics = make()

    async def main() -> None:
        report(analytics, "x")
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(analytics.flush(), 0.1)
        assert (await analytics.flush(0.1)).queued == 1

    asyncio.run(main())
    server.default = status(200)
    server.released.set()
    gc.collect()


def test_129_logger_that_reports_back(server: Sink, make: Make) -> None:
    """Neither recursion nor deadlock, and no loop in which each report causes the next."""
    made: list[Analytics] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            made[0].capture_error(RuntimeError(record.getMessage()))
            made[0].stats()

    logger = logging.getLogger("test_129")
    logger.addHandler(Handler())
    logger.setLevel(logging.DEBUG)
    server.default = status(400)
    analytics = make(logger=logger, debug=True)
    made.append(analytics)
    report(analytics, "x")
    server.wait_requests(1)
    asyncio.run(analytics.flush())
    time.sleep(0.3)
    assert len(server.requests) == 1
    assert dropped(analytics)["bad_request"] == 1
    assert dropped(analytics)["hook"] >= 1


def test_141_the_key_is_nowhere(server: Sink, make: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.script = [status(503), status(302, headers=["Location: http://else/secret-key"])]
    analytics = make(api_key="secret-key", debug=True)
    report(analytics, "x")
    server.wait(lambda: analytics.stats().state == "disabled", "the end")
    assert "secret-key" not in caplog.text
    assert "secret-key" not in repr(analytics) + repr(analytics.stats())
    assert "redirects" in caplog.text


def test_hooks_that_raise(server: Sink, make: Make) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("hook")

    server.default = status(400)
    analytics = make(on_drop=broken, on_state_change=broken, logger=object())
    report(analytics, "x")
    server.wait_requests(1)
    asyncio.run(analytics.flush())
    assert dropped(analytics) == {"bad_request": 1}


def test_on_drop_and_on_state_change(server: Sink, make: Make) -> None:
    drops: list[vendor_chat.Drop] = []
    states: list[tuple[str, str]] = []
    server.default = status(401)
    analytics = make(
        on_drop=drops.append, on_state_change=lambda new, old: states.append((new, old))
    )
    report(analytics, "a", "b")
    server.wait(lambda: drops, "the loss")
    assert drops == [vendor_chat.Drop("disabled", 2, "error")]
    assert states == [("disabled", "active")]


def test_99_100_before_send(server: Sink, make: Make) -> None:
    async def misused(_event: Any) -> Any:
        return None

    def edit(event: Any) -> Any:
        return {**event, "type": "heartbeat", "guildId": None, "data": {"message": "changed"}}

    def broken(_event: Any) -> Any:
        raise RuntimeError("hook")

    for hook in (misused, broken, lambda _e: None, lambda _e: 7, lambda _e: {}):
        analytics = make(before_send=hook)
        report(analytics, "x")
        assert dropped(analytics) == {"hook": 1}
    analytics = make(before_send=edit)
    analytics.capture_error(ValueError("x"), guild_id=1)
    server.wait_requests(1)
    (event,) = server.events
    assert (event["type"], event["data"]) == ("error", {"message": "changed"})
    assert "guildId" not in event


def test_capture_error_takes_anything(server: Sink, make: Make) -> None:
    analytics = make()
    try:
        raise KeyError("handled")
    except KeyError:
        analytics.capture_error()
    odd: Any = "no exception"
    odd_data: Any = {1: object()}
    analytics.capture_error(odd, guild_id="not an id", data=odd_data)
    analytics.capture_error()
    server.wait(lambda: len(server.events) == 3, "3 events")
    first, second, third = server.events
    assert first["data"]["name"] == "KeyError"
    assert "test_engine.py" in first["data"]["stack"]
    assert "guildId" not in second
    assert second["data"]["context"] == {}
    assert third["data"]["name"] == "TypeError"


def test_no_key_is_one_warning(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOT_ANALYTICS_API_KEY", raising=False)
    analytics = Analytics()
    analytics.attach(object())
    report(analytics, "x")
    assert len(caplog.records) == 1
    assert analytics.stats().state == "disabled"
    assert asyncio.run(analytics.flush()).state == "disabled"
    caplog.clear()
    Analytics(enabled=False)
    assert caplog.records == []


def test_clock_of_the_environment(make: Make) -> None:
    # Breaks when the engine would measure with a clock of its own.
    assert Clock().env().now_ms() == Clock().wall_ms
    assert make().stats().queued == 0


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(["push", "snapshot", "burst", "take", "exempt", "back"]), max_size=40)
)
def test_queue_never_passes_its_bound_and_keeps_order(steps: list[str]) -> None:
    queue, seq, taken, lost = Queue(), 0, list[QueuedEvent](), 0

    def event(type_: Any, of: str | None = None) -> QueuedEvent:
        nonlocal seq
        seq += 1
        made = QueuedEvent(type_, b"{}", of)
        made.seq = seq
        return made

    for step in steps:
        if step == "push":
            lost += len(queue.push(event("error")))
        elif step == "snapshot":
            lost += len(queue.push(event("guild_snapshot", str(seq % 3))))
        elif step == "burst":
            lost += sum(len(queue.push(event("heartbeat"))) for _ in range(1_800))
        elif step == "take":
            taken = queue.take(500)
        elif step == "exempt":
            taken = queue.take_exempt(500)
        else:
            lost += len(queue.put_back(taken))
            taken = []
        assert len(queue) <= 5_000
        assert 0 <= queue.exempt <= len(queue)
    rest = queue.take(10_000)
    assert queue.exempt == 0
    assert len(queue) == 0
    assert len({made.seq for made in rest}) == len(rest)
