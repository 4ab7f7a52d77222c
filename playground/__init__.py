"""A Discord on 127.0.0.1 (REST v10 and gateway v10) and a page to play on, with no account."""

from playground.botprocess import BotCommand
from playground.errors import PortTaken, StateBroken
from playground.limits import DISCORD_LIMITS, Limits
from playground.server import Playground

__all__ = ["DISCORD_LIMITS", "BotCommand", "Limits", "Playground", "PortTaken", "StateBroken"]
