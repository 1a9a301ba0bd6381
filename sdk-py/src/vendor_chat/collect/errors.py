"""Errors as ``error`` and ``command_error`` carry them. catalogue.md A5."""

from __future__ import annotations

import traceback
from typing import Any, TypedDict

from vendor_chat import _protocol as wire
from vendor_chat.core.text import cut_to_bytes, cut_to_chars

_FRAMES_MAX = 40
_CHAIN_MAX = 10


class ErrorText(TypedDict):
    name: str
    message: str
    stack: str | None
    code: int | str | None


def describe_error(error: BaseException) -> ErrorText:
    """Reads an error. Never raises itself, though ``__str__`` of an error may."""
    return {
        "name": cut_to_chars(type(error).__name__, wire.ERROR_NAME_CHARS_MAX),
        "message": cut_to_bytes(_message(error), wire.ERROR_MESSAGE_BYTES_MAX),
        "stack": _stack(error),
        "code": error_code(error),
    }


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its text cannot be read)"


def _stack(error: BaseException) -> str | None:
    """The innermost frames: file, line, function. No source lines, which may quote secrets."""
    try:
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES_MAX:]
    except Exception:
        return None
    if not frames:
        return None
    lines = [f'  File "{f.filename}", line {f.lineno}, in {f.name}' for f in frames]
    return cut_to_bytes("\n".join(lines), wire.ERROR_STACK_BYTES_MAX)


def error_code(error: BaseException) -> int | str | None:
    """Code of the platform (10062) or of the system (ECONNRESET), None when there is none."""
    code: Any = getattr(error, "code", None)
    if type(code) is int:
        # discord.py writes 0 for "no code".
        return code or None
    return cut_to_chars(code, wire.ERROR_NAME_CHARS_MAX) if type(code) is str else None


def error_status(error: BaseException) -> int | None:
    """HTTP status of a refused call, None when the error tells none."""
    status: Any = getattr(error, "status", None)
    return status if type(status) is int else None


def chain(error: BaseException) -> list[BaseException]:
    """The error and those that it wraps: the same failure, as several layers report it."""
    found: list[BaseException] = []
    present: BaseException | None = error
    while present is not None and len(found) < _CHAIN_MAX and present not in found:
        found.append(present)
        original: Any = getattr(present, "original", None)
        present = original if isinstance(original, BaseException) else present.__cause__
    return found


def innermost(error: BaseException) -> BaseException:
    """What the bot's own code raised, below the library's wrappers."""
    for inner in chain(error):
        if not isinstance(getattr(inner, "original", None), BaseException):
            return inner
    return error
