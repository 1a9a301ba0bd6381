"""The adapter for discord.py: the only package that knows it."""
