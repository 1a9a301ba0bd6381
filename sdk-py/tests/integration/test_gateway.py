"""24 gateway counters, guilds, snapshots: what was counted equals what the platform sent."""

from __future__ import annotations

from collections import Counter
from typing import Any

import discord
import pytest

from bots import KINDS, World, make_client, run, world
from simulator import running, until
from vendor_chat._protocol import GATEWAY_KINDS

EVENTS = [
    "messageCreate",
    "messageUpdate",
    "messageDelete",
    "messageBulkDelete",
    "reactionAdd",
    "reactionRemove",
    "memberJoin",
    "memberLeave",
    "memberUpdate",
    "memberBan",
    "memberUnban",
    "channelCreate",
    "channelUpdate",
    "channelDelete",
    "threadCreate",
    "threadDelete",
    "roleCreate",
    "roleUpdate",
    "roleDelete",
    "voiceStateUpdate",
    "inviteCreate",
    "inviteDelete",
    "guildUpdate",
    "automodAction",
]
OF_DISPATCH = {kind.dispatch: type_ for type_, kind in GATEWAY_KINDS.items()}


def counted(here: World) -> Counter[tuple[int, str]]:
    """Counters by shard and type."""
    counts: Counter[tuple[int, str]] = Counter()
    for event in here.server.events:
        if event["type"].startswith("event_"):
            counts[event["data"]["shardId"], event["type"]] += event["data"]["count"]
    return counts


def sent(here: World) -> Counter[tuple[int, str]]:
    """The same from the ledger of the platform."""
    counts: Counter[tuple[int, str]] = Counter()
    for shard, dispatches in here.sim.get("ledger")["dispatches"].items():
        for name, count in dispatches.items():
            if name in OF_DISPATCH:
                counts[int(shard), OF_DISPATCH[name]] += count
    return counts


@pytest.mark.parametrize("kind", KINDS)
def test_24_kinds(kind: str) -> None:
    async def main() -> None:
        client = make_client(kind)
        async with here.bot(client) as analytics:
            for _ in range(2):
                for name in EVENTS:
                    await here.sim.call(f"events/{name}")
            for guild in client.guilds:
                await here.sim.call("events/messageCreate", guildId=str(guild.id))
            await here.sim.call("events/messageCreate", guildId=None)
            await here.caught_up(client, analytics)

    with world(shards=2 if "Sharded" in kind else 1) as here:
        run(main())
        expected, found = sent(here), counted(here)
    assert {type_ for _, type_ in expected} == set(GATEWAY_KINDS)
    assert found == expected
    assert {shard for shard, _ in found} == ({0, 1} if "Sharded" in kind else {0})


def test_windows_carry_their_length() -> None:
    async def main() -> None:
        client = make_client("Client")
        async with here.bot(client) as analytics:
            await here.sim.call("events/messageCreate")
            await here.caught_up(client, analytics)

    with world() as here:
        run(main())
        (event,) = here.server.of_type("event_message_create")
    assert 50 < event["data"]["windowMs"] < 10_000
    assert event["data"]["windowStart"] < event["ts"]


def test_139_nothing_is_hooked_for_intents_that_are_off() -> None:
    async def main() -> None:
        client = make_client("Client", discord.Intents(guilds=True))
        original = dict(client._connection.parsers)
        async with here.bot(client) as analytics:
            changed = {n for n, p in client._connection.parsers.items() if original.get(n) is not p}
            assert "MESSAGE_CREATE" not in changed
            assert "CHANNEL_CREATE" in changed
            await here.sim.call("events/messageCreate")
            await here.sim.call("events/channelCreate")
            await here.caught_up(client, analytics)
        assert client._connection.parsers == original

    with world() as here:
        run(main())
        assert counted(here) == {(0, "event_channel_create"): 1}


@pytest.mark.parametrize("kind", ["Client", "AutoShardedBot"])
def test_guilds_come_and_go(kind: str) -> None:
    async def main() -> None:
        client = make_client(kind)
        async with here.bot(client) as analytics:
            joined = (await here.sim.call("guilds/join"))["guildId"]
            await here.event("guild_join")
            await here.sim.call("guilds/outage", guildId=joined)
            await here.sim.call("guilds/restore", guildId=joined)
            await here.sim.call("guilds/leave", guildId=joined)
            await here.event("guild_leave")
            # All guilds fail and come back: neither joins nor leaves.
            for guild in list(client.guilds):
                await here.sim.call("guilds/outage", guildId=str(guild.id))
            for guild in list(client.guilds):
                await here.sim.call("guilds/restore", guildId=str(guild.id))
            await here.caught_up(client, analytics)

    with world(guilds=4, shards=2 if "Sharded" in kind else 1) as here:
        run(main())
        joins, leaves = here.server.of_type("guild_join"), here.server.of_type("guild_leave")
    assert len(joins) == len(leaves) == 1
    assert joins[0]["guildId"] == leaves[0]["guildId"]
    assert joins[0]["data"]["guildCount"] == 5
    assert leaves[0]["data"]["guildCount"] == 4
    assert joins[0]["data"]["name"] == leaves[0]["data"]["name"]


def test_guilds_that_changed_while_the_connection_was_down() -> None:
    async def main() -> None:
        client = make_client("Client")
        async with here.bot(client):
            left = str(client.guilds[0].id)
            await here.sim.call("gateway/refuseResume")
            await here.sim.call("gateway/refuseIdentify", **{"with": "invalid-session", "times": 1})
            await here.sim.call("gateway/close", code=4000)
            await here.sim.call("guilds/leave", guildId=left)
            await here.sim.call("guilds/join")
            await here.event("guild_leave")
            await here.event("guild_join")

    with world(guilds=3) as here:
        run(main())
        (join,) = here.server.of_type("guild_join")
        (leave,) = here.server.of_type("guild_leave")
    assert leave["data"]["name"]
    assert join["data"]["guildCount"] == 3
    assert join["guildId"] != leave["guildId"]


def test_snapshots() -> None:
    async def main() -> None:
        client = make_client("AutoShardedClient")
        async with here.bot(client, snapshot_interval_ms=1_000, cluster_id=7) as analytics:
            await client.fetch_channel(client.guilds[0].text_channels[0].id)
            await until(
                lambda: len(here.server.of_type("heartbeat")) >= 4, "2 rounds of heartbeats"
            )
            await until(
                lambda: len(here.server.of_type("guild_snapshot")) >= 10, "a round of guilds"
            )
            adapter: Any = analytics._adapter
            adapter._collector._snapshots._routes()

    with world(guilds=8, shards=2) as here:
        run(main())
        beats = [e["data"] for e in here.server.of_type("heartbeat")]
        guilds = here.server.of_type("guild_snapshot")
        (routes,) = here.server.of_type("api_routes_snapshot")
    assert {beat["shardId"] for beat in beats} == {0, 1}
    assert next(beat["intervalMs"] for beat in beats if beat["shardId"] == 1) == 0
    later = [b for b in beats if b["intervalMs"] > 0]
    assert all(900 <= beat["intervalMs"] <= 1_600 for beat in later)
    for beat in beats:
        assert beat["primary"] == (beat["shardId"] == 0)
        assert (beat["memoryMb"] > 10) == beat["primary"]
        assert beat["guildCount"] == 4
        assert beat["clusterId"] == "7"
        assert beat["shardCount"] == 2
        assert beat["library"] == "discord.py"
        assert beat["shardStatus"] == "ready"
    assert any(beat["eventLoopDelayP95Ms"] is not None for beat in beats)
    assert all(beat["wsPingMs"] is None or beat["wsPingMs"] > 0 for beat in beats)
    assert sum(beat["restRequests"] for beat in beats if beat["shardId"] == 1) == 0
    assert len({guild["guildId"] for guild in guilds}) == 8
    assert all(guild["data"]["memberCount"] > 0 for guild in guilds)
    assert all(guild["data"]["onlineCount"] is not None for guild in guilds)
    assert routes["data"]["total"] == sum(route["count"] for route in routes["data"]["routes"])
    assert {"method": "GET", "route": "/channels/{id}", "count": 1} in routes["data"]["routes"]


def test_135_137_attach_after_ready_and_detach() -> None:
    async def main() -> None:
        client = make_client("AutoShardedClient")
        own: dict[str, Any] = {name: getattr(client, name) for name in ("dispatch", "close")}
        request, parsers = client.http.request, dict(client._connection.parsers)
        async with running(client):
            analytics = here.analytics().attach(client)
            assert analytics.attach(client) is analytics
            first = {**client.__dict__}["dispatch"]
            analytics.attach(client)
            assert client.__dict__["dispatch"] is first
            await until(lambda: len(here.server.of_type("heartbeat")) == 2, "heartbeats of both")
            await here.sim.call("events/messageCreate")
            await client.guilds[0].text_channels[0].send("x")
            await here.event("action_message_send")
            await here.sim.call("gateway/close", code=4000, shardId=1)
            await here.event("shard_disconnect", shardId=1)
            await here.event("shard_resume", shardId=1)
            analytics.detach()
            assert client.http.request == request
            assert client._connection.parsers == parsers
            assert {name: getattr(client, name) for name in own} == own
            await client.guilds[0].text_channels[0].send("unseen")
            await analytics.shutdown()

    with world(shards=2) as here:
        run(main())
        assert len(here.server.of_type("action_message_send")) == 1
        assert (
            counted(here)[0, "event_message_create"] + counted(here)[1, "event_message_create"] >= 1
        )


def test_137_a_later_wrapper_of_others_stays() -> None:
    client = make_client("Client")
    with world() as here:
        analytics = here.analytics().attach(client)
        inner = client.http.request

        def outer(*args: Any, **kwargs: Any) -> Any:
            return inner(*args, **kwargs)

        client.http.request = outer
        analytics.detach()
        assert client.http.request is outer
        analytics.close()


def test_130_extension() -> None:
    async def main() -> None:
        bot: Any = make_client("Bot")
        bot.vendor_chat_options = {"api_key": "key", "endpoint": here.server.url}
        async with running(bot):
            await bot.load_extension("vendor_chat.ext")
            await here.event("heartbeat")
            await bot.guilds[0].text_channels[0].send("x")
        assert bot.vendor_chat.stats().state == "closed"

    with world() as here:
        run(main())
        # Sent by the unloading, long before the flush interval of 5 s.
        assert len(here.server.of_type("action_message_send")) == 1


def test_140_a_failing_collector_disturbs_nobody() -> None:
    seen: list[str] = []

    async def main() -> None:
        client = make_client("Client")

        @client.event
        async def on_message(_message: Any) -> None:
            seen.append("message")

        def broken(*_: Any, **__: Any) -> Any:
            raise RuntimeError("collector")

        async with here.bot(client) as analytics:
            collector: Any = analytics._collector
            for name in (
                "dispatch",
                "interaction",
                "rest_call",
                "http_attempt",
                "shard",
                "guild",
                "tick",
            ):
                setattr(collector, name, broken)
            await here.sim.call("events/messageCreate")
            message = await client.guilds[0].text_channels[0].send("x")
            assert message.content == "x"
            await here.sim.call("guilds/join")
            await until(lambda: len(client.guilds) == 4, "the guild")
            await until(lambda: seen, "the handler")

    with world() as here:
        run(main())
