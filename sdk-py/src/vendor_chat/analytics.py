"""The public face: ``Analytics``."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import uuid
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from types import CoroutineType, TracebackType
from typing import TYPE_CHECKING, Any, TypedDict

from vendor_chat import _protocol as wire
from vendor_chat import process
from vendor_chat.collect.errors import describe_error
from vendor_chat.core.engine import Engine, EngineConfig, Sender
from vendor_chat.core.env import real_env
from vendor_chat.core.event import EventInput
from vendor_chat.core.stamp import IsoClock
from vendor_chat.options import Collect, Config, Logger, environment, read_config
from vendor_chat.stats import Drop, FlushResult, State, Stats

# What needs asyncio, http.client or ssl is imported by the first instance that uses it: together
# they would double the time that the import of the package takes. Decision 0063.
if TYPE_CHECKING:
    from vendor_chat.collect.collector import Collector
    from vendor_chat.discord.adapter import DiscordAdapter

_FLUSH_TIMEOUT_S = 30.0


class _HookEventRequired(TypedDict):
    type: wire.EventType
    ts: str
    data: dict[str, Any]


class HookEvent(_HookEventRequired, total=False):
    """An event as ``before_send`` sees it. ``type`` and ``ts`` cannot be changed."""

    guildId: str | None
    channelId: str | None
    userId: str | None


class Analytics:
    """Collects what a bot does and sends it. Nothing of it raises into the bot, but a misuse of
    the arguments' types at construction is reported once as a warning.

    Without ``api_key`` and ``endpoint`` the environment variables ``BOT_ANALYTICS_API_KEY`` and
    ``BOT_ANALYTICS_ENDPOINT`` are used; without these everything is a no-op, with one warning.
    """

    def __init__(  # noqa: PLR0913 -- keyword arguments, each with a default
        self,
        *,
        api_key: str | None = None,
        endpoint: str | None = None,
        flush_interval_ms: int | None = None,
        snapshot_interval_ms: int | None = None,
        cluster_id: str | int | None = None,
        request_timeout_ms: int | None = None,
        shutdown_timeout_ms: int | None = None,
        handle_signals: bool | None = None,
        capture_unhandled_rejections: bool | None = None,
        collect: Collect | None = None,
        before_send: Callable[[HookEvent], HookEvent | None] | None = None,
        on_drop: Callable[[Drop], None] | None = None,
        on_state_change: Callable[[State, State], None] | None = None,
        logger: Logger | None = None,
        debug: bool | None = None,
        enabled: bool | None = None,
    ) -> None:
        """
        :param api_key: ingest key of the bot.
        :param endpoint: address of the server, such as ``https://analytics.example.org``.
        :param flush_interval_ms: wait before queued events are sent; 100 to 3,600,000,
            default 5,000.
        :param snapshot_interval_ms: time between heartbeats and between guild snapshots;
            1,000 to 3,600,000, default 60,000.
        :param cluster_id: cluster of this process, 1 to 100 characters.
        :param request_timeout_ms: longest request; 1,000 to 30,000, default 10,000.
        :param shutdown_timeout_ms: longest final flush; 100 to 60,000, default 3,000.
        :param handle_signals: flush on SIGTERM, where the bot has no handler. Default True.
        :param capture_unhandled_rejections: report errors of event handlers and of tasks that
            nobody awaits; how they are handled stays as it is. Default True.
        :param collect: what is collected; everything by default.
        :param before_send: sees every event before it is queued; returns it, a changed one, or None
            to drop it. Not async. Runs on the thread that reports.
        :param on_drop: hears of every loss, on any thread.
        :param on_state_change: hears the new and the previous state, on any thread.
        :param logger: default: the logger ``vendor_chat``.
        :param debug: write what the SDK does to ``logger.debug``. Default False.
        :param enabled: False makes everything a no-op, without a warning. Default True.
        """
        given: dict[str, Any] = {
            "api_key": api_key,
            "endpoint": endpoint,
            "flush_interval_ms": flush_interval_ms,
            "snapshot_interval_ms": snapshot_interval_ms,
            "cluster_id": cluster_id,
            "request_timeout_ms": request_timeout_ms,
            "shutdown_timeout_ms": shutdown_timeout_ms,
            "handle_signals": handle_signals,
            "capture_unhandled_rejections": capture_unhandled_rejections,
            "collect": collect,
            "debug": debug,
            "enabled": enabled,
        }
        self._logger: Logger = logger or logging.getLogger("vendor_chat")
        self._config = read_config(given, environment(), self._warn)
        self._env = real_env()
        self._iso = IsoClock()
        self._before_send = before_send
        self._instance_id = str(uuid.uuid4())
        self._collector: Collector | None = None
        self._adapter: DiscordAdapter | None = None
        self._child_is_watched = False
        self._engine = Engine(
            EngineConfig(
                env=self._env,
                flush_interval_s=self._config.flush_interval_s,
                make_sender=_sender_maker(self._config),
                warn=self._warn,
                debug=self._debug,
                on_drop=on_drop,
                on_state_change=on_state_change,
            )
        )
        _instances.add(self)
        if self._config.usable:
            process.watch(self, handle_signals=self._config.handle_signals)
        else:
            self._engine.disable()

    def attach(self, client: Any) -> Analytics:
        """Observes a discord.py client: ``Client``, ``AutoShardedClient``, ``Bot``,
        ``AutoShardedBot``. Before or after the login; a second time it changes nothing.
        """
        try:
            self._attach(client)
        except Exception as error:
            self._warn(f"cannot attach to {type(client).__name__}: {type(error).__name__}: {error}")
        return self

    def detach(self) -> None:
        """Takes back every hook. What is queued is still sent."""
        adapter, self._adapter = self._adapter, None
        collector, self._collector = self._collector, None
        if adapter is not None:
            adapter.detach()
        if collector is not None:
            collector.emit_pending()

    def capture_error(
        self,
        error: BaseException | None = None,
        *,
        guild_id: int | str | None = None,
        channel_id: int | str | None = None,
        user_id: int | str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Reports an error that the bot caught; without one the error being handled.

        :param data: anything that helps to find it, within 16 KiB. No message content.
        """
        error = sys.exc_info()[1] if error is None else error
        try:
            if not isinstance(error, BaseException):
                error = TypeError(f"capture_error() got {type(error).__name__}, not an exception")
            context = None if data is None else dict(data)
            body = wire.ErrorData(
                **describe_error(error), origin="captureError", handled=True, context=context
            )
            ids = (_text_id(guild_id), _text_id(channel_id), _text_id(user_id))
            self._emit(EventInput("error", self._env.now_ms(), body, *ids))
        except Exception:
            self._engine.lose("serialization", "error")

    async def flush(self, timeout: float | None = None) -> FlushResult:
        """Sends what was reported before the call. Never raises.

        Resolves when all of it is settled, in a quiet period when heartbeats and guild snapshots
        are, at the latest after ``timeout`` seconds (default 30).
        """
        return await self._settled(_FLUSH_TIMEOUT_S if timeout is None else timeout)

    async def shutdown(self, timeout: float | None = None) -> FlushResult:
        """Detaches, flushes for at most ``timeout`` seconds (default: ``shutdown_timeout_ms``),
        and ends all sending; what is left is dropped and counted. For good.
        """
        limit_s = self._config.shutdown_timeout_s if timeout is None else timeout
        self.detach()
        process.unwatch(self)
        before = self._engine.stats()
        await self._settled(limit_s)
        self._engine.finish()
        return _difference(before, self._engine.stats())

    def close(self, timeout: float | None = None) -> FlushResult:
        """``shutdown()`` for code without an event loop. Blocks at most ``timeout`` seconds."""
        limit_s = self._config.shutdown_timeout_s if timeout is None else timeout
        self.detach()
        process.unwatch(self)
        return self._engine.close(limit_s)

    def stats(self) -> Stats:
        """Counters of this process."""
        return self._engine.stats()

    async def __aenter__(self) -> Analytics:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.shutdown()

    @property
    def final_timeout_s(self) -> float:
        """Longest final flush, seconds."""
        return self._config.shutdown_timeout_s

    def emit_pending(self) -> None:
        """Turns what is half done into events: for the end of the process."""
        if self._collector is not None:
            self._collector.emit_pending()

    def final_flush(self, timeout_s: float) -> None:
        """Sends what waits, blocking: for the end of the process."""
        if self._engine.sendable() > 0:
            self._engine.flush(timeout_s)
        left, _ = self._engine.health()
        if left > 0:
            self._debug(f"{left} events are left at the end of the process")

    def _attach(self, client: Any) -> None:
        if not self._config.usable:
            return
        from vendor_chat.discord.client_view import library_of  # noqa: PLC0415 -- decision 0063

        if self._adapter is not None:
            if self._adapter.client is not client:
                self._warn(
                    "attached to a client already; make another Analytics for another client"
                )
            return
        library = library_of(client)
        if library is None:
            self._warn(f"{type(client).__name__} is not a client of discord.py")
            return
        self._observe(client, library)

    def _observe(self, client: Any, library: Any) -> None:
        from vendor_chat.collect.collector import Collector, CollectorParts  # noqa: PLC0415
        from vendor_chat.collect.process_figures import ProcessFigures  # noqa: PLC0415
        from vendor_chat.discord.adapter import DiscordAdapter  # noqa: PLC0415
        from vendor_chat.discord.client_view import DiscordView  # noqa: PLC0415

        view = DiscordView(client, library)
        collector = Collector(
            view,
            CollectorParts(
                env=self._env,
                emit=self._emit,
                snapshots=self._config.collect.get("snapshots", True),
                snapshot_interval_s=self._config.snapshot_interval_s,
                cluster_id=self._config.cluster_id,
                instance_id=self._instance_id,
                health=self._engine.health,
                drain_soon=self._engine.drain_soon,
                figures=ProcessFigures(self._env),
            ),
        )
        adapter = DiscordAdapter(client, view, collector, self._debug)
        self._collector, self._adapter = collector, adapter
        adapter.install(
            library,
            self._config.collect,
            self._client_closed,
            capture=self._config.capture_unhandled_rejections,
        )

    async def _client_closed(self) -> None:
        self.emit_pending()
        await self._settled(self._config.shutdown_timeout_s)

    async def _settled(self, timeout_s: float) -> FlushResult:
        future: Future[FlushResult] = self._engine.flush_future()
        import asyncio  # noqa: PLC0415 -- whoever awaits this has imported it

        with contextlib.suppress(asyncio.TimeoutError):
            return await asyncio.wait_for(asyncio.wrap_future(future), max(0.0, timeout_s))
        return self._engine.result()

    def _emit(self, event: EventInput) -> None:
        if not self._child_is_watched:
            self._child_is_watched = True
            process.watch_child(self._end_of_child)
        if self._before_send is not None:
            changed = self._hooked(event)
            if changed is None:
                self._engine.lose("hook", event.type)
                return
            event = changed
        self._engine.enqueue(event)

    def _end_of_child(self) -> None:
        self.emit_pending()
        self.final_flush(self._config.shutdown_timeout_s)

    def _hooked(self, event: EventInput) -> EventInput | None:
        """What ``before_send`` makes of an event; None when it drops it, raises or is misused."""
        seen: HookEvent = {
            "type": event.type,
            "ts": self._iso.text(event.ts_ms),
            "guildId": event.guild_id,
            "channelId": event.channel_id,
            "userId": event.user_id,
            "data": dict(event.data),
        }
        try:
            answer: Any = None if self._before_send is None else self._before_send(seen)
            if isinstance(answer, CoroutineType):
                answer.close()
            if not isinstance(answer, dict) or not isinstance(answer.get("data"), Mapping):  # type: ignore[unknown-member]
                return None
            return EventInput(
                event.type,
                event.ts_ms,
                answer["data"],  # type: ignore[unknown-argument]
                answer.get("guildId"),  # type: ignore[unknown-argument]
                answer.get("channelId"),  # type: ignore[unknown-argument]
                answer.get("userId"),  # type: ignore[unknown-argument]
            )
        except Exception:
            return None

    def _warn(self, message: str) -> None:
        with contextlib.suppress(Exception):
            self._logger.warning(f"vendor_chat: {message}")

    def _debug(self, message: str) -> None:
        if self._config.debug:
            with contextlib.suppress(Exception):
                self._logger.debug(f"vendor_chat: {message}")

    def after_fork(self) -> None:
        """The child is a process of its own."""
        self._instance_id = str(uuid.uuid4())
        self._child_is_watched = False


def _sender_maker(config: Config) -> Callable[[], Sender]:
    # Imported here and not by the sending thread, which must import nothing: see the engine.
    from vendor_chat.core.http import HttpSender, Target  # noqa: PLC0415 -- decision 0063

    return lambda: HttpSender(Target(config.url, config.headers, config.request_timeout_s))


def _difference(before: Stats, after: Stats) -> FlushResult:
    return FlushResult(
        delivered=after.delivered - before.delivered,
        dropped=sum(after.dropped.values()) - sum(before.dropped.values()),
        queued=after.queued + after.in_flight,
        state=after.state,
    )


def _text_id(value: Any) -> str | None:
    return None if value is None else str(value)


_instances: weakref.WeakSet[Analytics] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for analytics in list(_instances):
        analytics.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
