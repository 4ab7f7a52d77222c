"""Choosing a card back and an emblem (rule 13)."""

from __future__ import annotations

import discord
from discord import ui

from bot.gallery import Picture
from bot.i18n import Texts
from bot.pictures.flair import BACKS, EMBLEMS
from cogs._buttons import custom_id
from cogs._layout import CALM, Layout, box, picture

BY_SEAT = "seat"
"""The value of a menu for what is not chosen: it follows the seat."""


def flair(texts: Texts, back: str | None, emblem: str | None, drawn: Picture | None) -> Layout:
    """The two choices, None for one that is not made, with a picture of one's own pile."""
    parts: list[ui.Item[ui.LayoutView] | str] = [texts("flair-title")]
    if drawn is not None:
        names = {"back": texts(f"back-{back or BY_SEAT}"), "emblem": texts(f"emblem-{emblem or BY_SEAT}")}
        if back is None or emblem is None:
            parts += [texts("flair-seats"), picture(drawn.name, texts("flair-seats-alt", **names))]
        else:
            parts += [texts("flair-own"), picture(drawn.name, texts("alt-flair", **names))]
    parts += [
        texts("flair-caption", menu=texts("flair-back")),
        ui.ActionRow(_select(texts, "cardback", "back", BACKS, back)),
        texts("flair-caption", menu=texts("flair-emblem")),
        ui.ActionRow(_select(texts, "emblem", "emblem", EMBLEMS, emblem)),
        texts("flair-more"),
    ]
    return Layout(box(CALM, *parts))


def _select(
    texts: Texts, name: str, kind: str, values: tuple[str, ...], chosen: str | None
) -> ui.Select[ui.LayoutView]:
    options = [
        discord.SelectOption(label=texts(f"{kind}-{value}"), value=value, default=value == (chosen or BY_SEAT))
        for value in (BY_SEAT, *values)
    ]
    # It always has a choice, so the placeholder is never seen; a screen reader may call the menu by it.
    return ui.Select(custom_id=custom_id(name), placeholder=texts(f"flair-{kind}"), options=options)
