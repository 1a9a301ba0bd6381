"""Loads the shared vectors for the tests of the Python SDK; README.md describes the notation."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

_SPECIAL: dict[str, Any] = {
    "nan": math.nan,
    "infinity": math.inf,
    "-infinity": -math.inf,
    "loneHigh": "\ud83d",
    "loneLow": "\ude00",
}


def load_vectors(file: str, runner: str = "sdk") -> list[dict[str, Any]]:
    """The cases of ``<file>.json`` that ``runner`` runs, their notation resolved."""
    text = (Path(__file__).parent / f"{file}.json").read_text(encoding="utf-8")
    return [
        {**case, "in": _resolve(case["in"], None), "out": _resolve(case["out"], None)}
        for case in json.loads(text)["cases"]
        if runner in case.get("for", [runner])
    ]


def _resolve(value: Any, parent: Any) -> Any:
    if isinstance(value, list):
        items: list[Any] = []
        for element in value:
            items.append(_resolve(element, items))
        return items
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("$"), str):
        return _resolve_special(value["$"], value, parent)
    return _make_object(list(value.items()))


def _make_object(entries: list[Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in entries:
        made[_resolve(key, None)] = _resolve(value, made)
    return made


def _resolve_special(tag: str, value: dict[str, Any], parent: Any) -> Any:
    if tag in _SPECIAL:
        return _SPECIAL[tag]
    if tag == "bigint":
        return int(value["text"])
    if tag == "repeat":
        return _resolve(value["text"], None) * value["times"]
    if tag == "concat":
        return "".join(_resolve(part, None) for part in value["parts"])
    if tag == "nest":
        return _nest(value)
    if tag == "items":
        return [_resolve(value["value"], None) for _ in range(value["count"])]
    if tag == "keys":
        keys = [f"{value['prefix']}{i}" for i in range(value["count"])]
        return {key: _resolve(value["value"], None) for key in keys}
    if tag == "entries":
        return _make_object(value["entries"])
    if tag == "circular":
        return parent
    raise ValueError(f"unknown notation {tag!r}")


def _nest(value: dict[str, Any]) -> Any:
    array = value["of"] == "array"

    def wrap(inner: Any) -> Any:
        return [inner] if array else {"a": inner}

    empty: Any = [] if array else {}
    made = wrap(_resolve(value["leaf"], None)) if "leaf" in value else empty
    for _ in range(value["depth"] - 1):
        made = wrap(made)
    return made
