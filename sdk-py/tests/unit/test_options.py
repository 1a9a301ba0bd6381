"""transport.md B50, B71: odd options become a warning and the default."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from vendor_chat.options import ingest_url, read_config

GOOD = {"api_key": "key", "endpoint": "http://127.0.0.1:8080"}


def read(**given: Any) -> tuple[Any, list[str]]:
    warnings: list[str] = []
    config = read_config({**GOOD, **given}, {}, warnings.append)
    return config, warnings


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/events"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/events"),
        ("http://127.0.0.1:8080///", "http://127.0.0.1:8080/v1/events"),
        ("https://example.org/some/prefix/", "https://example.org/some/prefix/v1/events"),
        ("https://example.org/v1/events", "https://example.org/v1/events"),
        ("https://example.org/v1/events/", "https://example.org/v1/events"),
        ("http://[::1]:8080", "http://[::1]:8080/v1/events"),
        ("HTTP://EXAMPLE.org", "http://example.org/v1/events"),
        ("https://example.org?query=1#part", "https://example.org/v1/events"),
        ("", None),
        ("example.org", None),
        ("ftp://example.org", None),
        ("http://", None),
        ("http://user:secret@example.org", None),
        ("http://example.org:port", None),
        ("http://example.org:99999", None),
        ("http://exa mple.org", None),
        ("http://example.org/\r\nX-Forged: 1", None),
        ("http://[::1", None),
        ("http://bücher.example", None),
    ],
)
def test_50_endpoint(endpoint: str, url: str | None) -> None:
    assert ingest_url(endpoint) == url


@pytest.mark.parametrize("key", ["", " ", "a\nb", "a b", "schlüssel", "x" * 513, 7, b"key"])
def test_50_odd_keys_switch_off_and_stay_out_of_the_warning(key: Any) -> None:
    config, warnings = read(api_key=key)
    assert not config.usable
    (warning,) = warnings
    assert "api_key" in warning
    assert "schlüssel" not in warning


def test_50_blanks_around_the_key_are_no_part_of_it() -> None:
    config, warnings = read(api_key="  key\n")
    assert config.headers["Authorization"] == "Bearer key"
    assert warnings == []


ODD = [0, -1, 99, 2**31, 10**5_000, float("nan"), 5_000.0, "5000", True, [], object()]


@pytest.mark.parametrize("value", ODD, ids=itertools.count())
def test_71_odd_intervals(value: Any) -> None:
    config, warnings = read(flush_interval_ms=value)
    assert config.flush_interval_s == 5.0
    assert len(warnings) == 1
    assert len(warnings[0]) < 200


def test_environment_and_arguments() -> None:
    variables = {
        "BOT_ANALYTICS_API_KEY": "of-environment",
        "BOT_ANALYTICS_ENDPOINT": "http://env.example",
    }
    warnings: list[str] = []
    config = read_config({}, variables, warnings.append)
    assert config.usable
    assert config.headers["Authorization"] == "Bearer of-environment"
    config = read_config(GOOD, variables, warnings.append)
    assert config.headers["Authorization"] == "Bearer key"
    assert config.url.startswith("http://127.0.0.1")
    assert warnings == []


def test_other_odd_options() -> None:
    config, warnings = read(cluster_id="x" * 101, handle_signals="yes", collect=7)
    assert (config.cluster_id, config.handle_signals) == (None, True)
    assert all(config.collect.values())
    assert len(warnings) == 3
    config, warnings = read(cluster_id=3, collect={"actions": False, "gateway": 0, "other": True})
    assert config.cluster_id == "3"
    assert config.collect["actions"] is False
    assert config.collect["gateway"] is True
    assert len(warnings) == 2
