"""Hooks into the two ways to the REST API: ``HTTPClient.request`` and the webhook adapter."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from vendor_chat.collect.actions import body_keys, channel_of, classify_action
from vendor_chat.collect.adapter import (
    ClientView,
    CommandFailed,
    InteractionAnswered,
    Observer,
    RestCall,
)
from vendor_chat.collect.errors import error_code, error_status
from vendor_chat.collect.routes import api_path
from vendor_chat.discord.interactions import PHASES, response_kind
from vendor_chat.discord.patches import ClassHooks, Patches

_CALLBACK = re.compile(r"^/interactions/([0-9]{17,20})/([^/]+)/callback")
_REPLY = re.compile(r"^/webhooks/[0-9]{17,20}/([^/]+)(/messages/(?:@|%40)original)?")
# Tokens of interactions live for 15 min.
_TOKENS_MAX = 1_000

webhook_hooks = ClassHooks()
Call = Callable[..., Awaitable[Any]]


class _Start(NamedTuple):
    """When a call began, and in which guild."""

    at_s: float
    guild_id: str | None


class RestHooks:
    """Reports REST calls of one client: actions, answers to interactions, HTTP attempts."""

    def __init__(
        self, observer: Observer, view: ClientView, *, actions: bool, interactions: bool
    ) -> None:
        self._observer = observer
        self._view = view
        self._actions = actions
        self._interactions = interactions
        self._tokens: dict[str, str] = {}
        """Interaction by its token, for follow-ups."""

    def install(self, client: Any, library: Any, patches: Patches) -> None:
        patches.wrap(client.http, "request", self._client_request)
        webhooks = getattr(getattr(library, "webhook", None), "async_", None)
        adapter = getattr(webhooks, "AsyncWebhookAdapter", None)
        if adapter is not None:
            webhook_hooks.wrap(adapter, "request", _webhook_request)
        webhook_hooks.observers.add(self)
        patches.on_undo(lambda: webhook_hooks.observers.discard(self))

    def remember(self, interaction_id: str, token: Any) -> None:
        """An interaction of this client: its answers are found by the token."""
        if type(token) is str:
            self._tokens[token] = interaction_id
            if len(self._tokens) > _TOKENS_MAX:
                del self._tokens[next(iter(self._tokens))]

    def owns(self, path: str) -> bool:
        """The call answers an interaction of this client."""
        callback = _CALLBACK.match(path)
        if callback is not None:
            return callback[2] in self._tokens
        reply = _REPLY.match(path)
        return reply is not None and reply[1] in self._tokens

    def _client_request(self, original: Call) -> Any:
        def request(route: Any, *args: Any, **kwargs: Any) -> Awaitable[Any]:
            call = original(route, *args, **kwargs)
            try:
                path = api_path(route.url)
                watched = self.is_watched(route.method, path, kwargs.get("json"))
            except Exception:
                return call
            if not watched:
                return call
            return self.observe(call, (route.method, path), kwargs.get("json"), kwargs.get("form"))

        return request

    def is_watched(self, method: str, path: str, body: Any) -> bool:
        if self._interactions and method == "POST" and _CALLBACK.match(path):
            return True
        return self._actions and classify_action(method, path, body_keys(body)) is not None

    async def observe(
        self, call: Awaitable[Any], route: tuple[str, str], body: Any, form: Any
    ) -> Any:
        """Awaits a call and reports how it ended; passes result and error on unchanged."""
        start = _Start(time.perf_counter(), self._guild_of(route[1]))
        try:
            result = await call
        except BaseException as error:
            self._settled(route, body, form, (start, error))
            raise
        self._settled(route, body, form, (start, None))
        return result

    def _guild_of(self, path: str) -> str | None:
        with contextlib.suppress(Exception):
            channel_id = channel_of(path)
            return None if channel_id is None else self._view.guild_of_channel(channel_id)
        return None

    def _settled(
        self,
        route: tuple[str, str],
        body: Any,
        form: Any,
        end: tuple[_Start, BaseException | None],
    ) -> None:
        with contextlib.suppress(Exception):
            self._report(route, body, form, end)

    def _report(
        self,
        route: tuple[str, str],
        body: Any,
        form: Any,
        end: tuple[_Start, BaseException | None],
    ) -> None:
        method, path = route
        start, error = end
        callback = _CALLBACK.match(path)
        if callback is not None:
            kind = response_kind(body, form)
            self._answered(callback[1], kind, error)
            return
        if self._interactions and isinstance(error, Exception):
            self._reply_failed(method, path, error)
        type_ = classify_action(method, path, body_keys(body)) if self._actions else None
        if type_ is None:
            return
        self._observer.rest_call(
            RestCall(
                type=type_,
                path=path,
                body=body,
                latency_ms=(time.perf_counter() - start.at_s) * 1_000,
                success=error is None,
                status=None if error is None else error_status(error),
                error_code=None if error is None else error_code(error),
                guild_id=start.guild_id,
            )
        )

    def _answered(self, interaction_id: str, kind: Any, error: BaseException | None) -> None:
        code = None if error is None else error_code(error)
        self._observer.answered(InteractionAnswered(interaction_id, error is None, kind, code))
        if isinstance(error, Exception):
            self._observer.command_failed(CommandFailed(error, PHASES[kind], interaction_id))

    def _reply_failed(self, method: str, path: str, error: Exception) -> None:
        reply = _REPLY.match(path)
        interaction_id = None if reply is None else self._tokens.get(reply[1])
        if reply is None or interaction_id is None:
            return
        phase = {"POST": "followUp", "PATCH": "editReply", "DELETE": "deleteReply"}.get(method)
        if phase is not None:
            self._observer.command_failed(CommandFailed(error, phase, interaction_id))


def _webhook_request(original: Call) -> Any:
    """Replies and follow-ups go this way. One adapter serves all clients of the process."""

    def request(adapter: Any, route: Any, session: Any, **kwargs: Any) -> Awaitable[Any]:
        try:
            hooks = _owner(route, kwargs)
        except Exception:
            hooks = None
        call = original(adapter, route, session, **kwargs)
        if hooks is None:
            return call
        where = (route.method, api_path(route.url))
        return hooks.observe(call, where, kwargs.get("payload"), kwargs.get("multipart"))

    return request


def _owner(route: Any, kwargs: dict[str, Any]) -> RestHooks | None:
    """The client that a call belongs to: that of the interaction, else any that watches it."""
    path = api_path(route.url)
    observers: list[RestHooks] = list(webhook_hooks.observers)
    for hooks in observers:
        if hooks.owns(path):
            return hooks
    for hooks in observers:
        if hooks.is_watched(route.method, path, kwargs.get("payload")):
            return hooks
    return None
