"""A bot with cogs; the SDK needs one line."""

from __future__ import annotations

import os

import discord
from discord.ext import commands

import vendor_chat

bot = commands.Bot("!", intents=discord.Intents.default())
analytics = vendor_chat.Analytics(
    api_key=os.environ["BOT_ANALYTICS_API_KEY"],
    endpoint=os.environ["BOT_ANALYTICS_ENDPOINT"],
).attach(bot)


class Tools(commands.Cog):
    @commands.hybrid_command()
    async def divide(self, context: commands.Context[commands.Bot], a: float, b: float) -> None:
        try:
            await context.send(str(a / b))
        except ZeroDivisionError as error:
            analytics.capture_error(error, guild_id=context.guild.id if context.guild else None)
            await context.send("That has no answer.")


@bot.listen()
async def on_ready() -> None:
    if bot.get_cog("Tools") is None:
        await bot.add_cog(Tools())


if __name__ == "__main__":
    bot.run(os.environ["DISCORD_TOKEN"])
