"""The examples, run as they are on chat-sim."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from simulator import Simulator, simulator
from sink import Sink, sink

_EXAMPLES = Path(__file__).parents[2] / "examples"
# Points discord.py at chat-sim, then runs the example as the main program.
_RUN = """
import os, runpy, sys, yarl
from discord import gateway, http
http.Route.BASE = os.environ["CHAT_SIM_REST"] + "/v10"
gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["CHAT_SIM_GATEWAY"])
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def start(name: str, sim: Simulator, server: Sink) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "CHAT_SIM_REST": sim.rest_url,
        "CHAT_SIM_GATEWAY": sim.gateway_url,
        "BOT_ANALYTICS_API_KEY": "key",
        "BOT_ANALYTICS_ENDPOINT": server.url,
        "DISCORD_TOKEN": "a.test.token",
    }
    return subprocess.Popen(
        [sys.executable, "-c", _RUN, str(_EXAMPLES / name)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("cogs.py", signal.SIGTERM),
        ("sharded_client.py", signal.SIGINT),
        ("extension.py", signal.SIGINT),
        ("demo_bot.py", signal.SIGTERM),
    ],
)
def test_example_reports_and_ends(name: str, end: signal.Signals) -> None:
    with simulator(guilds=2) as sim, sink() as server:
        child = start(name, sim, server)
        try:
            server.wait(lambda: server.of_type("heartbeat"), "a heartbeat", 20)
            for _ in range(5):
                sim.post("events/messageCreate")
            sim.post("guilds/join")
            # Dispatches keep their order, so the messages are counted when this one arrives.
            server.wait(lambda: server.of_type("guild_join"), "the last dispatch", 20)
            child.send_signal(end)
            _, err = child.communicate(timeout=15)
        finally:
            child.kill()
        counted = sum(e["data"]["count"] for e in server.of_type("event_message_create"))
    assert counted == 5
    assert "vendor_chat" not in err.replace("/vendor_chat/", "")
    assert child.returncode in ((-end,) if end == signal.SIGTERM else (0, 1, -end))


def test_the_demo_bot_at_work() -> None:
    with simulator(guilds=4, shards=2) as sim, sink() as server:
        child = start("demo_bot.py", sim, server)
        try:
            server.wait(lambda: len(server.of_type("heartbeat")) == 2, "both heartbeats", 20)
            sim.post("activity/step", steps=60)
            server.wait(lambda: len({e["type"] for e in server.events}) >= 10, "its work", 30)
        finally:
            child.send_signal(signal.SIGTERM)
            child.communicate(timeout=15)
        types = {event["type"] for event in server.events}
    assert {"interaction_slash", "interaction_autocomplete", "event_message_create"} <= types
