"""A press or a command as the host takes it, and what must hold before anything is posted."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.client import WarBot
from bot.host import Click, Place, User
from bot.refusals import Refusal
from cogs._layout import PRESSES
from engine.rules import PRESETS, Rules

Press = discord.Interaction[WarBot]

NEEDED = discord.Permissions(view_channel=True, send_messages=True, send_messages_in_threads=True)
"""Without these no match can be shown; without Attach Files it is shown as text."""

RULES_CHOICES = [
    app_commands.Choice(name=f"{name.capitalize()}: about {PRESSES[name][0]} presses", value=name) for name in PRESETS
]


def place_of(interaction: Press) -> Place:
    """Where somebody acts. Raises `Refusal` outside a server."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refusal("refuse-guild-only")
    return Place(interaction.guild_id, interaction.channel_id)


def user_of(user: discord.User | discord.Member) -> User:
    """Somebody by the name that people see here. Raises `Refusal` for an option that is no user: discord.py passes on
    what an older version of the command took."""
    if not isinstance(user, discord.User | discord.Member):
        raise Refusal("refuse-older-command")
    return User(user.id, user.display_name)


def click_of(interaction: Press, match_id: int, turn: int = 0) -> Click:
    """A press as the host takes it."""
    message = interaction.message
    return Click(
        match_id=match_id,
        turn=turn,
        user_id=interaction.user.id,
        channel_id=interaction.channel_id or 0,
        message_id=0 if message is None else message.id,
    )


def rules_of(preset: str | None) -> Rules:
    """The rules of a preset; without one the classic ones. Raises `Refusal` for one that an older version had."""
    rules = PRESETS.get(preset or "classic")
    if rules is None:
        raise Refusal("refuse-older-command")
    return rules


def refuse_where_mute(interaction: Press) -> None:
    """Raises `Refusal` when the bot lacks a permission here that a match needs."""
    has = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    unused = "send_messages" if in_thread else "send_messages_in_threads"
    texts = interaction.client.texts_for(interaction)
    missing = [
        texts(f"permission-{name}") for name, needed in NEEDED if needed and name != unused and not getattr(has, name)
    ]
    if missing:
        raise Refusal("refuse-permissions", missing=", ".join(missing))
