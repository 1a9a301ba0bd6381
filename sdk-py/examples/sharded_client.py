"""An AutoShardedClient in its own event loop; `async with` sends what is left at the end."""

from __future__ import annotations

import asyncio
import os

import discord

import vendor_chat


async def main() -> None:
    client = discord.AutoShardedClient(intents=discord.Intents.default())
    async with (
        vendor_chat.Analytics(
            api_key=os.environ["BOT_ANALYTICS_API_KEY"],
            endpoint=os.environ["BOT_ANALYTICS_ENDPOINT"],
            cluster_id=os.environ.get("CLUSTER"),
        ) as analytics,
        client,
    ):
        analytics.attach(client)
        await client.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main())
