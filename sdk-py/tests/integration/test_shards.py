"""The life of connections: what each class of client reports, without double counting."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from bots import KINDS, World, make_client, run, world
from simulator import running, until


def shards(here: World) -> list[tuple[str, int]]:
    events = [e for e in here.server.events if e["type"].startswith("shard_")]
    return [(event["type"].removeprefix("shard_"), event["data"]["shardId"]) for event in events]


@pytest.mark.parametrize("kind", KINDS)
def test_resume_and_new_session(kind: str) -> None:
    last = 1 if "Sharded" in kind else 0

    async def main() -> None:
        client = make_client(kind)
        async with here.bot(client):
            await until(lambda: ("ready", last) in shards(here), "ready")
            await here.sim.call("gateway/close", code=4000, shardId=last)
            await until(lambda: ("resume", last) in shards(here), "the resume")
            await here.sim.call("gateway/reconnect", shardId=last)
            await until(lambda: shards(here).count(("resume", last)) == 2, "the second resume")
            await here.sim.call("gateway/invalidSession", resumable=False, shardId=last)
            await until(lambda: shards(here).count(("ready", last)) == 2, "the new session")
            await here.sim.call("gateway/kill", shardId=last)
            await until(lambda: shards(here).count(("resume", last)) == 3, "the third resume")

    with world(shards=last + 1) as here:
        run(main())
        counts = Counter(shards(here))
        resumes = [e["data"] for e in here.server.of_type("shard_resume")]
        downs = [e["data"] for e in here.server.of_type("shard_disconnect")]
        ledger = here.sim.get("ledger")["shards"][str(last)]
    assert counts["connect", last] == ledger["identifies"] == 2
    assert counts["ready", last] == 2
    assert counts["resume", last] == ledger["resumes"] == 3
    at_the_end = 0 if "Sharded" in kind else 1
    assert counts["disconnect", last] == 4 + at_the_end
    assert counts["reconnect", last] >= 4
    if last:
        assert counts["connect", 0] == counts["ready", 0] == 1
        assert counts["disconnect", 0] == counts["reconnect", 0] == 0
    assert all(resume["downMs"] > 0 and resume["replayedEvents"] is None for resume in resumes)
    assert [down["willReconnect"] for down in downs] == [True] * 4 + [False] * at_the_end
    assert all(down["shardCount"] == last + 1 for down in downs)


@pytest.mark.parametrize("kind", ["Client", "AutoShardedClient"])
def test_a_refused_resume_is_a_connection_of_its_own(kind: str) -> None:
    async def main() -> None:
        client = make_client(kind)
        async with here.bot(client):
            await until(lambda: ("ready", 0) in shards(here), "ready")
            await here.sim.call("gateway/refuseResume", shardId=0)
            await here.sim.call("gateway/close", code=4000, shardId=0)
            await until(lambda: shards(here).count(("ready", 0)) == 2, "the new session")
            at_that_time.append(Counter(shards(here)))

    at_that_time: list[Counter[tuple[str, int]]] = []
    with world() as here:
        run(main())
        ledger = here.sim.get("ledger")["shards"]["0"]
    counts = at_that_time[0]
    assert counts["disconnect", 0] == counts["reconnect", 0] == 2
    assert ledger["resumesRefused"] == 1


def test_missed_events_are_counted_once_after_a_resume() -> None:
    async def main() -> None:
        client = make_client("Client")
        async with here.bot(client) as analytics:
            await until(lambda: ("ready", 0) in shards(here), "ready")
            for _ in range(3):
                await here.sim.call("events/messageCreate")
            await here.sim.call("gateway/close", code=4000)
            for _ in range(4):
                await here.sim.call("events/messageCreate")
            await until(lambda: ("resume", 0) in shards(here), "the resume")
            await here.caught_up(client, analytics)

    with world() as here:
        run(main())
        count = sum(e["data"]["count"] for e in here.server.of_type("event_message_create"))
        sent = here.sim.get("ledger")["dispatches"]["0"]["MESSAGE_CREATE"]
    assert count == sent == 7


def test_close_flushes_and_the_loop_is_left_alone() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        handled: list[Any] = []
        loop.set_exception_handler(lambda _loop, context: handled.append(context))
        before = loop.get_exception_handler()
        client = make_client("Bot")
        analytics = here.analytics(flush_interval_ms=60_000).attach(client)
        async with running(client):
            await client.guilds[0].text_channels[0].send("x")
            loop.call_exception_handler({"message": "m", "exception": ValueError("task")})
        assert loop.get_exception_handler() is before
        assert [str(context["exception"]) for context in handled] == ["task"]
        assert len(here.server.of_type("action_message_send")) == 1
        assert here.server.of_type("error")[0]["data"]["origin"] == "asyncio"
        assert analytics.stats().queued == 0
        await analytics.shutdown()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert [task for task in left if "vendor" in repr(task)] == []

    with world() as here:
        run(main())


def test_hung_server_does_not_slow_the_loop_or_the_close() -> None:
    async def main() -> None:
        here.server.default = here.server.hang()
        client = make_client("Client")
        analytics = here.analytics(shutdown_timeout_ms=300).attach(client)
        loop = asyncio.get_running_loop()
        worst_s = 0.0
        async with running(client):
            here.server.wait_requests(1)
            for _ in range(50):
                for _ in range(20):
                    analytics.capture_error(ValueError("x"))
                began_s = loop.time()
                await asyncio.sleep(0.005)
                worst_s = max(worst_s, loop.time() - began_s - 0.005)
            began_s = loop.time()
        assert loop.time() - began_s < 1.5
        assert worst_s < 0.1
        await analytics.shutdown()

    with world() as here:
        run(main())
