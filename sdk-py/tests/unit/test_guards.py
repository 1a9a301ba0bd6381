"""transport.md B81-102 for Python: values that only Python has, and bounds of time."""

from __future__ import annotations

import enum
import itertools
import json
import math
import time
from collections import OrderedDict
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vendor_chat import _protocol as wire
from vendor_chat.core.guards import guard_data
from vendor_chat.core.text import cut_to_bytes, repair


def kept(value: Any) -> Any:
    """What is left of one value; ``...`` when it is removed."""
    made = guard_data({"before": 1, "x": value, "after": 2}, is_error=False)
    data = json.loads(made.json, parse_constant=pytest.fail)
    assert data["before"] == 1
    assert data["after"] == 2
    assert made.truncated or "x" in data
    return data.get("x", ...)


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Text(str):
    __slots__ = ()


class Rude:
    """Raises wherever it is asked."""

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        raise RuntimeError("bool")

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError("class")


class RudeDict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("items")


class RudeList(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        yield 1
        raise RuntimeError("iter")


class RudeError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("str")


# pytest would write the values into the names of the tests, and some refuse that.
@pytest.mark.parametrize(
    ("value", "expected"),
    ids=itertools.count(),
    argvalues=[
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (Decimal("1.10"), "1.10"),
        (Decimal("NaN"), None),
        (Decimal("Infinity"), None),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (Text("text"), "text"),
        (True, True),
        (2**53 - 1, 2**53 - 1),
        (2**53, "9007199254740992"),
        (1e300, str(int(1e300))),
        (0.1, 0.1),
        (10**5_000, ...),
        (b"bytes", ...),
        (bytearray(b"x"), ...),
        (memoryview(b"x"), ...),
        (object(), ...),
        (Rude(), ...),
        (RudeDict(a=1), {}),
        (RudeList([1]), ...),
        (RudeError(), ...),
        (lambda: 1, ...),
        (MagicMock(), ...),
        (SimpleNamespace(a=1), ...),
        (Fraction(1, 3), ...),
        (complex(1, 2), ...),
        ((1, "a", None), [1, "a", None]),
        ({5}, [5]),
        (frozenset(("x",)), ["x"]),
        ([b"x", 1], [None, 1]),
        (OrderedDict(a=1), {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (date(2026, 1, 31), "2026-01-31"),
        (datetime(2026, 1, 31, 1, tzinfo=timezone.utc), "2026-01-31T01:00:00.000Z"),
        (datetime(2026, 1, 31, 1, tzinfo=timezone(timedelta(hours=1))), "2026-01-31T00:00:00.000Z"),
        (range(3), ...),
        (iter([1]), ...),
        (
            {"a": {1: "x", "1": "y", False: "z", None: 0, 1.5: 1, (1,): 2, b"b": 3}},
            {"a": {"1": "x", "false": "z", "null": 0}},
        ),
    ],
)
def test_values_of_python(value: Any, expected: Any) -> None:
    assert kept(value) == expected


def test_84_error_in_data() -> None:
    try:
        raise ValueError("m" * 5_000)
    except ValueError as error:
        found = kept(error)
    assert found["name"] == "ValueError"
    assert found["message"] == "m" * 2_048
    assert "test_guards.py" in found["stack"]
    assert len(found["stack"].encode()) <= 4_096


def test_81_shared_values_stay() -> None:
    shared = {"a": 1}
    assert kept([shared, shared]) == [shared, shared]


def test_98_later_changes_are_not_sent() -> None:
    data = {"a": [1]}
    made = guard_data(data, is_error=False)
    data["a"].append(2)
    assert json.loads(made.json) == {"a": [1]}


@pytest.mark.parametrize(
    ("data", "limit_s"),
    ids=["ascii text", "other text", "keys", "elements"],
    argvalues=[
        ({"x": "a" * 10_000_000}, 0.005),
        ({"x": "é" * 10_000_000}, 0.005),
        ({str(i): i for i in range(200_000)}, 0.05),
        ({"x": list(range(200_000))}, 0.05),
    ],
)
def test_90_96_time_is_bounded(data: dict[str, Any], limit_s: float) -> None:
    best_s = min(_time(data) for _ in range(5))
    assert best_s < limit_s


def _time(data: dict[str, Any]) -> float:
    began_s = time.perf_counter()
    guard_data(data, is_error=False)
    return time.perf_counter() - began_s


def test_key_cache_is_bounded() -> None:
    from vendor_chat.core import guards

    for start in range(0, 10_000, 500):
        guard_data({f"key{start + i}": 1 for i in range(500)}, is_error=False)
    assert len(guards._known_keys) <= 1_000


texts = st.text(st.characters(codec=None), max_size=60)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(texts | st.integers(), inner, max_size=6)
    ),
    max_leaves=40,
)


@settings(deadline=None, max_examples=150)
@given(
    st.dictionaries(texts, values | texts.map(lambda text: text * 200), max_size=30), st.booleans()
)
def test_whatever_comes_is_json_within_the_bounds(data: dict[str, Any], is_error: bool) -> None:
    made = guard_data(data, is_error=is_error)
    encoded = made.json.encode()
    assert len(encoded) <= wire.DATA_BYTES_MAX
    parsed = json.loads(made.json, parse_constant=pytest.fail)
    assert all(len(text.encode()) <= wire.ERROR_STACK_BYTES_MAX for text in _texts(parsed))
    assert "\0" not in json.dumps(parsed, ensure_ascii=False)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


@given(st.text(st.characters(codec=None)), st.integers(0, 200))
def test_cut_is_the_longest_that_fits(text: str, limit: int) -> None:
    cut = cut_to_bytes(text, limit)
    size = len(cut.encode("utf-8", "surrogatepass"))
    assert text.startswith(cut)
    assert size <= limit
    if cut != text:
        after = text[len(cut)].encode("utf-8", "surrogatepass")
        assert size + len(after) > limit


@given(st.text(st.characters(codec=None)))
def test_repair_makes_any_text_storable(text: str) -> None:
    repaired = repair(text)
    repaired.encode()
    assert "\0" not in repaired
    assert repaired == text or not text.isprintable()
