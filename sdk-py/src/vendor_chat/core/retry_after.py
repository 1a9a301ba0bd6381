"""How long a 429 keeps the SDK quiet. Spec: Limits; transport.md C5; decision 0013."""

from __future__ import annotations

import calendar
import re
import time
from datetime import date as Date
from typing import NamedTuple

from vendor_chat import _protocol as wire


class QuietPeriod(NamedTuple):
    ms: int
    """1 s to 24 h."""
    clamped: bool
    """The header asked for more than 24 h."""


_DELTA_SECONDS = re.compile(r"[ \t]*([0-9]+)[ \t]*")
_TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_MONTH = r"(?P<month>[A-Z][a-z]{2})"
# The three forms of RFC 9110, 5.6.7: IMF-fixdate, rfc850, asctime.
_HTTP_DATES = (
    re.compile(rf"[A-Z][a-z]{{2}}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"),
    re.compile(rf"[A-Z][a-z]+, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"),
    re.compile(rf"[A-Z][a-z]{{2}} {_MONTH} (?P<day>[ 0-9][0-9]) {_TIME} (?P<year>[0-9]{{4}})"),
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# More digits are over the clamp anyhow, and Python refuses to read over 4,300 of them.
_DIGITS_MAX = 15


def quiet_period(header: str | None, date_header: str | None, now_ms: int) -> QuietPeriod:
    """The quiet period of a 429: delta-seconds or an HTTP date; anything else counts as absent.

    A date counts from the answer's own ``Date``, which takes a wrong local clock out, or else from
    ``now_ms``.
    """
    wanted_ms = None if header is None else _delay_ms(header, date_header, now_ms)
    if wanted_ms is None:
        return QuietPeriod(wire.QUIET_DEFAULT_MS, False)
    ms = min(max(wanted_ms, wire.QUIET_MIN_MS), wire.QUIET_MAX_MS)
    return QuietPeriod(ms, wanted_ms > wire.QUIET_MAX_MS)


def _delay_ms(header: str, date_header: str | None, now_ms: int) -> int | None:
    seconds = _DELTA_SECONDS.fullmatch(header)
    if seconds is not None:
        digits = seconds[1].lstrip("0")
        return int(digits[:_DIGITS_MAX] or "0") * 1_000
    until_ms = http_date_ms(header.strip(" \t"), now_ms)
    if until_ms is None:
        return None
    server_ms = None if date_header is None else http_date_ms(date_header.strip(" \t"), now_ms)
    return until_ms - (now_ms if server_ms is None else server_ms)


def http_date_ms(text: str, now_ms: int) -> int | None:
    """Unix ms of an HTTP date in any of its three forms, None when it is none."""
    for form in _HTTP_DATES:
        found = form.fullmatch(text)
        if found is not None:
            return _utc_ms(found, now_ms)
    return None


def _utc_ms(found: re.Match[str], now_ms: int) -> int | None:
    year = int(found["year"])
    if len(found["year"]) == 2:
        year = _full_year(year, time.gmtime(now_ms / 1_000).tm_year)
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"])
    if found["month"] not in _MONTHS or hour > 23 or minute > 59 or second > 60:
        return None
    month, day = _MONTHS.index(found["month"]) + 1, int(found["day"])
    try:
        Date(year, month, day)
    except ValueError:
        return None
    return calendar.timegm((year, month, day, hour, minute, second)) * 1_000


def _full_year(two_digits: int, this_year: int) -> int:
    """A two-digit year more than 50 years ahead lies in the century before. RFC 9110, 5.6.7."""
    year = this_year // 100 * 100 + two_digits
    return year - 100 if year > this_year + 50 else year
