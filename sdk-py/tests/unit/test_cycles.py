"""transport.md B109 and B132: many instances, and the garbage collector at work."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading

from sink import sink
from vendor_chat import Analytics


def test_109_twelve_cycles_leave_nothing() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with sink() as server:
        for cycle in range(12):
            analytics = Analytics(api_key="key", endpoint=server.url)
            analytics.capture_error(ValueError(str(cycle)))
            analytics.close(5)
        assert len(server.events) == 12
    assert signal.getsignal(signal.SIGTERM) == before
    for thread in threading.enumerate():
        if thread.name == "vendor-chat":
            thread.join(5)
            assert not thread.is_alive()


def test_132_a_flush_survives_the_garbage_collector() -> None:
    async def main() -> None:
        analytics = Analytics(api_key="key", endpoint=server.url, handle_signals=False)
        analytics.capture_error(ValueError("x"))
        flushing = asyncio.ensure_future(analytics.flush(5))
        while not flushing.done():
            gc.collect()
            await asyncio.sleep(0)
        assert (await flushing).delivered == 1
        await analytics.shutdown()

    with sink() as server:
        asyncio.run(main())
