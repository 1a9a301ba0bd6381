"""The libraries under test behind one face: capture an event, flush."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple

DATA = {
    "commandName": "config set",
    "interactionKind": "slash",
    "success": True,
    "latencyMs": 12.3,
    "timedOut": False,
    "shardId": 3,
    "responseKind": "reply",
    "errorCode": None,
    "gatewayDelayMs": 40,
}


class Subject(NamedTuple):
    capture: Callable[[], None]
    flush: Callable[[], None]


def vendor_chat(url: str) -> Subject:
    import asyncio

    from vendor_chat import Analytics
    from vendor_chat.core.event import EventInput

    analytics = Analytics(api_key="key", endpoint=url, handle_signals=False)
    ids = ("123456789012345678", "223456789012345678", "323456789012345678")

    def capture() -> None:
        now_ms = time.time_ns() // 1_000_000
        analytics._emit(EventInput("interaction_slash", now_ms, DATA, *ids))

    return Subject(capture, lambda: asyncio.run(analytics.flush()))


def posthog(url: str) -> Subject:
    from posthog import Posthog

    client = Posthog("key", host=url, flush_at=500, flush_interval=5, max_queue_size=5_000)
    return Subject(
        lambda: client.capture("interaction_slash", distinct_id="42", properties=DATA),
        client.flush,
    )


def sentry(url: str) -> Subject:
    import sentry_sdk

    sentry_sdk.init(dsn=url.replace("http://", "http://key@") + "/1", default_integrations=False)

    def capture() -> None:
        sentry_sdk.capture_event({"message": "interaction_slash", "extra": DATA})

    return Subject(capture, lambda: sentry_sdk.flush(30))


SUBJECTS = {"vendor_chat": vendor_chat, "posthog": posthog, "sentry": sentry}


def make(name: str, url: str) -> Subject:
    return SUBJECTS[name](url)


def background_cpu_s() -> float:
    """CPU of all threads but the calling one."""
    return time.process_time() - time.thread_time()


def fail(text: str) -> None:
    print(text, file=sys.stderr)
    raise SystemExit(1)
