"""Hooks into objects and classes of the library that can be taken back."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

_MARK = "__vendor_chat_original__"


class Patches:
    """Attributes that were replaced on objects, and the way back."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def wrap(self, owner: Any, name: str, make: Callable[[Any], Any]) -> bool:
        """Replaces ``owner.name`` by ``make(original)``; false when there is no such thing."""
        original: Any = getattr(owner, name, None)
        if original is None:
            return False
        had_own = name in getattr(owner, "__dict__", {})
        hook = make(original)
        setattr(owner, name, hook)

        def undo() -> None:
            # Only when nobody has replaced it meanwhile.
            if getattr(owner, "__dict__", {}).get(name) is hook:
                if had_own:
                    setattr(owner, name, original)
                else:
                    delattr(owner, name)

        self._undo.append(undo)
        return True

    def put(self, table: dict[str, Any], key: str, make: Callable[[Any], Any]) -> None:
        """Replaces ``table[key]`` by ``make(original)``, where original may be None."""
        original: Any = table.get(key)
        hook = make(original)
        table[key] = hook

        def undo() -> None:
            if table.get(key) is hook:
                if original is None:
                    del table[key]
                else:
                    table[key] = original

        self._undo.append(undo)

    def on_undo(self, undo: Callable[[], None]) -> None:
        self._undo.append(undo)

    def undo(self) -> None:
        while self._undo:
            self._undo.pop()()


class ClassHooks:
    """Observers of methods of the library's classes, which every client of the process shares.

    A method is wrapped when the first observer comes and stays so; the wrapper asks the observers
    that live at the time of the call, and without one it only passes the call on.
    """

    def __init__(self) -> None:
        self.observers: weakref.WeakSet[Any] = weakref.WeakSet()

    def wrap(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        found: Any = getattr(owner, "__dict__", {}).get(name)
        # A class method or static method holds its function.
        function: Any = getattr(found, "__func__", None)
        original: Any = found if function is None else function
        if original is None or hasattr(original, _MARK):
            return
        hook = functools.wraps(original)(make(original))
        setattr(hook, _MARK, original)
        setattr(owner, name, hook if function is None else type(found)(hook))
