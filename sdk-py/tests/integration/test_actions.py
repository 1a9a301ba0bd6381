"""22 actions by real calls of the library, and what the platform answers to them."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any, get_args

import discord
import pytest

from bots import make_client, run, world
from simulator import until
from vendor_chat._protocol import ActionType


async def everything(client: Any) -> str:
    """Calls of all 22 kinds; returns the id of the channel that was made and deleted."""
    guild = client.guilds[0]
    channel = guild.text_channels[0]
    member = next(m for m in guild.members if not m.bot and m != guild.owner)
    message = await channel.send("one")
    await message.edit(content="two")
    await message.add_reaction("👍")
    await message.remove_reaction("👍", client.user)
    await message.clear_reactions()
    await message.pin()
    thread = await message.create_thread(name="thread")
    await thread.edit(name="other", archived=True)
    await thread.delete()
    second, third = await channel.send("b"), await channel.send("c")
    await channel.delete_messages([second, third])
    await message.delete()
    role = await guild.create_role(name="role")
    await member.add_roles(role)
    await member.remove_roles(role)
    await member.edit(nick="name")
    await member.timeout(timedelta(minutes=5))
    await member.timeout(None)
    await (await member.create_dm()).send("x")
    made = await guild.create_text_channel("made")
    await made.edit(topic="topic", slowmode_delay=5)
    await made.set_permissions(role, send_messages=False)
    await made.set_permissions(role, overwrite=None)
    await made.create_invite(max_age=60)
    await made.delete()
    await member.ban()
    await guild.unban(discord.Object(member.id))
    other = next(m for m in guild.members if not m.bot and m not in (guild.owner, member))
    await other.kick()
    hook = await channel.create_webhook(name="hook")
    sent = await hook.send("by webhook", wait=True)
    await sent.edit(content="changed")
    await sent.delete()
    return str(made.id)


def test_22_kinds() -> None:
    async def main() -> None:
        client = make_client("Client")
        async with here.bot(client):
            ids["guild"] = str(client.guilds[0].id)
            ids["made"] = await everything(client)

    ids: dict[str, str] = {}
    with world() as here:
        run(main())
        actions = [e for e in here.server.events if e["type"].startswith("action_")]
        text = b"".join(request.raw for request in here.server.requests)
    counts = Counter(event["type"] for event in actions)
    assert set(counts) == set(get_args(ActionType))
    assert counts == {
        "action_message_send": 4,
        "action_message_edit": 2,
        "action_message_delete": 2,
        "action_message_bulk_delete": 1,
        "action_message_pin": 1,
        "action_reaction_add": 1,
        "action_reaction_remove": 2,
        "action_thread_create": 1,
        "action_webhook_send": 1,
        "action_dm_open": 1,
        "action_role_grant": 1,
        "action_role_revoke": 1,
        "action_member_ban": 1,
        "action_member_unban": 1,
        "action_member_kick": 1,
        "action_member_timeout": 2,
        "action_member_update": 1,
        "action_channel_create": 1,
        "action_channel_update": 4,
        "action_channel_delete": 2,
        "action_role_create": 1,
        "action_invite_create": 1,
    }
    by_type = {event["type"]: event for event in actions}
    assert all(event["data"]["success"] for event in actions)
    assert all(0 < event["data"]["latencyMs"] < 5_000 for event in actions)
    assert by_type["action_message_bulk_delete"]["data"]["count"] == 2
    assert by_type["action_member_update"]["data"]["fields"] == ["nick"]
    timeouts = [e["data"]["cleared"] for e in actions if e["type"] == "action_member_timeout"]
    assert timeouts == [False, True]
    assert by_type["action_webhook_send"]["data"]["via"] == "webhook"
    assert by_type["action_role_grant"]["guildId"] == ids["guild"]
    assert by_type["action_role_grant"]["userId"]
    assert by_type["action_reaction_add"]["guildId"] == ids["guild"]
    # The channel is gone when the answer comes; the guild was looked up before.
    deleted = {
        e["channelId"]: e.get("guildId") for e in actions if e["type"] == "action_channel_delete"
    }
    assert deleted[ids["made"]] == ids["guild"]
    assert by_type["action_reaction_add"]["data"]["shardId"] == 0
    assert b"by webhook" not in text


def test_refused_and_limited_calls() -> None:
    async def main() -> None:
        client = make_client("Client")
        async with here.bot(client, snapshot_interval_ms=1_000):
            channel = client.guilds[0].text_channels[0]
            route = "/channels/{id}/messages"

            async def fault(kind: str, **more: Any) -> None:
                await here.sim.call(
                    "rest/faults", kind=kind, method="POST", route=route, times=1, **more
                )

            await fault("rate-limit-bucket", retryAfterSeconds=0.3)
            await channel.send("waits")
            await fault("rate-limit-global", retryAfterSeconds=0.1)
            await channel.send("waits")
            await fault("rate-limit-shared", retryAfterSeconds=0.1)
            await channel.send("waits")
            await fault("rate-limit-edge", retryAfterSeconds=0.1)
            with pytest.raises(discord.HTTPException):
                await channel.send("refused")
            await fault("forbidden", code=50013)
            with pytest.raises(discord.Forbidden):
                await channel.send("refused")
            await fault("unauthorized")
            with pytest.raises(discord.HTTPException):
                await channel.send("refused")
            await until(lambda: total("rest401") == 1, "the counters in a heartbeat")

    expected = {
        "restRateLimitedGlobal": 1,
        "restRateLimitedBucket": 2,
        "restRateLimitedShared": 1,
        "restRateLimitedEdge": 1,
        "rest400": 0,
        "rest401": 1,
        "rest403": 1,
    }

    def total(name: str) -> int:
        return sum(event["data"][name] for event in here.server.of_type("heartbeat"))

    with world() as here:
        run(main())
        sends = [event["data"] for event in here.server.of_type("action_message_send")]
        totals = {name: total(name) for name in expected}
        ledger = here.sim.get("ledger")["rest"]
        requests = total("restRequests")
    assert [(s["success"], s["status"], s["errorCode"]) for s in sends[:3]] == [
        (True, None, None)
    ] * 3
    assert sends[0]["latencyMs"] > 250
    assert [s["status"] for s in sends[3:]] == [429, 403, 401]
    assert sends[4]["errorCode"] == 50013
    assert totals == expected
    attempts = sum(sum(by_status.values()) for by_status in ledger.values())
    # All but those of the last second, which no heartbeat carried any more.
    assert attempts - 2 <= requests <= attempts


def test_138_results_and_errors_pass_unchanged() -> None:
    async def main() -> None:
        client = make_client("Client")
        async with here.bot(client):
            channel = client.guilds[0].text_channels[0]
            assert (await channel.send("text")).content == "text"
            with pytest.raises(discord.NotFound) as found:
                await channel.fetch_message(1)
            assert found.value.status == 404
            sending = asyncio.create_task(channel.send("cancelled"))
            await asyncio.sleep(0)
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending

    with world() as here:
        run(main())


def test_actions_and_interactions_can_be_switched_off() -> None:
    async def main() -> None:
        client = make_client("Client")
        off: Any = {"actions": False, "interactions": False, "gateway": False, "snapshots": False}
        async with here.bot(client, collect=off):
            await client.guilds[0].text_channels[0].send("x")
            await here.sim.call("users/slash", command="none")
            await here.event("heartbeat")

    with world() as here:
        run(main())
        types = {event["type"] for event in here.server.events}
    assert types == {"shard_connect", "shard_ready", "shard_disconnect", "heartbeat"}
