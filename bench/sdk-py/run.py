"""Runs all measurements and writes ../results/sdk-py.md.

python3 -m venv .venv-bench
.venv-bench/bin/pip install -r bench/sdk-py/requirements.txt ./sdk-py
.venv-bench/bin/python bench/sdk-py/run.py
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent / "results" / "sdk-py.md"
NAMES = ["vendor_chat", "posthog", "sentry"]


@contextmanager
def server(*args: str) -> Generator[str, None, None]:
    child = subprocess.Popen(
        [sys.executable, str(HERE / "sink.py"), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert child.stdout is not None
        yield child.stdout.readline().strip()
    finally:
        child.kill()
        child.wait()


def measure(what: str, name: str, *, hang: bool = False) -> dict[str, float]:
    with server(*(["hang"] if hang else [])) as url:
        done = subprocess.run(
            [sys.executable, str(HERE / "measure.py"), what, name, url],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=180,
            check=True,
        )
    return json.loads(done.stdout)


LAGS = [
    ("discord.py alone", "nothing", False),
    ("with vendor_chat", "vendor_chat", False),
    ("with vendor_chat, server hangs", "vendor_chat", True),
]
ROUNDS = 5


def lags() -> list[dict[str, float]]:
    """Medians of interleaved runs, in the order of LAGS."""
    runs = [[measure("lag", name, hang=hang) for _, name, hang in LAGS] for _ in range(ROUNDS)]
    return [
        {key: statistics.median(run[key] for run in column) for key in column[0]}
        for column in zip(*runs, strict=True)
    ]


def main() -> None:
    load = os.getloadavg()[0]
    rows: list[list[str]] = []
    for name in NAMES:
        imports = measure("imports", name)
        rows.append(
            [
                name,
                f"{measure('enqueue', name)['us']:.1f}",
                f"{measure('sender', name)['percent']:.2f}",
                f"{measure('memory', name, hang=True)['mb']:.1f}",
                f"{imports['alone_ms']:.0f}",
                f"{imports['beside_ms']:.0f}",
            ]
        )
    OUT.write_text(report(rows, lags(), load), encoding="utf-8")
    print(OUT.read_text(encoding="utf-8"))


def report(rows: list[list[str]], lags: list[dict[str, float]], load: float) -> str:
    alone = lags[0]
    lines = [
        "# Python SDK, measured",
        "",
        f"{datetime.now(timezone.utc):%Y-%m-%d}, {os.cpu_count()} cores ({platform.machine()}), "
        f"Python {platform.python_version()}; load {load:.1f} at the start, "
        f"{os.getloadavg()[0]:.1f} at the end. "
        "`bench/sdk-py/run.py` makes this page.",
        "",
        f"vendor-chat.py {version('vendor-chat.py')}, posthog {version('posthog')}, "
        f"sentry-sdk {version('sentry-sdk')}, discord.py {version('discord.py')}.",
        "",
        "| | enqueue, us | sender at 200 events/s, % of a core | 5,000 waiting, MB "
        "| import alone, ms | import beside discord.py, ms |",
        "|---|---|---|---|---|---|",
        *[f"| {' | '.join(row)} |" for row in rows],
        "",
        "Event of 9 fields. Enqueue: median of bursts, wall. Sender: CPU of all background threads. "
        "Memory: tracemalloc while the server hangs; sentry keeps 100 events and drops the rest.",
        "",
        "| delay of the event loop | p50, ms | p99, ms | p99.9, ms | added p99, ms | dispatches/s |",
        "|---|---|---|---|---|---|",
        *[
            f"| {what} | {lag['p50_ms']:.2f} | {lag['p99_ms']:.2f} | {lag['p999_ms']:.2f} "
            f"| {lag['p99_ms'] - alone['p99_ms']:+.2f} | {lag['rate']:.0f} |"
            for (what, _, _), lag in zip(LAGS, lags, strict=True)
        ],
        "",
        "MESSAGE_CREATE through discord.py's own parser; with the SDK also 50 events a second, sent "
        "every second. The server that hangs takes the request and never answers; each attempt ends "
        f"by its time-out of 1 s, and a new connection follows. Medians of {ROUNDS} interleaved runs "
        "of 8 s. asyncio rounds waits up to 1 ms, hence the delay without any load.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
