"""The shared vectors, loaded by the loader that lies beside them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

_LOADER = Path(__file__).parents[2] / "protocol" / "vectors" / "load.py"


def _load() -> Any:
    spec = importlib.util.spec_from_file_location("vector_loader", _LOADER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(file: str) -> list[Any]:
    """The cases of one file as pytest parameters."""
    found: list[dict[str, Any]] = _load().load_vectors(file)
    assert len(found) > 3
    return [pytest.param(case["in"], case["out"], id=case["name"]) for case in found]
