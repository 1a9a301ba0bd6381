"""The Python bot of the soak; its contract is in ``../../bots.ts``."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import vendor_chat
import yarl
from discord import app_commands, gateway, http, ui
from discord.ext import commands

http.Route.BASE = os.environ["CHAT_SIM_REST"] + "/v10"
gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["CHAT_SIM_GATEWAY"])
# Lost connections are what the soak is about.
logging.getLogger("discord").setLevel(logging.CRITICAL)
# The report of a task that failed is the default of asyncio; the soak makes many.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)

lost: Counter[str] = Counter()
received: Counter[str] = Counter()
fired: dict[str, Counter[str]] = {"event_message_create": Counter(), "command_error": Counter()}


def on_drop(drop: vendor_chat.Drop) -> None:
    lost[drop.type or "unknown"] += drop.count


class Tree(app_commands.CommandTree):
    async def on_error(self, _interaction: Any, _error: Exception) -> None:
        fired["command_error"]["CommandTree.on_error"] += 1


analytics = vendor_chat.Analytics(
    flush_interval_ms=1_000, snapshot_interval_ms=5_000, on_drop=on_drop
)
intents = discord.Intents.all()
intents.presences = intents.typing = False
bot = commands.AutoShardedBot("!", intents=intents, tree_cls=Tree, guild_ready_timeout=0.5)
analytics.attach(bot)


@dataclass
class Scene:
    """What an act acts on."""

    channel: discord.TextChannel
    guild: discord.Guild
    target: int
    role: int
    note: str

    async def member(self) -> discord.Member:
        return self.guild.get_member(self.target) or await self.guild.fetch_member(self.target)

    async def sent(self) -> discord.Message:
        return await self.channel.send(self.note)

    @property
    def anybody(self) -> discord.Object:
        return discord.Object(self.target)


Act = Callable[[Scene], Awaitable[Any]]
ACTS: dict[str, Act] = {}


def act(function: Act) -> Act:
    ACTS[function.__name__] = function
    return function


@act
async def action_message_send(on: Scene) -> None:
    await on.channel.send(on.note, embed=discord.Embed(title=on.note))


@act
async def action_message_edit(on: Scene) -> None:
    await (await on.channel.send("first")).edit(content=on.note)


@act
async def action_message_delete(on: Scene) -> None:
    await (await on.sent()).delete()


@act
async def action_message_bulk_delete(on: Scene) -> None:
    await on.channel.delete_messages([await on.sent(), await on.sent()])


@act
async def action_message_pin(on: Scene) -> None:
    await (await on.sent()).pin()


@act
async def action_reaction_add(on: Scene) -> None:
    await (await on.sent()).add_reaction("👍")


@act
async def action_reaction_remove(on: Scene) -> None:
    message = await on.sent()
    await message.add_reaction("👍")
    await message.clear_reactions()


@act
async def action_thread_create(on: Scene) -> None:
    await on.channel.create_thread(name=on.note)


@act
async def action_webhook_send(on: Scene) -> None:
    await (await on.channel.create_webhook(name="hook")).send(on.note)


@act
async def action_dm_open(on: Scene) -> None:
    await (await on.member()).create_dm()


@act
async def action_role_grant(on: Scene) -> None:
    await (await on.member()).add_roles(discord.Object(on.role))


@act
async def action_role_revoke(on: Scene) -> None:
    await (await on.member()).remove_roles(discord.Object(on.role))


@act
async def action_member_ban(on: Scene) -> None:
    await on.guild.ban(on.anybody)


@act
async def action_member_unban(on: Scene) -> None:
    await on.guild.ban(on.anybody)
    await on.guild.unban(on.anybody)


@act
async def action_member_kick(on: Scene) -> None:
    await on.guild.kick(on.anybody)


@act
async def action_member_timeout(on: Scene) -> None:
    await (await on.member()).timeout(timedelta(minutes=1))


@act
async def action_member_update(on: Scene) -> None:
    await (await on.member()).edit(nick=on.note)


@act
async def action_channel_create(on: Scene) -> None:
    await on.guild.create_text_channel(on.note)


@act
async def action_channel_update(on: Scene) -> None:
    await on.channel.edit(topic=on.note)


@act
async def action_channel_delete(on: Scene) -> None:
    await (await on.guild.create_text_channel(on.note)).delete()


@act
async def action_role_create(on: Scene) -> None:
    await on.guild.create_role(name=on.note)


@act
async def action_invite_create(on: Scene) -> None:
    await on.channel.create_invite()


@act
async def captured_error(_: Scene) -> None:
    analytics.capture_error(ValueError("reported by hand"))


@act
async def stray_error(_: Scene) -> None:
    async def fail() -> None:
        raise RuntimeError("caught by nobody")

    asyncio.create_task(fail())  # noqa: RUF006 -- that nobody holds it is the point


@act
async def answer_twice(_: Scene) -> None:
    return


@bot.tree.command(name="act", description="One thing")
async def act_command(
    interaction: discord.Interaction, what: str, target: str, role: str, note: str
) -> None:
    channel, guild = interaction.channel, interaction.guild
    answer = "done"
    try:
        assert isinstance(channel, discord.TextChannel)
        assert guild is not None
        await ACTS[what](Scene(channel, guild, int(target), int(role), note))
    except Exception as error:
        answer = f"failed: {error!r}"
    await interaction.response.send_message(answer)
    if what == "answer_twice":
        await interaction.response.send_message("again")


class Form(ui.Modal, title="Form"):
    text: Any = ui.TextInput(label="Text", custom_id="text")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Answered by the listener, which also knows forms of an earlier connection."""


@bot.tree.command(name="form", description="Shows a form")
async def form(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Form(custom_id="form"))


@bot.tree.command(name="ping", description="Answers")
async def ping(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("pong")


config = app_commands.Group(name="config", description="Settings")


@config.command(name="set", description="Answers")
async def config_set(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("pong")


bot.tree.add_command(config)


@bot.tree.command(name="find", description="Finds")
async def find(interaction: discord.Interaction, place: str = "") -> None:
    await interaction.response.send_message(f"pong {len(place)}")


@find.autocomplete("place")
async def suggest(_interaction: discord.Interaction, _current: str) -> list[Any]:
    return [app_commands.Choice(name="a", value="a")]


@bot.tree.context_menu(name="User info")
async def user_info(interaction: discord.Interaction, _member: discord.Member) -> None:
    await interaction.response.send_message("noted")


@bot.tree.context_menu(name="Bookmark")
async def bookmark(interaction: discord.Interaction, _message: discord.Message) -> None:
    await interaction.response.send_message("noted")


@bot.listen("on_interaction")
async def components(interaction: discord.Interaction) -> None:
    if interaction.type is discord.InteractionType.component:
        await interaction.response.defer()
    elif interaction.type is discord.InteractionType.modal_submit:
        await interaction.response.send_message("noted")


# The bot's own handlers of every kind: that each fires is part of what the soak proves.
@bot.event
async def on_message(_message: discord.Message) -> None:
    fired["event_message_create"]["@bot.event"] += 1


@bot.listen("on_message")
async def heard(_message: discord.Message) -> None:
    fired["event_message_create"]["@bot.listen"] += 1


@bot.listen("on_socket_event_type")
async def dispatched(name: str) -> None:
    received[name] += 1


class Ears(commands.Cog):
    @commands.Cog.listener()
    async def on_message(self, _message: discord.Message) -> None:
        fired["event_message_create"]["Cog.listener"] += 1


HERE = Path(__file__).parent.resolve()
assert HERE in Path(vendor_chat.__file__).resolve().parents, "not the packed SDK"


async def main() -> None:
    await bot.add_cog(Ears())
    running = asyncio.create_task(bot.start("any.token"))
    while (await asyncio.to_thread(sys.stdin.readline)).strip() != "finish":
        pass
    await analytics.shutdown(20)
    stats = analytics.stats()
    report = {"delivered": stats.delivered, "dropped": stats.dropped, "lost": lost}
    report |= {"fired": fired, "received": received}
    print(json.dumps(report), flush=True)
    await bot.close()
    await running


asyncio.run(main())
