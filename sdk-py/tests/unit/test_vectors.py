"""Every shared vector that an SDK runs. protocol/vectors/README.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from vectors import cases
from vendor_chat.collect.actions import classify_action
from vendor_chat.collect.gateway_counters import counted_types
from vendor_chat.collect.rest_counters import classify_429
from vendor_chat.collect.routes import command_name_of, normalize_route
from vendor_chat.core.batch import Limit, split
from vendor_chat.core.guards import guard_data
from vendor_chat.core.policy import NetworkError, Outcome, Response, TimedOut, backoff_s, decide
from vendor_chat.core.retry_after import quiet_period
from vendor_chat.core.stamp import format_uuid7


@pytest.mark.parametrize(("given", "expected"), cases("actions"))
def test_action(given: Any, expected: Any) -> None:
    assert classify_action(given["method"], given["url"], given["bodyKeys"]) == expected


@pytest.mark.parametrize(("given", "expected"), cases("routes"))
def test_route(given: Any, expected: Any) -> None:
    route = normalize_route(given["url"])
    assert route == expected
    assert not [secret for secret in given["secrets"] if secret in route]


@pytest.mark.parametrize(("given", "expected"), cases("custom-ids"))
def test_command_name(given: Any, expected: Any) -> None:
    assert command_name_of(given["customId"]) == expected


@pytest.mark.parametrize(("given", "expected"), cases("intents"))
def test_intents(given: Any, expected: Any) -> None:
    assert counted_types(given["bits"]) == expected


@pytest.mark.parametrize(("given", "expected"), cases("classes429"))
def test_class_of_429(given: Any, expected: Any) -> None:
    headers = {name.lower(): value for name, value in given["headers"].items()}
    assert classify_429(given["status"], lambda name: headers.get(name.lower())) == expected


@pytest.mark.parametrize(("given", "expected"), cases("retry-after"))
def test_retry_after(given: Any, expected: Any) -> None:
    if expected["quietMs"] is None:
        # The header of another status is not looked at: only a 429 leads to a quiet period.
        assert decide(Response(given["status"]), 1, 1).do != "quiet"
        return
    period = quiet_period(given["header"], given["dateHeader"], given["nowMs"])
    assert period.ms == expected["quietMs"]


@pytest.mark.parametrize(("given", "expected"), cases("backoff"))
def test_backoff(given: Any, expected: Any) -> None:
    wait_ms = backoff_s(given["attempt"], given["random01"]) * 1_000
    assert wait_ms == pytest.approx(expected["waitMs"], abs=1e-6)


@pytest.mark.parametrize(("given", "expected"), cases("decide"))
def test_decision(given: Any, expected: Any) -> None:
    decision = decide(outcome_of(given["outcome"]), given["attempt"], given["eventCount"])
    assert {"do": decision.do, "why": decision.why} == expected


def outcome_of(given: Any) -> Outcome:
    if given["kind"] == "response":
        location = "http://127.0.0.1/else" if given["location"] else None
        return Response(given["status"], location=location)
    return TimedOut() if given["kind"] == "timeout" else NetworkError(given["code"])


@pytest.mark.parametrize(("given", "expected"), cases("splitting"))
def test_splitting(given: Any, expected: Any) -> None:
    limit = Limit(given["envelopeBytes"], given["limit"], given["maxEvents"])
    result = split(given["eventBytes"], limit)
    assert {"parts": result.parts, "dropped": result.dropped} == expected


@pytest.mark.parametrize(("given", "expected"), cases("uuid7"))
def test_uuid7(given: Any, expected: Any) -> None:
    made = format_uuid7(given["unixMs"], given["randA"], int(given["randB"], 16))
    assert made == expected


@pytest.mark.parametrize(("given", "expected"), cases("guards"))
def test_guards(given: Any, expected: Any) -> None:
    is_error = given["type"] in ("error", "command_error")
    made = guard_data(given["data"], is_error=is_error)
    # As pairs, so that the order of keys and a key that comes twice are seen.
    assert json.loads(made.json, object_pairs_hook=Pairs) == pairs(expected["data"])
    assert made.truncated == expected["truncated"]


class Pairs(list[Any]):
    """The properties of an object in their order."""


def pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return Pairs((key, pairs(item)) for key, item in value.items())
    return [pairs(item) for item in value] if isinstance(value, list) else value
