"""What every message is made of: layouts, rows, buttons with their custom_ids, and names as they may be shown.

A layout is never kept: its buttons carry their meaning in their custom_id (cogs/_buttons.py), so any process serves any
button after a restart.
"""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import ui

from bot import telling
from bot.i18n import Texts
from bot.names import clean, plain
from cogs._buttons import custom_id
from db.matches import Match
from db.people import HOUSE_USER_ID, Person
from engine.rules import Rules, preset_name

CALM = 0x3B6EA5
WAR = 0xD13B3B
DONE = 0xC79A2B
QUIET = 0x6B7280

LONGEST_ALT = 1024
"""Characters of an alt text that Discord takes."""

PRESSES = {
    "classic": (14, 17, 18, 18, 18),
    "short": (7, 8, 9, 9, 9),
    "blitz": (5, 6, 7, 6, 6),
    "skirmish": (23, 26, 29, 28, 28),
    "merciless": (13, 15, 17, 16, 15),
}
"""How many presses each a match takes, by preset and for 2 to 6 seats: medians from benchmarks/presses.py."""


class Layout(ui.LayoutView):
    """A message of components. Not dispatchable: discord.py would otherwise keep every one that was ever sent and look
    for callbacks on it, while all our buttons are answered in one place, by their custom_id."""

    def __init__(self, *items: ui.Item[ui.LayoutView]) -> None:
        super().__init__(timeout=None)
        for item in items:
            self.add_item(item)

    def is_dispatchable(self) -> bool:
        return False


def button(
    label: str,
    name: str,
    *numbers: int,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    disabled: bool = False,
) -> ui.Button[ui.LayoutView]:
    """A button whose custom_id is `war:<name>:<numbers>`."""
    return ui.Button(label=label, style=style, custom_id=custom_id(name, *numbers), disabled=disabled)


def link(label: str, url: str) -> ui.Button[ui.LayoutView]:
    return ui.Button(label=label, url=url)


def row(*buttons: ui.Button[ui.LayoutView]) -> ui.ActionRow[ui.LayoutView]:
    return ui.ActionRow(*buttons)


def box(colour: int, *parts: ui.Item[ui.LayoutView] | str) -> ui.Container[ui.LayoutView]:
    return ui.Container(
        *(ui.TextDisplay(part) if isinstance(part, str) else part for part in parts), accent_colour=colour
    )


def text(message: str) -> Layout:
    """A plain text as a layout."""
    return Layout(ui.TextDisplay(message))


def shown_name(texts: Texts, person: Person) -> str:
    """The name of somebody as it may stand in a message."""
    return texts("house") if person.user_id == HOUSE_USER_ID else clean(person.name, texts("nameless"))


def label_name(texts: Texts, person: Person) -> str:
    """The same for the label of a button, where Markdown is not read and escapes would show."""
    return texts("house") if person.user_id == HOUSE_USER_ID else plain(person.name, texts("nameless"))


def picture(name: str, alt: str, *, spoiler: bool = False) -> ui.MediaGallery[ui.LayoutView]:
    """A file of this message as a picture, with a text for who cannot see it."""
    item = discord.MediaGalleryItem(f"attachment://{name}", description=alt[:LONGEST_ALT], spoiler=spoiler)
    return ui.MediaGallery(item)


def rows(buttons: Sequence[ui.Button[ui.LayoutView]]) -> list[ui.ActionRow[ui.LayoutView]]:
    """As many rows as the buttons need, five to a row."""
    return [row(*buttons[first : first + 5]) for first in range(0, len(buttons), 5)]


def seat_names(texts: Texts, match: Match) -> list[str]:
    """The players' names by seat."""
    return [shown_name(texts, player.person) for player in match.players]


def players_line(texts: Texts, match: Match) -> str:
    """Who plays: "Alice and Bob", the dealer first."""
    names = [shown_name(texts, player.person) for player in sorted(match.players, key=lambda player: player.joined)]
    return telling.listed(texts, names)


def preset_label(texts: Texts, rules: Rules) -> str:
    """What the rules are called."""
    return texts(f"preset-{preset_name(rules) or 'custom'}")


def presses(texts: Texts, rules: Rules, seats: int) -> str:
    """How long a match takes: "about 15 presses each"."""
    return texts("presses", n=PRESSES[preset_name(rules) or "classic"][seats - 2])
