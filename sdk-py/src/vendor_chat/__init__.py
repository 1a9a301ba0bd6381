"""Analytics and live status for discord.py bots.

>>> import discord, vendor_chat
>>> client = discord.Client(intents=discord.Intents.default())
>>> analytics = vendor_chat.Analytics(api_key="...", endpoint="...").attach(client)
"""

from vendor_chat._protocol import EventType
from vendor_chat._version import __version__
from vendor_chat.analytics import Analytics, HookEvent
from vendor_chat.options import Collect, Logger
from vendor_chat.stats import Drop, DropReason, FlushResult, State, Stats

__all__ = [
    "Analytics",
    "Collect",
    "Drop",
    "DropReason",
    "EventType",
    "FlushResult",
    "HookEvent",
    "Logger",
    "State",
    "Stats",
    "__version__",
]
