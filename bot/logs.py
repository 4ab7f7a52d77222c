"""Logging: one line an event on stderr, where services keep it."""

from __future__ import annotations

import logging

from discord import VoiceClient

TRIED_AGAIN = ("Attempting a reconnect", "Failed to connect for shard_id")


class Calm(logging.Filter):
    """A connection that is tried again by itself is a warning in one line; discord.py logs an error and a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and str(record.msg).startswith(TRIED_AGAIN):
            record.msg = f"{record.getMessage()} ({record.exc_info[1]})"
            record.args = record.exc_info = None
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        return True


def set_up(level: str) -> None:
    """Log from that level on. discord.py's own chatter is kept to what needs a person."""
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # the bot speaks in no voice channel
    logging.getLogger("discord").setLevel(max(logging.WARNING, logging.getLogger().level))
    for name in ("discord.client", "discord.shard"):
        logging.getLogger(name).addFilter(Calm())
