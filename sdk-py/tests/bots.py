"""Clients of discord.py with the SDK attached, for the integration tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from simulator import Simulator, running, simulator, until
from sink import Sink, sink
from vendor_chat import Analytics

KINDS = ["Client", "AutoShardedClient", "Bot", "AutoShardedBot"]


def make_client(kind: str, intents: discord.Intents | None = None) -> Any:
    """A client of one of the four classes; the sharded ones ask the platform for the count."""
    intents = intents or discord.Intents.all()
    options: dict[str, Any] = {"intents": intents, "guild_ready_timeout": 0.3}
    classes: dict[str, Any] = {
        "Client": discord.Client,
        "AutoShardedClient": discord.AutoShardedClient,
        "Bot": partial(commands.Bot, "!"),
        "AutoShardedBot": partial(commands.AutoShardedBot, "!"),
    }
    client = classes[kind](**options)
    # The library waits 5 s before each identify but the first.
    client.before_identify_hook = _no_wait
    return client


async def _no_wait(_shard_id: int | None, *, initial: bool = False) -> None:
    await asyncio.sleep(0)


def tree_of(client: Any) -> Any:
    return getattr(client, "tree", None) or app_commands.CommandTree(client)


@dataclass
class World:
    """One simulation and one ingest server."""

    sim: Simulator
    server: Sink

    def analytics(self, **options: Any) -> Analytics:
        given: dict[str, Any] = {
            "api_key": "key",
            "endpoint": self.server.url,
            "flush_interval_ms": 100,
            "handle_signals": False,
            "debug": True,
        }
        return Analytics(**{**given, **options})

    @asynccontextmanager
    async def bot(
        self,
        client: Any,
        ready: Callable[[], Awaitable[None]] | None = None,
        **options: Any,
    ) -> AsyncGenerator[Analytics, None]:
        """Runs a client with the SDK attached; afterwards everything is sent."""
        analytics = self.analytics(**options).attach(client)
        async with running(client, ready):
            yield analytics
        await analytics.shutdown()

    async def event(self, type_: str, **data: Any) -> dict[str, Any]:
        """The first event of a type with these fields of ``data``; waits for it."""

        def found() -> Any:
            for event in self.server.of_type(type_):
                if all(event["data"].get(key) == value for key, value in data.items()):
                    return event
            return None

        return await until(found, f"{type_} {data}")

    async def caught_up(self, client: Any, analytics: Analytics) -> None:
        """Waits until the client has everything that was sent so far: dispatches keep order."""
        guilds = {guild.shard_id or 0: str(guild.id) for guild in client.guilds}
        collector: Any = analytics._collector
        for guild_id in guilds.values():
            record = await self.sim.call("users/slash", command="caught-up", guildId=guild_id)
            await until(lambda seen=record["id"]: seen in collector._recent, "the last dispatch")


@contextmanager
def world(**options: int) -> Generator[World, None, None]:
    with simulator(**{"guilds": 3, **options}) as sim, sink() as server:
        yield World(sim, server)


def run(main: Awaitable[None]) -> None:
    """Runs a test; errors of the library's tasks are not hidden by the loop's end."""

    async def bounded() -> None:
        await asyncio.wait_for(main, 60)

    asyncio.run(bounded())
