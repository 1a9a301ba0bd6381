"""Counts the HTTP attempts of the process, by status and by route. platform.md B1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import HttpAttempt
from vendor_chat.collect.routes import normalize_route
from vendor_chat.core.env import Env

RateLimitClass: TypeAlias = Literal["global", "bucket", "shared", "edge"]
Header: TypeAlias = Callable[[str], "str | None"]

COUNTERS = (
    "restRequests",
    "restRateLimitedGlobal",
    "restRateLimitedBucket",
    "restRateLimitedShared",
    "restRateLimitedEdge",
    "rest400",
    "rest401",
    "rest403",
)
_RATE_LIMIT_HEADERS = (
    "x-ratelimit-limit",
    "x-ratelimit-bucket",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-ratelimit-reset-after",
)
# Raw paths whose route is remembered; a bot that polls the same channels meets them again.
_CACHE_MAX = 500


def classify_429(status: int, header: Header) -> RateLimitClass | None:
    """Class of a platform answer, None unless it is a 429."""
    if status != 429:
        return None
    scope = header("x-ratelimit-scope")
    if scope is not None:
        scope = scope.lower()
    if scope == "global" or header("x-ratelimit-global") is not None:
        return "global"
    if scope == "shared":
        return "shared"
    limited = scope is not None or any(header(name) is not None for name in _RATE_LIMIT_HEADERS)
    return "bucket" if limited or header("via") is not None else "edge"


class RestCounters:
    def __init__(self, env: Env) -> None:
        self._env = env
        self._counts: Counter[str] = Counter()
        self._routes: Counter[tuple[str, str]] = Counter()
        self._total = 0
        self._since_s = env.monotonic_s()
        self._cache: dict[str, str] = {}
        self.skew_ms: int | None = None
        """Difference of the platform's clock to the local one; None before the first sample."""

    def add(self, attempt: HttpAttempt) -> None:
        """Counts one answered attempt."""
        counts = self._counts
        counts["restRequests"] += 1
        if attempt.status in (400, 401, 403):
            counts[f"rest{attempt.status}"] += 1
        limited = classify_429(attempt.status, attempt.header)
        if limited == "global":
            counts["restRateLimitedGlobal"] += 1
        elif limited == "edge":
            counts["restRateLimitedEdge"] += 1
        elif limited is not None:
            counts["restRateLimitedBucket"] += 1
            counts["restRateLimitedShared"] += limited == "shared"
        self._total += 1
        key = (attempt.method.upper(), self._route(attempt.path))
        if key in self._routes or len(self._routes) < wire.DISTINCT_ROUTES_MAX:
            self._routes[key] += 1
        self._sample_clock(attempt.header)

    def take_counts(self) -> dict[str, int]:
        """Counts since the last call."""
        counts, self._counts = self._counts, Counter()
        return {name: counts[name] for name in COUNTERS}

    def take_routes(self) -> dict[str, Any] | None:
        """Route counts since the last call, None when there were no requests."""
        routes, self._routes = self._routes, Counter()
        total, self._total = self._total, 0
        now_s = self._env.monotonic_s()
        window_ms = round((now_s - self._since_s) * 1_000)
        self._since_s = now_s
        if total == 0:
            return None
        top = [
            wire.RouteCount(method=method, route=route, count=count)
            for (method, route), count in routes.most_common(wire.API_ROUTES_MAX)
        ]
        return {
            "windowMs": window_ms,
            "total": total,
            "distinctRoutes": len(routes),
            "routes": top,
        }

    def _route(self, path: str) -> str:
        cached = self._cache.get(path)
        if cached is not None:
            return cached
        route = normalize_route(path)
        # The path of an interaction never comes twice.
        if "/interactions/" not in path:
            if len(self._cache) >= _CACHE_MAX:
                self._cache.clear()
            self._cache[path] = route
        return route

    def _sample_clock(self, header: Header) -> None:
        """``x-ratelimit-reset`` minus ``x-ratelimit-reset-after`` is the platform's clock."""
        reset, after = header("x-ratelimit-reset"), header("x-ratelimit-reset-after")
        if reset is None or after is None:
            return
        try:
            self.skew_ms = round((float(reset) - float(after)) * 1_000 - self._env.now_ms())
        except (ValueError, OverflowError):
            return
