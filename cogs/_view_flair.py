"""Choosing a card back and an emblem (rule 13)."""

from __future__ import annotations

import discord
from discord import ui

from bot.gallery import Picture
from bot.i18n import Texts
from bot.pictures.flair import BACKS, EMBLEMS, Flair
from cogs._buttons import custom_id
from cogs._layout import CALM, Layout, box, picture


def flair(texts: Texts, chosen: Flair, drawn: Picture | None) -> Layout:
    """The two choices, with a picture of what others see."""
    parts: list[ui.Item[ui.LayoutView] | str] = [texts("flair-title")]
    if drawn is not None:
        back, emblem = texts(f"back-{chosen.back}"), texts(f"emblem-{chosen.emblem}")
        parts.append(picture(drawn.name, texts("alt-flair", back=back, emblem=emblem)))
    parts += [
        ui.ActionRow(_select(texts, "cardback", "back", BACKS, chosen.back)),
        ui.ActionRow(_select(texts, "emblem", "emblem", EMBLEMS, chosen.emblem)),
        texts("flair-more"),
    ]
    return Layout(box(CALM, *parts))


def _select(texts: Texts, name: str, kind: str, values: tuple[str, ...], chosen: str) -> ui.Select[ui.LayoutView]:
    options = [
        discord.SelectOption(label=texts(f"{kind}-{value}"), value=value, default=value == chosen) for value in values
    ]
    return ui.Select(custom_id=custom_id(name), placeholder=texts(f"flair-{kind}"), options=options)
