"""A program that lives on gevent. Its first argument names how it ends."""

# ruff: noqa: E402
from gevent import monkey

monkey.patch_all()

import os
import sys
import threading

import gevent

from vendor_chat import Analytics

_GREENLETS = 8
_EVENTS = 50

analytics = Analytics(api_key="key", endpoint=os.environ["ENDPOINT"], flush_interval_ms=60_000)


def produce(name: int) -> None:
    for index in range(_EVENTS):
        analytics.capture_error(ValueError(f"{name}-{index}"))
        gevent.sleep(0)


def main(end: str) -> None:
    assert monkey.is_module_patched("threading")
    # Half of them through the patched threads, which are greenlets too.
    greenlets = [gevent.spawn(produce, name) for name in range(0, _GREENLETS, 2)]
    threads = [threading.Thread(target=produce, args=(name,)) for name in range(1, _GREENLETS, 2)]
    for thread in threads:
        thread.start()
    gevent.joinall(greenlets, raise_error=True)
    for thread in threads:
        thread.join()
    if end == "close":
        result = analytics.close(5)
        assert (result.dropped, result.queued) == (0, 0), result
    elif end == "signal":
        print("ready", flush=True)
        gevent.sleep(60)


main(sys.argv[1])
