"""An unmodified discord.py client against the simulated platform.

Usage: bot.py REST_URL GATEWAY_URL {plain,sharded}

Prints one JSON object a line for everything it sees. Ends on SIGTERM, after closing the client.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from typing import Any

import discord
import yarl
from discord import app_commands, ui


def say(event: str, **facts: Any) -> None:
    print(json.dumps({"event": event, **facts}), flush=True)


class Feedback(ui.Modal, title="Feedback"):
    text = ui.TextInput(label="What do you think?", custom_id="text")

    def __init__(self) -> None:
        super().__init__(custom_id="feedback")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Thank you.")
        say("handled", kind="modal", seen=self.text.value)


class Vote(ui.View):
    @ui.button(label="Yes", custom_id="vote:yes")
    async def yes(self, interaction: discord.Interaction, _: ui.Button) -> None:
        await interaction.response.edit_message(content="Voted")
        say("handled", kind="button")

    @ui.select(
        custom_id="vote:when",
        options=[discord.SelectOption(label=day) for day in ("today", "later")],
    )
    async def when(self, interaction: discord.Interaction, select: ui.Select) -> None:
        await interaction.response.defer()
        say("handled", kind="select", seen=select.values)


def add_commands(tree: app_commands.CommandTree) -> None:
    @tree.command()
    async def ping(interaction: discord.Interaction) -> None:
        """Pong."""
        await interaction.response.send_message("Pong", ephemeral=True)
        say("handled", kind="slash", seen="ping")

    @tree.command()
    async def report(interaction: discord.Interaction) -> None:
        """Takes a while."""
        await interaction.response.defer()
        await interaction.edit_original_response(content="Here it is.")
        more = await interaction.followup.send("And more.", wait=True)
        await more.delete()
        say("handled", kind="slash", seen="report")

    @tree.command()
    async def vote(interaction: discord.Interaction) -> None:
        """Asks."""
        await interaction.response.send_message("Vote", view=Vote())
        say("handled", kind="slash", seen="vote")

    @tree.command()
    async def feedback(interaction: discord.Interaction) -> None:
        """Shows a form."""
        await interaction.response.send_modal(Feedback())
        say("handled", kind="slash", seen="feedback")

    @tree.command()
    async def weather(interaction: discord.Interaction, place: str) -> None:
        """Has suggestions."""
        await interaction.response.send_message(place)
        say("handled", kind="slash", seen=place)

    @weather.autocomplete("place")
    async def suggest(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        say("handled", kind="autocomplete", seen=typed)
        return [app_commands.Choice(name="Harbour", value="harbour")]

    @tree.command()
    async def late(interaction: discord.Interaction) -> None:
        """Answers after the deadline."""
        await asyncio.sleep(1.8)
        try:
            await interaction.response.send_message("Too late")
        except discord.NotFound as error:
            say("refused", code=error.code)

    @tree.command()
    async def work(interaction: discord.Interaction) -> None:
        """Calls the REST API in many ways."""
        await interaction.response.defer()
        await do_actions(interaction)
        await interaction.followup.send("Done.")
        say("handled", kind="slash", seen="work")

    @tree.command()
    async def send(interaction: discord.Interaction) -> None:
        """Sends a message, whatever the platform says to it."""
        await interaction.response.defer()
        try:
            await interaction.channel.send("hello")
            say("sent")
        except discord.HTTPException as error:
            say("refused", status=error.status)

    @tree.context_menu(name="User info")
    async def user_info(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message("Noted.")
        say("handled", kind="context_menu", seen=str(member.id))

    @tree.context_menu(name="Bookmark")
    async def bookmark(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message("Noted.")
        say("handled", kind="context_menu", seen=message.content)


async def do_actions(interaction: discord.Interaction) -> None:
    guild, channel, member = interaction.guild, interaction.channel, interaction.user
    role = await guild.create_role(name="stage")
    await member.add_roles(role)
    await member.remove_roles(role)
    await member.edit(nick="nick")
    await member.timeout(discord.utils.utcnow())
    message = await channel.send("one")
    await message.edit(content="two")
    await message.pin()
    await message.add_reaction("👍")
    await message.clear_reactions()
    await message.create_thread(name="thread")
    hook = await channel.create_webhook(name="hook")
    await hook.send("from a hook", wait=True)
    others = [await channel.send("a"), await channel.send("b")]
    await channel.delete_messages(others)
    await channel.create_invite()
    room = await guild.create_text_channel("room")
    await room.edit(topic="topic")
    await room.set_permissions(role, send_messages=True)
    await room.delete()
    await message.delete()
    await member.create_dm()
    await guild.ban(member)
    await guild.unban(member)


class Watcher:
    """Reports everything of interest; mixed into both kinds of client."""

    tree: app_commands.CommandTree

    async def setup_hook(self) -> None:
        self.tree = app_commands.CommandTree(self)
        add_commands(self.tree)
        await self.tree.sync()

    async def on_ready(self) -> None:
        say("ready", guilds=len(self.guilds), latency=self.latency is not None)

    async def on_resumed(self) -> None:
        say("resumed")

    async def on_shard_ready(self, shard_id: int) -> None:
        say("shard_ready", shard=shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        say("shard_resumed", shard=shard_id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        say("guild_join", id=str(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        say("guild_remove", id=str(guild.id))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        say("guild_available", id=str(guild.id))

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        say("guild_unavailable", id=str(guild.id))

    async def on_message(self, message: discord.Message) -> None:
        say("message", content=message.content, shard=message.guild and message.guild.shard_id)

    async def on_socket_event_type(self, name: str) -> None:
        say("dispatch", name=name)


class PlainBot(Watcher, discord.Client):
    pass


class ShardedBot(Watcher, discord.AutoShardedClient):
    pass


async def main(rest_url: str, gateway_url: str, kind: str) -> None:
    discord.http.Route.BASE = f"{rest_url}/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    discord.utils.setup_logging(level=logging.WARNING)
    intents = discord.Intents.all()
    client = (PlainBot if kind == "plain" else ShardedBot)(
        intents=intents, guild_ready_timeout=0.3, enable_debug_events=True
    )
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    running = asyncio.create_task(client.start("sim.token.py"))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if running.done() and running.exception() is not None:
        say("ended", error=type(running.exception()).__name__)
    await client.close()
    say("closed")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
