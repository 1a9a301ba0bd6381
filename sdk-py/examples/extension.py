"""The SDK as an extension: key and address come from the environment."""

from __future__ import annotations

import os

import discord
from discord.ext import commands


class Bot(commands.Bot):
    # Optional: arguments of vendor_chat.Analytics.
    vendor_chat_options = {"snapshot_interval_ms": 30_000}  # noqa: RUF012

    async def setup_hook(self) -> None:
        await self.load_extension("vendor_chat.ext")


if __name__ == "__main__":
    Bot("!", intents=discord.Intents.default()).run(os.environ["DISCORD_TOKEN"])
