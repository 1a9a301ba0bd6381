"""Heartbeats of several shards in one process, with a hand-turned clock. catalogue.md A5."""

from __future__ import annotations

from typing import Any

from rig import Clock
from vendor_chat.collect.adapter import ShardView
from vendor_chat.collect.process_figures import Figures
from vendor_chat.collect.snapshots import Snapshots, SnapshotSources


class _Client:
    library = "discord.py"
    library_version = "2"

    def __init__(self) -> None:
        self.pings: dict[int, float | None] = {}

    def shards(self) -> list[ShardView]:
        return [ShardView(id_, "ready", ping, 1, 0) for id_, ping in self.pings.items()]

    def shard_count(self) -> int:
        return 2

    def guild_ids(self) -> list[str]:
        return []


class _Process:
    def take(self) -> Figures:
        return Figures(50.0, 1.0, None)

    def take_counts(self) -> dict[str, int]:
        return {"restRequests": 3}


class _Bot:
    def __init__(self) -> None:
        self.clock = Clock()
        self.client: Any = _Client()
        self.beats: list[Any] = []
        process: Any = _Process()
        self.snapshots = Snapshots(
            SnapshotSources(
                env=self.clock.env(),
                emit=lambda event: self.beats.append(event.data),
                client=self.client,
                rest=process,
                figures=process,
                instance_id="i",
                cluster_id=None,
                health=lambda: (0, 0),
                interval_s=60,
                all=False,
            )
        )

    def ready(self, shard_id: int, ping_ms: float | None) -> None:
        self.client.pings[shard_id] = ping_ms
        self.snapshots.shard_ready(shard_id)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.advance(0.1)
            self.snapshots.tick(self.clock.mono_s)

    def told(self, name: str) -> list[Any]:
        return [(beat["shardId"], beat[name]) for beat in self.beats]


def test_the_shard_that_becomes_lowest_takes_the_figures_of_the_process_at_once() -> None:
    bot = _Bot()
    bot.ready(1, 20.0)
    bot.ready(0, 20.0)
    assert bot.told("primary") == [(1, True), (1, False), (0, True)]
    assert sum(beat["memoryMb"] > 0 for beat in bot.beats[1:]) == 1
    del bot.beats[:]
    bot.run(60.1)
    assert sorted(bot.told("primary")) == [(0, True), (1, False)]


def test_a_first_ping_shows_within_a_second_and_only_once() -> None:
    bot = _Bot()
    bot.ready(0, None)
    bot.ready(1, 20.0)
    bot.run(41)
    assert bot.told("wsPingMs") == [(0, None), (1, 20.0)]
    bot.client.pings[0] = 35.0
    bot.run(1.1)
    assert bot.told("wsPingMs")[2:] == [(0, 35.0)]
    bot.run(10)
    assert len(bot.beats) == 3
    assert bot.beats[2]["restRequests"] == 3


def test_a_shard_that_is_ready_again_beats_at_once() -> None:
    bot = _Bot()
    bot.ready(0, 20.0)
    bot.run(5)
    bot.ready(0, 20.0)
    assert bot.told("intervalMs") == [(0, 0), (0, 5_000)]
