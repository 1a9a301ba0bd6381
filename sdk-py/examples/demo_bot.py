"""A discord.py bot with everything: commands, autocomplete, buttons, menus, forms, roles, mistakes.

Environment: CHAT_SIM_REST (``http://127.0.0.1:P/api``) and CHAT_SIM_GATEWAY
(``ws://127.0.0.1:P/gateway``) point it at chat-sim; without them it logs in to the real platform.
DISCORD_TOKEN, BOT_ANALYTICS_API_KEY, BOT_ANALYTICS_ENDPOINT; DEMO_SHARDS is the number of shards.
"""

from __future__ import annotations

import asyncio
import os
import random
from typing import Any

import discord
import yarl
from discord import app_commands, gateway, http, ui
from discord.ext import commands

import vendor_chat

PLACES = ["Harbour", "Meadow", "Quarry", "Summit", "Reef", "Marsh"]
KEYS = ["colour", "language", "greeting"]
FAILURE, FORGOTTEN, CHAT = 0.02, 0.005, 0.05
dice = random.Random(int(os.environ.get("DEMO_SEED", "1")))


class Feedback(ui.Modal, title="Feedback"):
    text: ui.TextInput[Any] = ui.TextInput(
        label="What do you think?", custom_id="text", required=False
    )

    def __init__(self) -> None:
        super().__init__(custom_id="feedback", timeout=None)

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("Thank you.", ephemeral=True)


class Poll(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="yes", custom_id="poll:yes")
    async def yes(self, interaction: discord.Interaction[Any], _button: Any) -> None:
        await think()
        await interaction.response.edit_message(content="Thank you for your vote.")

    @ui.button(label="no", custom_id="poll:no")
    async def no(self, interaction: discord.Interaction[Any], _button: Any) -> None:
        await think()
        await interaction.response.defer()
        if dice.random() < FAILURE:
            raise RuntimeError("the vote was lost")

    @ui.button(label="comment", custom_id="poll:comment")
    async def comment(self, interaction: discord.Interaction[Any], _button: Any) -> None:
        await interaction.response.send_modal(Feedback())

    @ui.select(
        custom_id="poll:when",
        options=[discord.SelectOption(label=day) for day in ("today", "tomorrow", "later")],
    )
    async def when(self, interaction: discord.Interaction[Any], _select: Any) -> None:
        await think()
        await interaction.response.send_message("Counted.", ephemeral=True)


class Commands(commands.Cog):
    """Slash commands of a bot of some experience."""

    config = app_commands.Group(name="config", description="Settings of this guild.")

    @app_commands.command(description="Is the bot awake?")
    async def ping(self, interaction: discord.Interaction[Any]) -> None:
        await think()
        if dice.random() < FORGOTTEN:
            return
        await interaction.response.send_message("Pong.")
        if dice.random() < 0.2:
            await interaction.followup.send("And pong again.")
        if dice.random() < FAILURE:
            # A second answer is the commonest mistake: the library raises before anything is sent.
            await interaction.response.send_message("Oops.")

    @app_commands.command(description="The weather in a place.")
    async def weather(self, interaction: discord.Interaction[Any], place: str) -> None:
        await self._slow(interaction, f"{place}: fine.")

    @weather.autocomplete("place")
    async def places(
        self, _interaction: discord.Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        fitting = [name for name in PLACES if current.lower()[:1] in name.lower()]
        return [app_commands.Choice(name=name, value=name) for name in fitting]

    @app_commands.command(description="A long report; takes a while.")
    async def report(self, interaction: discord.Interaction[Any]) -> None:
        await self._slow(interaction, "Here it is.")
        if dice.random() < FAILURE * 2:
            raise LookupError("a page of the report is missing")

    @config.command(name="set", description="Change a setting.")
    async def config_set(self, interaction: discord.Interaction[Any], key: str, value: str) -> None:
        await think()
        await interaction.response.send_message(f"{key} is {value}.", ephemeral=True)

    @config.command(name="show", description="Show all settings.")
    async def config_show(self, interaction: discord.Interaction[Any]) -> None:
        await think()
        await interaction.response.send_message(", ".join(KEYS), ephemeral=True)

    @app_commands.command(description="Ask the channel.")
    async def poll(self, interaction: discord.Interaction[Any]) -> None:
        await think()
        await interaction.response.send_message("Shall we meet?", view=Poll())

    @app_commands.command(description="Tell us what you think.")
    async def feedback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Feedback())

    @app_commands.command(description="Take or give back the helper role.")
    async def role(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(ephemeral=True)
        member = interaction.user
        guild = interaction.guild
        role = None if guild is None else discord.utils.get(guild.roles, name="Helper")
        if role is not None and isinstance(member, discord.Member):
            await (member.remove_roles(role) if role in member.roles else member.add_roles(role))
        await interaction.edit_original_response(content="Changed.")

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        if message.author.bot or dice.random() > CHAT:
            return
        await think()
        if dice.random() < 0.5:
            await message.add_reaction("👀")
        else:
            await message.channel.send("I see.")

    @commands.Cog.listener()
    async def on_member_join(self, member: discord.Member) -> None:
        role = discord.utils.get(member.guild.roles, name="Helper")
        if role is not None:
            await member.add_roles(role)

    async def _slow(self, interaction: discord.Interaction[Any], text: str) -> None:
        await interaction.response.defer()
        await asyncio.sleep(dice.uniform(0.15, 1.2))
        await interaction.edit_original_response(content=text)


@app_commands.context_menu(name="User info")
async def user_info(interaction: discord.Interaction[Any], user: discord.User) -> None:
    await interaction.response.send_message(f"This is {user.name}.", ephemeral=True)


@app_commands.context_menu(name="Bookmark")
async def bookmark(interaction: discord.Interaction[Any], message: discord.Message) -> None:
    await interaction.response.send_message("Noted.", ephemeral=True)


class DemoBot(commands.AutoShardedBot):
    def __init__(self) -> None:
        intents = discord.Intents.all()
        intents.presences = intents.typing = False
        shards = int(os.environ.get("DEMO_SHARDS", "0")) or None
        super().__init__("!", intents=intents, shard_count=shards, guild_ready_timeout=1)

    async def setup_hook(self) -> None:
        await self.add_cog(Commands())
        self.tree.add_command(user_info)
        self.tree.add_command(bookmark)
        self.add_view(Poll())
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """chat-sim lets shards identify at once; the real platform wants 5 s between them."""
        if "CHAT_SIM_REST" not in os.environ:
            await super().before_identify_hook(shard_id, initial=initial)


async def think() -> None:
    await asyncio.sleep(dice.uniform(0.005, 0.12))


def main() -> None:
    if "CHAT_SIM_REST" in os.environ:
        http.Route.BASE = f"{os.environ['CHAT_SIM_REST']}/v10"
        socket: Any = gateway.DiscordWebSocket
        socket.DEFAULT_GATEWAY = yarl.URL(os.environ["CHAT_SIM_GATEWAY"])
    bot = DemoBot()
    # Key and address come from BOT_ANALYTICS_API_KEY and BOT_ANALYTICS_ENDPOINT.
    vendor_chat.Analytics().attach(bot)
    bot.run(os.environ.get("DISCORD_TOKEN", "demo.token"))


if __name__ == "__main__":
    main()
