"""A web application for gunicorn's ``--preload``: the master makes the SDK, its workers use it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from vendor_chat import Analytics

analytics = Analytics(
    api_key="key", endpoint=os.environ["ENDPOINT"], flush_interval_ms=60_000, cluster_id="web"
)
for index in range(3):
    analytics.capture_error(ValueError(f"master{index}"))

_gate, _key = os.pipe()


def app(request: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Takes one event, named after the path, and answers with the id of its process."""
    path = request["PATH_INFO"].removeprefix("/")
    analytics.capture_error(ValueError(path))
    if path == "hold":
        # Holds the whole worker, so that the requests after this one reach the other worker.
        print("held", flush=True)
        os.read(_gate, 1)
    elif path == "release":
        os.write(_key, b"x")
    start("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getpid()).encode()]
