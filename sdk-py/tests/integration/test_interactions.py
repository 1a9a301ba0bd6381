"""Six kinds of interaction, their answers, and the errors of their handlers."""

from __future__ import annotations

import asyncio
import io
import logging
from typing import Any

import discord
import pytest
from discord import app_commands, http, ui
from discord.ext import commands

from bots import KINDS, make_client, run, tree_of, world
from simulator import until


class Panel(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.failures: list[Exception] = []

    @ui.button(label="yes", custom_id="vote:123456789012345678")
    async def vote(self, interaction: Any, _button: Any) -> None:
        await interaction.response.defer()

    @ui.button(label="break", custom_id="break")
    async def broken(self, interaction: Any, _button: Any) -> None:
        raise LookupError("button")

    @ui.select(custom_id="colour", options=[discord.SelectOption(label="red")])
    async def colour(self, interaction: Any, _select: Any) -> None:
        await interaction.response.edit_message(content="red")

    async def on_error(self, _interaction: Any, error: Exception, _item: Any) -> None:  # type: ignore[override]
        self.failures.append(error)


class Form(ui.Modal, title="Form"):
    text: Any = ui.TextInput(label="text", custom_id="text")

    def __init__(self) -> None:
        super().__init__(custom_id="form")

    async def on_submit(self, interaction: Any) -> None:
        if str(self.text) == "break":
            raise OSError("modal")
        await interaction.response.send_message("thanks", ephemeral=True)


def build(client: Any) -> tuple[Any, Panel]:
    tree, panel = tree_of(client), Panel()
    client.add_view(panel)

    @tree.command(name="ping", description="x")
    async def ping(interaction: Any) -> None:
        await interaction.response.send_message("pong")
        await interaction.followup.send("again")
        await interaction.edit_original_response(content="changed")
        await interaction.delete_original_response()

    @tree.command(name="form", description="x")
    async def form(interaction: Any) -> None:
        await interaction.response.send_modal(Form())

    @tree.command(name="panel", description="x")
    async def show(interaction: Any) -> None:
        await interaction.response.send_message("panel", view=panel)

    group = app_commands.Group(name="config", description="x")

    @group.command(name="set", description="x")
    async def config_set(interaction: Any, key: str) -> None:
        await interaction.response.defer(ephemeral=True)

    async def suggest(_interaction: Any, current: str) -> list[Any]:
        if current == "break":
            raise KeyError("autocomplete")
        return [app_commands.Choice(name="a", value="a")]

    config_set.autocomplete("key")(suggest)
    tree.add_command(group)

    @tree.context_menu(name="Greet")
    async def greet(interaction: Any, member: discord.Member) -> None:
        await interaction.response.send_message("hi")

    @tree.context_menu(name="Keep")
    async def keep(interaction: Any, message: discord.Message) -> None:
        raise ZeroDivisionError("menu")

    @tree.command(name="silent", description="x")
    async def silent(_interaction: Any) -> None:
        await asyncio.sleep(0)

    @tree.command(name="late", description="x")
    async def late(interaction: Any) -> None:
        await asyncio.sleep(0.8)
        await interaction.response.send_message("late")

    @tree.command(name="twice", description="x")
    async def twice(interaction: Any) -> None:
        await interaction.response.send_message("one")
        await interaction.response.send_message("two")

    @tree.command(name="file", description="x")
    async def file(interaction: Any) -> None:
        await interaction.response.send_message(file=discord.File(io.BytesIO(b"x"), "x.txt"))

    @tree.command(name="raw", description="x")
    async def raw(interaction: Any) -> None:
        route = http.Route(
            "POST",
            "/interactions/{interaction_id}/{interaction_token}/callback",
            interaction_id=interaction.id,
            interaction_token=interaction.token,
        )
        await client.http.request(route, json={"type": 4, "data": {"content": "raw"}})

    return tree, panel


@pytest.mark.parametrize("kind", KINDS)
def test_six_kinds(kind: str) -> None:
    async def main() -> None:
        client = make_client(kind)
        build(client)
        async with here.bot(client):
            sim = here.sim
            await sim.call("users/slash", command="ping", wait=True)
            await sim.call("users/slash", command="config set", options={"key": "a"}, wait=True)
            await sim.call(
                "users/autocomplete", command="config set", options={"key": "a"}, wait=True
            )
            await sim.call("users/userMenu", command="Greet", wait=True)
            await sim.call("users/slash", command="panel", wait=True)
            await sim.call("users/button", customId="vote:123456789012345678", wait=True)
            await sim.call("users/select", customId="colour", values=["red"], wait=True)
            await sim.call("users/slash", command="form", wait=True)
            await sim.call("users/modal", customId="form", fields={"text": "fine"}, wait=True)
            await here.event("interaction_modal")

    with world(shards=2 if "Sharded" in kind else 1) as here:
        run(main())
        events = [e for e in here.server.events if e["type"].startswith("interaction_")]
        records = {record["id"]: record for record in here.sim.get("interactions")}
    rows = [
        (
            e["type"],
            e["data"]["commandName"],
            e["data"]["interactionKind"],
            e["data"]["responseKind"],
        )
        for e in events
    ]
    assert rows == [
        ("interaction_slash", "ping", "slash", "reply"),
        ("interaction_slash", "config set", "slash", "defer"),
        ("interaction_autocomplete", "config set", "autocomplete", "autocomplete"),
        ("interaction_context_menu", "Greet", "user_context", "reply"),
        ("interaction_slash", "panel", "slash", "reply"),
        ("interaction_button", "vote:{id}", "button", "defer_update"),
        ("interaction_select", "colour", "string_select", "update"),
        ("interaction_slash", "form", "slash", "modal"),
        ("interaction_modal", "form", "modal", "reply"),
    ]
    for event, record in zip(events, records.values(), strict=True):
        data = event["data"]
        assert data["success"] is True
        assert data["timedOut"] is False
        assert data["errorCode"] is None
        assert 0 < data["latencyMs"] < 2_000
        assert data["latencyMs"] <= record["answeredAfterMs"] + 100
        assert data["shardId"] == record["shardId"]
        assert event["guildId"] == record["guildId"]
        assert event["userId"] == record["userId"]
        assert event["channelId"] == record["channelId"]


def test_edges_and_failures(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree_errors: list[Exception] = []

    async def main() -> None:
        # 15 s of waiting are not for a test.
        monkeypatch.setattr("vendor_chat._protocol.INTERACTION_TIMEOUT_S", 1.5)
        client = make_client("Client")
        tree, panel = build(client)

        @tree.error
        async def on_error(_interaction: Any, error: Exception) -> None:
            tree_errors.append(error)

        async with here.bot(client):
            sim = here.sim
            await sim.call("users/slash", command="twice", wait=True)
            await sim.call("users/slash", command="file", wait=True)
            await sim.call("users/slash", command="raw", wait=True)
            await sim.call("users/slash", command="silent")
            await sim.call("users/slash", command="unknown")
            await sim.call("users/messageMenu", command="Keep")
            await sim.call("users/autocomplete", command="config set", options={"key": "break"})
            await sim.call("users/slash", command="panel", wait=True)
            await sim.call("users/button", customId="break")
            await until(lambda: panel.failures, "the view's own handler")
            await sim.call("users/slash", command="form", wait=True)
            await sim.call("users/modal", customId="form", fields={"text": "break"})
            await sim.call(
                "rest/faults",
                kind="forbidden",
                code=50013,
                route="/interactions/{id}/{token}/callback",
                times=1,
            )
            await sim.call("users/slash", command="ping")
            await here.event("interaction_slash", commandName="silent")
            await here.event("command_error", name="OSError")
            await here.event("command_error", phase="reply", code=50013)

    with world() as here:
        run(main())
        inputs = {
            e["data"]["commandName"]: e["data"]
            for e in here.server.events
            if e["type"].startswith("interaction_")
        }
        errors = [e["data"] for e in here.server.of_type("command_error")]
        canaries = b"".join(request.raw for request in here.server.requests)
    assert inputs["file"]["responseKind"] == "reply"
    assert inputs["raw"]["responseKind"] == "reply"
    silent = inputs["silent"]
    assert (silent["success"], silent["timedOut"], silent["latencyMs"]) == (False, True, None)
    ping = inputs["ping"]
    assert (ping["success"], ping["timedOut"], ping["errorCode"]) == (False, False, 50013)
    rows = sorted((e["name"], e["phase"], e["commandName"], e["interactionKind"]) for e in errors)
    assert rows == [
        ("CommandNotFound", "handler", "unknown", "slash"),
        ("Forbidden", "reply", "ping", "slash"),
        ("InteractionResponded", "reply", "twice", "slash"),
        ("KeyError", "handler", "config set", "autocomplete"),
        ("LookupError", "handler", "break", "button"),
        ("OSError", "handler", "form", "modal"),
        ("ZeroDivisionError", "handler", "Keep", "message_context"),
    ]
    # The bot's own handler and the library's own reporting saw them all the same.
    names = sorted(type(error).__name__ for error in tree_errors)
    assert names == ["CommandInvokeError"] * 3 + ["CommandNotFound"]
    reported = [record.name for record in caplog.records if record.levelno == logging.ERROR]
    assert "discord.ui.modal" in reported or "discord.ui.view" in reported
    # discord.py 2.0 leaves the failure of an autocomplete to the task.
    assert "discord.app_commands.tree" in reported or "asyncio" in reported
    # Privacy: neither the text of the bot nor that of its users.
    assert b"pong" not in canaries
    assert b'"fine"' not in canaries


@pytest.mark.skipif(not hasattr(ui, "DynamicItem"), reason="discord.py 2.4 brought it")
def test_failures_of_dynamic_items(caplog: pytest.LogCaptureFixture) -> None:
    class Poll(ui.DynamicItem[Any], template=r"poll:(?P<what>[a-z]+)"):
        def __init__(self, what: str) -> None:
            button: Any = ui.Button(label=what, custom_id=f"poll:{what}")
            super().__init__(button)
            self.what = what

        @classmethod
        async def from_custom_id(cls, _interaction: Any, _item: Any, match: Any, /) -> Poll:
            if match["what"] == "make":
                raise KeyError("from_custom_id")
            return cls(match["what"])

        async def interaction_check(self, _interaction: Any, /) -> bool:
            if self.what == "check":
                raise PermissionError("interaction_check")
            return True

        async def callback(self, interaction: Any) -> None:
            if self.what == "call":
                raise LookupError("callback")
            await interaction.response.defer()

    async def main() -> None:
        client = make_client("Client")
        client.add_dynamic_items(Poll)
        async with here.bot(client):
            await here.sim.call("users/button", customId="poll:fine", wait=True)
            for what in ("make", "check", "call"):
                await here.sim.call("users/button", customId=f"poll:{what}")
            await until(lambda: len(here.server.of_type("command_error")) == 3, "three failures")

    with world() as here:
        run(main())
        errors = [e["data"] for e in here.server.of_type("command_error")]
        (fine,) = [
            e["data"]
            for e in here.server.of_type("interaction_button")
            if e["data"]["commandName"] == "poll:fine"
        ]
    assert fine["success"] is True
    rows = sorted((e["name"], e["phase"], e["commandName"], e["interactionKind"]) for e in errors)
    assert rows == [
        ("KeyError", "handler", "poll:make", "button"),
        ("LookupError", "handler", "poll:call", "button"),
        ("PermissionError", "handler", "poll:check", "button"),
    ]
    # The library's own reporting goes on; it has none for the check.
    assert [r.name for r in caplog.records if r.levelno == logging.ERROR] == ["discord.ui.view"] * 2


def test_timed_out_then_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr("vendor_chat._protocol.INTERACTION_TIMEOUT_S", 0.3)
        client = make_client("Client")
        build(client)
        async with here.bot(client):
            await here.sim.call("users/slash", command="late", wait=True)

    with world() as here:
        run(main())
        (event,) = here.server.of_type("interaction_slash")
    assert (event["data"]["timedOut"], event["data"]["success"]) == (True, False)


def test_open_interaction_at_the_end() -> None:
    async def main() -> None:
        client = make_client("Client")
        build(client)
        async with here.bot(client) as analytics:
            await here.sim.call("users/slash", command="silent")
            await here.caught_up(client, analytics)

    with world() as here:
        run(main())
        event = here.server.of_type("interaction_slash")[0]
    assert event["data"]["commandName"] == "silent"
    assert (event["data"]["timedOut"], event["data"]["success"]) == (False, False)


def test_prefix_commands_and_events() -> None:
    handled: list[str] = []

    async def main() -> None:
        client = make_client("Bot")

        @client.command()
        async def broken(_context: Any) -> None:
            raise ValueError("prefix")

        @client.event
        async def on_message(message: Any) -> None:
            handled.append("event")
            await client.process_commands(message)

        @client.listen("on_message")
        async def listener(message: Any) -> None:
            handled.append("listener")
            if message.content == "raise":
                raise RuntimeError("listener")

        @client.listen("on_command_error")
        async def failed(_context: Any, error: Exception) -> None:
            handled.append(type(error).__name__)

        class Cog(commands.Cog):
            @commands.Cog.listener()
            async def on_message(self, _message: Any) -> None:
                handled.append("cog")

        async with here.bot(client):
            await client.add_cog(Cog())
            await here.sim.call("events/messageCreate", content="!broken")
            await here.sim.call("events/messageCreate", content="raise")
            await here.event("command_error")
            await here.event("error")
            asyncio.get_running_loop().create_task(fail())
            await here.event("error", origin="asyncio")

    async def fail() -> None:
        raise OSError("task")

    with world() as here:
        run(main())
        (command,) = here.server.of_type("command_error")
        errors = {e["data"]["name"]: e["data"] for e in here.server.of_type("error")}
    assert (command["data"]["name"], command["data"]["commandName"]) == ("ValueError", "broken")
    assert command["guildId"]
    assert sorted(handled) == sorted(["event", "listener", "cog"] * 2 + ["CommandInvokeError"])
    assert (errors["RuntimeError"]["origin"], errors["RuntimeError"]["handled"]) == (
        "event_handler",
        True,
    )
    assert (errors["OSError"]["origin"], errors["OSError"]["handled"]) == ("asyncio", False)
