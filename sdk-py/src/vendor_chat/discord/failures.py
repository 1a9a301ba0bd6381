"""Errors of commands, components, event handlers and tasks, without touching their handling."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from vendor_chat.collect.adapter import CommandFailed, Observer
from vendor_chat.discord.patches import ClassHooks, Patches

class_hooks = ClassHooks()
Call = Callable[..., Awaitable[Any]]

# Reply methods that can fail before any request, such as a second answer to one interaction.
_REPLY_PHASES = {
    "send_message": "reply",
    "defer": "deferReply",
    "edit_message": "update",
    "send_modal": "showModal",
    "autocomplete": "respond",
    "launch_activity": "launchActivity",
}
_HANDLER = "handler"


class FailureHooks:
    """Reports the failures of one client."""

    def __init__(self, client: Any, observer: Observer) -> None:
        self.client = client
        self._observer = observer

    def install_commands(self, library: Any, patches: Patches) -> None:
        """Reply methods, app commands, autocomplete, views and modals: hooks into classes."""
        interactions = getattr(library, "interactions", None)
        replies = getattr(interactions, "InteractionResponse", None)
        for name, phase in _REPLY_PHASES.items():
            class_hooks.wrap(replies, name, _observed_reply(phase))
        commands = getattr(library, "app_commands", None)
        command = getattr(commands, "Command", None)
        class_hooks.wrap(command, "_invoke_with_namespace", _observed_call)
        class_hooks.wrap(command, "_invoke_autocomplete", _observed_call)
        class_hooks.wrap(getattr(commands, "ContextMenu", None), "_invoke", _observed_call)
        class_hooks.wrap(getattr(commands, "CommandTree", None), "_call", _observed_call)
        parts = getattr(library, "ui", None)
        for name in ("View", "LayoutView", "Modal", "BaseView"):
            _wrap_scheduled(getattr(parts, name, None))
        views = getattr(parts, "view", None)
        _wrap_scheduled(getattr(views, "BaseView", None))
        store = getattr(views, "ViewStore", None)
        class_hooks.wrap(store, "schedule_dynamic_item_call", _scheduled_dynamic_item)
        class_hooks.observers.add(self)
        patches.on_undo(lambda: class_hooks.observers.discard(self))

    def install_events(self, patches: Patches) -> None:
        """Event handlers: the library runs each through ``_schedule_event``."""
        patches.wrap(self.client, "_schedule_event", self._schedule_event)

    def install_loop(self, loop: asyncio.AbstractEventLoop, patches: Patches) -> None:
        """Chains the loop's exception handler."""
        previous = loop.get_exception_handler()

        def handle(where: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            error: Any = context.get("exception")
            if isinstance(error, Exception):
                with contextlib.suppress(Exception):
                    self._observer.error(error, "asyncio", handled=False)
            if previous is None:
                where.default_exception_handler(context)
            else:
                previous(where, context)

        loop.set_exception_handler(handle)

        def undo() -> None:
            if not loop.is_closed() and loop.get_exception_handler() is handle:
                loop.set_exception_handler(previous)

        patches.on_undo(undo)

    def failed(self, error: Exception, phase: str, interaction: Any) -> None:
        with contextlib.suppress(Exception):
            self._observer.command_failed(CommandFailed(error, phase, str(interaction.id)))

    def _schedule_event(self, original: Any) -> Any:
        def schedule(coro: Call, event_name: str, *args: Any, **kwargs: Any) -> Any:
            return original(self._observed_event(coro), event_name, *args, **kwargs)

        return schedule

    def _observed_event(self, coro: Call) -> Call:
        async def observed(*args: Any, **kwargs: Any) -> Any:
            try:
                return await coro(*args, **kwargs)
            except Exception as error:
                with contextlib.suppress(Exception):
                    self._observer.error(error, "event_handler", handled=True)
                raise

        return observed


def _report(interaction: Any, error: Exception, phase: str) -> None:
    """Finds the client of an interaction; a class hook serves all clients of the process."""
    observers: list[FailureHooks] = list(class_hooks.observers)
    for hooks in observers:
        if getattr(interaction, "client", None) is hooks.client:
            hooks.failed(error, phase, interaction)


def _observed_reply(phase: str) -> Callable[[Call], Call]:
    def make(original: Call) -> Call:
        async def reply(response: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return await original(response, *args, **kwargs)
            except Exception as error:
                _report(getattr(response, "_parent", None), error, phase)
                raise

        return reply

    return make


def _observed_call(original: Call) -> Call:
    """A method that runs a handler; the interaction is its first argument."""

    async def call(owner: Any, interaction: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return await original(owner, interaction, *args, **kwargs)
        except Exception as error:
            _report(interaction, error, _HANDLER)
            raise

    return call


def _wrap_scheduled(owner: Any) -> None:
    """``_scheduled_task`` of a view keeps the error for its ``on_error``: observe that one."""

    def make(original: Call) -> Call:
        async def scheduled(view: Any, *args: Any, **kwargs: Any) -> Any:
            with contextlib.suppress(Exception):
                _observe_on_error(view.__class__)
            return await original(view, *args, **kwargs)

        return scheduled

    class_hooks.wrap(owner, "_scheduled_task", make)


def _observe_on_error(view: type) -> None:
    for base in view.__mro__:
        if "on_error" in base.__dict__:
            class_hooks.wrap(base, "on_error", _reported_error)
            return


def _scheduled_dynamic_item(original: Call) -> Call:
    """The library makes a ``DynamicItem`` for each use and only logs what it raises."""

    async def scheduled(store: Any, component_type: int, factory: Any, *args: Any) -> Any:
        with contextlib.suppress(Exception):
            _observe_dynamic_item(factory)
        return await original(store, component_type, factory, *args)

    return scheduled


def _observe_dynamic_item(factory: type) -> None:
    for name in ("from_custom_id", "interaction_check", "callback"):
        owner = next((base for base in factory.__mro__ if name in base.__dict__), None)
        class_hooks.wrap(owner, name, _observed_call)


def _reported_error(original: Call) -> Call:
    async def on_error(view: Any, interaction: Any, error: Exception, *args: Any) -> Any:
        _report(interaction, error, _HANDLER)
        return await original(view, interaction, error, *args)

    return on_error
