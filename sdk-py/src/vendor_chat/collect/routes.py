"""Paths of the platform's REST API without ids and secrets. catalogue.md A6; decision 0012."""

from __future__ import annotations

import re

from vendor_chat import _protocol as wire

_API_PATH = tuple(re.compile(step) for step in wire.API_PATH_STEPS)
_STEPS = tuple((re.compile(pattern), by) for pattern, by in wire.ROUTE_STEPS)
_CUSTOM_ID = re.compile(wire.CUSTOM_ID_SNOWFLAKE_PATTERN)


def api_path(url: str) -> str:
    """``https://x/api/v10/users/@me?a=1`` becomes ``/users/@me``."""
    for step in _API_PATH:
        url = step.sub("", url, count=1)
    return url


def normalize_route(url: str) -> str:
    """``/api/v10/channels/123456789012345678/messages`` becomes ``/channels/{id}/messages``."""
    path = api_path(url)
    for pattern, by in _STEPS:
        path = pattern.sub(by, path)
    return path


def command_name_of(custom_id: str) -> str:
    """``commandName`` of a component or modal: every snowflake as ``{id}``, 100 code points."""
    return _CUSTOM_ID.sub("{id}", custom_id)[: wire.COMMAND_NAME_CHARS_MAX]
