"""Logging: one line an event on stderr, where services keep it."""

from __future__ import annotations

import logging

from discord import VoiceClient


def set_up(level: str) -> None:
    """Log from that level on. discord.py's own chatter is kept to what needs a person."""
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # the bot speaks in no voice channel
    logging.getLogger("discord").setLevel(max(logging.WARNING, logging.getLogger().level))
