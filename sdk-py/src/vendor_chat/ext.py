"""The SDK as an extension of a ``commands.Bot``: ``await bot.load_extension("vendor_chat.ext")``.

Options come from ``bot.vendor_chat_options``, a dict with the arguments of ``Analytics``, where the
bot has one, and else from the environment. The instance is ``bot.vendor_chat``.
"""

from __future__ import annotations

from typing import Any

from vendor_chat.analytics import Analytics


async def setup(bot: Any) -> None:
    options: dict[str, Any] = dict(getattr(bot, "vendor_chat_options", None) or {})
    bot.vendor_chat = Analytics(**options).attach(bot)


async def teardown(bot: Any) -> None:
    """Unloading, which ``Bot.close`` does too, sends what waits."""
    analytics: Analytics | None = getattr(bot, "vendor_chat", None)
    if analytics is not None:
        await analytics.shutdown()
