"""Attaches a collector to a discord.py client and takes everything back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from vendor_chat.collect.collector import Collector
from vendor_chat.collect.ticker import Ticker
from vendor_chat.discord.client_view import DiscordView
from vendor_chat.discord.failures import FailureHooks
from vendor_chat.discord.gateway import GatewayHooks, Hook
from vendor_chat.discord.patches import Patches
from vendor_chat.discord.rest import RestHooks
from vendor_chat.discord.trace import HttpTrace
from vendor_chat.options import Collect


class DiscordAdapter:
    """The hooks into one client."""

    def __init__(
        self,
        client: Any,
        view: DiscordView,
        collector: Collector,
        debug: Callable[[str], None],
    ) -> None:
        self.client = client
        self._view = view
        self._collector = collector
        self._debug = debug
        self._patches = Patches()
        self._failures = FailureHooks(client, collector)
        self._ticker: Ticker | None = None
        self._loop_patches = Patches()
        self._capture_loop = True
        self._trace = HttpTrace(client, collector)

    def install(
        self,
        library: Any,
        collect: Collect,
        on_closed: Callable[[], Awaitable[None]],
        *,
        capture: bool,
    ) -> None:
        interactions = collect.get("interactions", True)
        rest = RestHooks(
            self._collector,
            self._view,
            actions=collect.get("actions", True),
            interactions=interactions,
        )
        gateway = GatewayHooks(self.client, self._view, self._collector, self._quiet)
        if interactions:
            gateway.on_interaction = rest.remember
            self._failures.install_commands(library, self._patches)
        gateway.install(self._patches, gateway=collect.get("gateway", True))
        rest.install(self.client, library, self._patches)
        self._trace.install(self._patches)
        self._capture_loop = capture
        if capture:
            self._failures.install_events(self._patches)
        self._patches.wrap(self.client, "close", self._closing(on_closed))
        self._patches.wrap(self.client.http, "static_login", self._login)
        self._began(gateway)

    def detach(self) -> None:
        """Takes back every hook that is still ours."""
        self._leave_loop()
        self._patches.undo()

    def _began(self, gateway: GatewayHooks) -> None:
        """A client that runs already: start the clock on its loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._enter_loop(loop)
        for shard_id in gateway.was_ready():
            self._collector.shard_was_ready(shard_id)

    def _login(self, original: Any) -> Any:
        async def static_login(*args: Any, **kwargs: Any) -> Any:
            with contextlib.suppress(Exception):
                self._enter_loop(asyncio.get_running_loop())
            result = await original(*args, **kwargs)
            with contextlib.suppress(Exception):
                self._trace.join_session()
            return result

        return static_login

    def _enter_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._ticker is not None and self._ticker.loop is loop:
            return
        self._leave_loop()
        self._ticker = Ticker(loop, self._quiet(self._collector.tick))
        if self._capture_loop:
            self._failures.install_loop(loop, self._loop_patches)

    def _leave_loop(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        self._loop_patches.undo()

    def _closing(self, on_closed: Callable[[], Awaitable[None]]) -> Callable[[Any], Any]:
        """Flushes after the client has closed, so that what the closing causes is sent too."""

        def make(original: Any) -> Any:
            async def close(*args: Any, **kwargs: Any) -> Any:
                try:
                    return await original(*args, **kwargs)
                finally:
                    self._leave_loop()
                    with contextlib.suppress(Exception):
                        await on_closed()

            return close

        return make

    def _quiet(self, hook: Hook) -> Hook:
        """Nothing of the SDK may raise into the library."""

        def quiet(*args: Any) -> None:
            try:
                hook(*args)
            except Exception as error:
                self._debug(f"a hook failed: {type(error).__name__} in {hook.__qualname__}")

        return quiet
