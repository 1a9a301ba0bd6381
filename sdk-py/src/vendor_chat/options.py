"""Options of ``Analytics``. A value out of range is reported once and replaced by its default."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol, TypedDict
from urllib.parse import urlsplit

from vendor_chat import _protocol as wire
from vendor_chat._version import __version__


class Logger(Protocol):
    """Where the SDK writes; a ``logging.Logger`` fits."""

    def warning(self, msg: str, /) -> Any: ...
    def debug(self, msg: str, /) -> Any: ...


class Collect(TypedDict, total=False):
    """What is collected; everything by default."""

    interactions: bool
    """Commands, buttons, menus, modals, autocomplete, and errors of their answers."""
    actions: bool
    """Calls of the bot to the platform's REST API."""
    gateway: bool
    """Counters of gateway events."""
    snapshots: bool
    """guild_snapshot and api_routes_snapshot. Heartbeats are always sent: they are the status."""


class Config(NamedTuple):
    """Checked options."""

    usable: bool
    """False: no usable key or address, or ``enabled=False``."""
    url: str
    headers: Mapping[str, str]
    flush_interval_s: float
    snapshot_interval_s: float
    request_timeout_s: float
    shutdown_timeout_s: float
    cluster_id: str | None
    handle_signals: bool
    capture_unhandled_rejections: bool
    collect: Collect
    debug: bool


Warn = Callable[[str], None]

# Smallest, largest and default value; whole numbers, ms.
_RANGES: Final[dict[str, tuple[int, int, int]]] = {
    "flush_interval_ms": (100, 3_600_000, wire.FLUSH_INTERVAL_MS),
    "snapshot_interval_ms": (1_000, 3_600_000, wire.SNAPSHOT_INTERVAL_MS),
    "request_timeout_ms": (1_000, 30_000, wire.REQUEST_TIMEOUT_MS),
    "shutdown_timeout_ms": (100, 60_000, wire.SHUTDOWN_TIMEOUT_MS),
}
_SWITCHES: Final[dict[str, bool]] = {
    "handle_signals": True,
    "capture_unhandled_rejections": True,
    "debug": False,
    "enabled": True,
}
_COLLECT_ALL: Final = Collect(interactions=True, actions=True, gateway=True, snapshots=True)
_CLUSTER_CHARS_MAX = 100
# Visible ASCII: what a header can carry. A key with a line break would forge headers.
_KEY = re.compile(r"[!-~]{1,512}")


def read_config(given: Mapping[str, Any], variables: Mapping[str, str], warn: Warn) -> Config:
    """Checks the options. Never raises; without a usable key or address everything is a no-op."""
    enabled = _switch(given, "enabled", warn)
    key = _key(given, variables, warn) if enabled else None
    url = _url(given, variables, warn) if key is not None else None
    return Config(
        usable=key is not None and url is not None,
        url=url or "",
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Bearer {key or ''}",
            "User-Agent": f"{wire.SDK_NAME}/{__version__}",
        },
        flush_interval_s=_seconds(given, "flush_interval_ms", warn),
        snapshot_interval_s=_seconds(given, "snapshot_interval_ms", warn),
        request_timeout_s=_seconds(given, "request_timeout_ms", warn),
        shutdown_timeout_s=_seconds(given, "shutdown_timeout_ms", warn),
        cluster_id=_cluster(given.get("cluster_id"), warn),
        handle_signals=_switch(given, "handle_signals", warn),
        capture_unhandled_rejections=_switch(given, "capture_unhandled_rejections", warn),
        collect=_collect(given.get("collect"), warn),
        debug=_switch(given, "debug", warn),
    )


def environment() -> Mapping[str, str]:
    return os.environ


def _seconds(given: Mapping[str, Any], name: str, warn: Warn) -> float:
    low, high, default = _RANGES[name]
    value = given.get(name)
    if value is None:
        return default / 1_000
    if type(value) is int and low <= value <= high:
        return value / 1_000
    warn(
        f"expected `{name}` to be a whole number from {low} to {high}, got {_show(value)}; "
        f"using {default}"
    )
    return default / 1_000


def _switch(given: Mapping[str, Any], name: str, warn: Warn) -> bool:
    value = given.get(name)
    if value is None or type(value) is bool:
        return _SWITCHES[name] if value is None else value
    warn(f"expected `{name}` to be True or False, got {_show(value)}; using {_SWITCHES[name]}")
    return _SWITCHES[name]


def _collect(given: Any, warn: Warn) -> Collect:
    read = _COLLECT_ALL.copy()
    if given is None:
        return read
    if not isinstance(given, Mapping):
        warn(f"expected `collect` to be a dict, got {_show(given)}; collecting everything")
        return read
    for name, value in given.items():  # type: ignore[unknown-variable]
        if name not in _COLLECT_ALL:
            warn(f"unknown option `collect[{_show(name)}]`")
        elif type(value) is bool:  # type: ignore[unknown-argument]
            read[name] = value
        else:
            warn(
                f"expected `collect[{name!r}]` to be True or False, got {_show(value)}; using True"
            )
    return read


def _cluster(given: Any, warn: Warn) -> str | None:
    if given is None:
        return None
    text = str(given) if type(given) is int else given
    if isinstance(text, str) and 0 < len(text) <= _CLUSTER_CHARS_MAX:
        return text
    warn(
        f"expected `cluster_id` to be 1 to {_CLUSTER_CHARS_MAX} characters, got {_show(given)}; "
        "using none"
    )
    return None


def _key(given: Mapping[str, Any], variables: Mapping[str, str], warn: Warn) -> str | None:
    value: Any = given.get("api_key")
    value = variables.get("BOT_ANALYTICS_API_KEY") if value is None else value
    if isinstance(value, str) and _KEY.fullmatch(value.strip()):
        return value.strip()
    # The value itself stays out of the warning: it may be most of a key.
    fault = "is missing" if value in (None, "") else "is not a key"
    warn(f"`api_key` {fault}; set it or BOT_ANALYTICS_API_KEY. Nothing is collected")
    return None


def _url(given: Mapping[str, Any], variables: Mapping[str, str], warn: Warn) -> str | None:
    value: Any = given.get("endpoint")
    value = variables.get("BOT_ANALYTICS_ENDPOINT") if value is None else value
    url = ingest_url(value.strip()) if isinstance(value, str) else None
    if url is not None:
        return url
    fault = "is missing" if value in (None, "") else "is not an http or https address"
    warn(f"`endpoint` {fault}; set it or BOT_ANALYTICS_ENDPOINT. Nothing is collected")
    return None


def ingest_url(endpoint: str) -> str | None:
    """``{endpoint}/v1/events`` without doubled slashes; None when the endpoint is no address."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname, parts.port
        endpoint.encode("ascii")
    except ValueError:
        return None
    # Credentials would end up in logs; white space would forge the request line.
    odd = parts.username is not None or re.search(r"[\x00-\x20\x7f]", endpoint) is not None
    if parts.scheme not in ("http", "https") or not host or odd:
        return None
    host = f"[{host}]" if ":" in host else host
    base = parts.path.rstrip("/")
    path = base if base.endswith(wire.INGEST_PATH) else base + wire.INGEST_PATH
    return f"{parts.scheme}://{host}{'' if port is None else f':{port}'}{path}"


def _show(value: Any) -> str:
    """A value for a warning: short, and no code of it is run."""
    if type(value) is str:
        return f'"{value[:40]}" (str)'
    if type(value) in (int, float, bool):
        return (
            f"{value!r:.40} ({type(value).__name__})"
            if type(value) is not int
            else (f"{value if abs(value) < 10**15 else 'a large number'} (int)")
        )
    return type(value).__name__
