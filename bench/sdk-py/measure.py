"""One measurement in a process of its own: prints one line of JSON.

Usage: measure.py NAME SUBJECT URL
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import time
import tracemalloc
from typing import Any

from subjects import DATA, background_cpu_s, make

LAG_S = 8


def enqueue(name: str, url: str) -> dict[str, float]:
    """Wall time of a capture in bursts that fit into every queue, drained in between."""
    subject = make(name, url)
    burst, rounds = (1_000, 10) if name != "sentry" else (50, 20)
    samples: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        for _ in range(burst):
            subject.capture()
        samples.append((time.perf_counter() - began) / burst * 1e6)
        subject.flush()
    return {"us": statistics.median(samples)}


def sender(name: str, url: str) -> dict[str, float]:
    """CPU of the background threads at 200 events a second for 15 s, percent of one core."""
    subject = make(name, url)
    subject.capture()
    subject.flush()
    before_s, began_s = background_cpu_s(), time.perf_counter()
    for tick in range(300):
        for _ in range(10):
            subject.capture()
        time.sleep(max(0.0, began_s + (tick + 1) * 0.05 - time.perf_counter()))
    took_s = time.perf_counter() - began_s
    return {"percent": (background_cpu_s() - before_s) / took_s * 100}


def memory(name: str, url: str) -> dict[str, float]:
    """Memory of 5,000 waiting events while the server does not answer."""
    subject = make(name, url)
    subject.capture()
    time.sleep(0.3)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(5_600):
        subject.capture()
    after, _ = tracemalloc.get_traced_memory()
    return {"mb": (after - before) / 2**20}


def lag(name: str, url: str) -> dict[str, float]:
    """Delay of the event loop at 1,000 message dispatches a second through discord.py."""
    return asyncio.run(_lag(name, url))


async def _lag(name: str, url: str) -> dict[str, float]:
    import discord

    client: Any = discord.Client(intents=discord.Intents.all())
    loop = asyncio.get_running_loop()
    client.loop = loop
    client._connection.loop = loop
    capture = None
    if name == "vendor_chat":
        from vendor_chat import Analytics

        analytics = Analytics(
            api_key="key",
            endpoint=url,
            handle_signals=False,
            flush_interval_ms=1_000,
            request_timeout_ms=1_000,
        ).attach(client)
        capture = lambda: analytics.capture_error(ValueError("x"), data=DATA)  # noqa: E731
    parse = client._connection.parsers["MESSAGE_CREATE"]
    message = _message()
    # A full collection over all imported modules takes 10 ms, with the SDK and without.
    gc.collect()
    gc.freeze()
    delays: list[float] = []
    until_s = loop.time() + LAG_S
    due_s, sent = loop.time(), 0
    while loop.time() < until_s:
        due_s += 0.002
        await asyncio.sleep(max(0.0, due_s - loop.time()))
        delays.append(loop.time() - due_s)
        for _ in range(2):
            parse(message)
            sent += 1
        if capture is not None and sent % 20 == 0:
            capture()
    delays.sort()
    return {
        "p50_ms": delays[len(delays) // 2] * 1_000,
        "p99_ms": delays[int(len(delays) * 0.99)] * 1_000,
        "p999_ms": delays[int(len(delays) * 0.999)] * 1_000,
        "rate": sent / LAG_S,
    }


def _message() -> dict[str, Any]:
    return {
        "id": "1190000000000000000",
        "channel_id": "990000000000000000",
        "author": {"id": "42", "username": "u", "discriminator": "0", "avatar": None},
        "content": "x" * 100,
        "timestamp": "2026-01-15T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
    }


def imports(name: str, _url: str) -> dict[str, float]:
    """Milliseconds that the import takes: alone, and where the library is imported already."""
    module = {"sentry": "sentry_sdk"}.get(name, name)
    code = "import sys,time;{}b=time.perf_counter();import {};print((time.perf_counter()-b)*1e3)"
    times: dict[str, float] = {}
    for key, first in (("alone_ms", ""), ("beside_ms", "import discord;")):
        samples = [
            float(subprocess.check_output([sys.executable, "-c", code.format(first, module)]))
            for _ in range(7)
        ]
        times[key] = statistics.median(samples)
    return times


if __name__ == "__main__":
    measurement, subject_name, server = sys.argv[1:4]
    result = globals()[measurement](subject_name, server)
    print(json.dumps(result), flush=True)
    # Without the libraries' own endings, some of which wait for a server that hangs.
    import os

    os._exit(0)
