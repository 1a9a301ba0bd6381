"""Interactions as the gateway sends them, and the answers to them. catalogue.md A1."""

from __future__ import annotations

import json
from typing import Any, Final, cast

from vendor_chat import _protocol as wire
from vendor_chat.collect.adapter import InteractionSeen
from vendor_chat.collect.routes import command_name_of

PLATFORM_EPOCH_MS: Final = 1_420_070_400_000
"""Milliseconds in the first 42 bits of a snowflake count from here."""

_COMMAND, _COMPONENT, _AUTOCOMPLETE, _MODAL = 2, 3, 4, 5
_SUBCOMMANDS: Final = (1, 2)

# Interaction type and kind by `data.type` of a command, by `data.component_type` of a component.
_COMMANDS: Final[dict[int, tuple[wire.InteractionType, wire.InteractionKind]]] = {
    1: ("interaction_slash", "slash"),
    2: ("interaction_context_menu", "user_context"),
    3: ("interaction_context_menu", "message_context"),
    4: ("interaction_slash", "slash"),
}
_COMPONENTS: Final[dict[int, tuple[wire.InteractionType, wire.InteractionKind]]] = {
    2: ("interaction_button", "button"),
    3: ("interaction_select", "string_select"),
    5: ("interaction_select", "user_select"),
    6: ("interaction_select", "role_select"),
    7: ("interaction_select", "mentionable_select"),
    8: ("interaction_select", "channel_select"),
}
RESPONSE_KINDS: Final[dict[int, wire.ResponseKind]] = {
    4: "reply",
    5: "defer",
    6: "defer_update",
    7: "update",
    8: "autocomplete",
    9: "modal",
}
"""By the `type` of a callback's body; others are `raw`."""

PHASES: Final[dict[str, str]] = {
    "reply": "reply",
    "defer": "deferReply",
    "defer_update": "deferUpdate",
    "update": "update",
    "autocomplete": "respond",
    "modal": "showModal",
    "raw": "reply",
}
"""Name of a failed reply, the same in both SDKs, by its response kind."""


def read_interaction(payload: dict[str, Any], shard_id: int) -> InteractionSeen | None:
    """The parts of an INTERACTION_CREATE that are collected; None for a ping or a new kind."""
    data: dict[str, Any] = payload.get("data") or {}
    kind = _kind(payload.get("type"), data)
    if kind is None:
        return None
    member: dict[str, Any] = payload.get("member") or {}
    user: dict[str, Any] = member.get("user") or payload.get("user") or {}
    channel: dict[str, Any] = payload.get("channel") or {}
    interaction_id = str(payload["id"])
    return InteractionSeen(
        id=interaction_id,
        type=kind[0],
        command_name=_command_name(kind[0], data),
        kind=kind[1],
        shard_id=shard_id,
        guild_id=payload.get("guild_id"),
        channel_id=payload.get("channel_id") or channel.get("id"),
        user_id=user.get("id"),
        created_ms=(int(interaction_id) >> 22) + PLATFORM_EPOCH_MS,
    )


def _kind(
    type_: Any, data: dict[str, Any]
) -> tuple[wire.InteractionType, wire.InteractionKind] | None:
    if type_ == _COMMAND:
        return _COMMANDS.get(data.get("type", 1))
    if type_ == _COMPONENT:
        return _COMPONENTS.get(data.get("component_type", 0))
    if type_ == _AUTOCOMPLETE:
        return ("interaction_autocomplete", "autocomplete")
    return ("interaction_modal", "modal") if type_ == _MODAL else None


def _command_name(type_: wire.InteractionType, data: dict[str, Any]) -> str:
    if "custom_id" in data:
        return command_name_of(str(data["custom_id"]))
    names = [str(data.get("name", ""))]
    options: Any = data.get("options") if type_ != "interaction_context_menu" else None
    while options:
        first = cast("dict[str, Any]", options[0])
        if first.get("type") not in _SUBCOMMANDS:
            break
        names.append(str(first.get("name")))
        options = first.get("options")
    return " ".join(names)[: wire.COMMAND_NAME_CHARS_MAX]


def response_kind(payload: Any, multipart: Any) -> wire.ResponseKind:
    """Kind of a callback from the `type` of its body; nothing else of the body is looked at."""
    if payload is None and isinstance(multipart, (list, tuple)):
        payload = _form_payload(cast("list[Any]", multipart))
    type_: Any = cast("dict[str, Any]", payload).get("type") if isinstance(payload, dict) else None
    return RESPONSE_KINDS.get(type_, "raw")


def _form_payload(parts: list[Any]) -> Any:
    """The JSON part of a reply with files."""
    for part in parts:
        if isinstance(part, dict) and cast("dict[str, Any]", part).get("name") == "payload_json":
            try:
                return json.loads(cast("dict[str, Any]", part)["value"])
            except (ValueError, TypeError, KeyError):
                return None
    return None
