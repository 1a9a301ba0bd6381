"""REST calls that are one of the 22 actions. catalogue.md A2."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, cast

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import ClientView, RestCall
from vendor_chat.collect.routes import api_path
from vendor_chat.core.event import EventInput

_S = "([0-9]{17,20})"
_GUILD = re.compile(f"/guilds/{_S}")
_CHANNEL = re.compile(f"/channels/{_S}")
_USER = re.compile(f"/(?:members|bans|reactions/[^/]+)/{_S}")
_WEBHOOK = re.compile(f"/webhooks/{_S}")

# Actions whose changed properties are reported by name.
_WITH_FIELDS: Final = ("action_member_timeout", "action_member_update", "action_channel_update")
_FIELDS: Final = frozenset(wire.ACTION_BODY_FIELDS)


def _by_method() -> Mapping[str, list[tuple[wire.ActionType, re.Pattern[str], str | None]]]:
    table: dict[str, list[tuple[wire.ActionType, re.Pattern[str], str | None]]] = defaultdict(list)
    for row in wire.ACTION_PATTERNS:
        table[row.method].append((row.type, re.compile(row.path), row.body_key))
    return dict(table)


_BY_METHOD: Final = _by_method()


def classify_action(method: str, url: str, keys: Iterable[str] = ()) -> wire.ActionType | None:
    """The action of a call, None when it is none. An interaction callback is none.

    ``url``: path or whole URL; ``keys``: names of the properties of the JSON body.
    """
    rows = _BY_METHOD.get(method)
    if rows is None:
        return None
    path = api_path(url)
    for type_, pattern, body_key in rows:
        if pattern.search(path) and (body_key is None or body_key in keys):
            return type_
    return None


def body_keys(body: Any) -> list[str]:
    """Names of the properties of a request body; none for a form or a text."""
    return list(cast("dict[str, Any]", body)) if isinstance(body, dict) else []


def action_event(call: RestCall, client: ClientView, now_ms: int) -> EventInput:
    """The event of a settled call. Reads no values of the body but lengths of lists."""
    channel_id = channel_of(call.path)
    guild_id = _first(_GUILD, call.path) or call.guild_id
    if guild_id is None and channel_id is not None:
        guild_id = client.guild_of_channel(channel_id)
    data: dict[str, Any] = {
        "success": call.success,
        "status": call.status,
        "errorCode": call.error_code,
        "latencyMs": round(call.latency_ms, 1),
        **_details(call, client),
        "shardId": None if guild_id is None else client.shard_of_guild(guild_id),
    }
    return EventInput(
        call.type, now_ms, data, guild_id, channel_id, user_id=_first(_USER, call.path)
    )


def channel_of(path: str) -> str | None:
    """The channel that a call's path names."""
    return _first(_CHANNEL, path)


def _first(pattern: re.Pattern[str], path: str) -> str | None:
    found = pattern.search(path)
    return None if found is None else found[1]


def _details(call: RestCall, client: ClientView) -> dict[str, Any]:
    if call.type.startswith("action_message_") or call.type == "action_webhook_send":
        details: dict[str, Any] = {"via": _via(call.path, client)}
        if call.type == "action_message_bulk_delete":
            details |= _count(call.body, "messages")
        return details
    if call.type == "action_member_ban":
        return _count(call.body, "user_ids")
    if call.type not in _WITH_FIELDS:
        return {}
    details = {"fields": [key for key in body_keys(call.body) if key in _FIELDS]}
    if call.type == "action_member_timeout":
        details["cleared"] = call.body["communication_disabled_until"] is None
    return details


def _via(path: str, client: ClientView) -> Literal["channel", "webhook", "followup"]:
    webhook_id = _first(_WEBHOOK, path)
    if webhook_id is None:
        return "channel"
    return "followup" if webhook_id == client.application_id() else "webhook"


def _count(body: Any, name: str) -> dict[str, int]:
    value: Any = cast("dict[str, Any]", body).get(name) if isinstance(body, dict) else None
    return {"count": len(cast("list[Any]", value))} if isinstance(value, list) else {}
