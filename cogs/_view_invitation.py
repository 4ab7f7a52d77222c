"""A challenge or an open table that waits, and what is left of it."""

from __future__ import annotations

import discord
from discord import ui

from bot import telling
from bot.i18n import Texts
from bot.unwelcome import Wish
from cogs._layout import CALM, QUIET, Layout, box, button, players_line, preset_label, presses, row, shown_name
from db.matches import Match
from engine.rules import MAX_SEATS
from engine.shuffle import commitment


def challenge(texts: Texts, match: Match, *, text_only: bool = False) -> Layout:
    """A challenge that waits for its answer. `text_only` says that there will be no pictures."""
    assert match.invited is not None, "a challenge has somebody challenged"
    host, invited = shown_name(texts, match.host), shown_name(texts, match.invited)
    preset = preset_label(texts, match.rules)
    until = f"<t:{(match.deadline_at or 0) // 1000}:R>"
    if match.kind == "quick":
        title = texts("challenge-quick-title", host=host, invited=invited)
        about = texts("challenge-quick-rules", preset=preset, invited=invited)
    else:
        title = texts("challenge-title", host=host, invited=invited)
        about = texts("challenge-rules", preset=preset, presses=presses(texts, match.rules, 2))
    return Layout(
        box(
            CALM,
            title,
            about,
            texts("challenge-ask", mention=f"<@{match.invited.user_id}>", until=until),
            row(
                button(texts("button-accept"), "accept", match.id, style=discord.ButtonStyle.success),
                button(texts("button-decline"), "decline", match.id),
                button(texts("button-cancel"), "cancel", match.id),
            ),
            texts("challenge-commitment", commitment=commitment(match.server_seed)),
            *([texts("invitation-text-only")] if text_only else []),
        )
    )


def open_table(texts: Texts, match: Match, *, text_only: bool = False) -> Layout:
    """A table that anyone may join. `text_only` says that there will be no pictures."""
    host = shown_name(texts, match.host)
    names = [shown_name(texts, player.person) for player in match.players]
    return Layout(
        box(
            CALM,
            texts("table-title", host=host),
            texts("table-players", names=telling.listed(texts, names), n=len(names), most=MAX_SEATS),
            texts(
                "table-rules",
                host=host,
                preset=preset_label(texts, match.rules),
                presses=presses(texts, match.rules, max(2, len(names))),
            ),
            texts("table-until", until=f"<t:{(match.deadline_at or 0) // 1000}:R>"),
            row(
                button(texts("button-join"), "join", match.id, style=discord.ButtonStyle.success),
                button(texts("button-leave"), "leave", match.id),
                button(texts("button-start"), "start", match.id, style=discord.ButtonStyle.primary),
                button(texts("button-cancel"), "cancel", match.id),
            ),
            texts("challenge-commitment", commitment=commitment(match.server_seed)),
            *([texts("invitation-text-only")] if text_only else []),
        )
    )


def closed(texts: Texts, match: Match, how: str, url: str | None = None) -> Layout:
    """What is left of a challenge or an open table: `how` is accepted, declined, cancelled or expired; `url` leads to
    the board. The commitment stays readable for whoever checks the deal later."""
    said = _table_closed(texts, match, how, url) if match.invited is None else _challenge_closed(texts, match, how, url)
    if how != "accepted":
        return Layout(box(QUIET, said))
    return Layout(box(QUIET, said, texts("challenge-commitment-after", commitment=commitment(match.server_seed))))


def no_more(texts: Texts, match: Match) -> Layout:
    """Asked in private after a *Decline*: nobody should have to say no again and again."""
    name = shown_name(texts, match.host)
    return Layout(
        ui.TextDisplay(texts("no-more-ask", name=name)),
        row(
            button(texts("button-no-more-day"), "nomore", match.id, Wish.DAY),
            button(texts("button-no-more-always"), "nomore", match.id, Wish.ALWAYS),
            button(texts("button-no-more-everyone"), "nomore", match.id, Wish.EVERYONE),
        ),
    )


def no_more_done(texts: Texts, match: Match, wish: Wish) -> Layout:
    """What counts now, and how to take it back."""
    said = texts(f"no-more-{wish.name.lower()}", name=shown_name(texts, match.host))
    return Layout(ui.TextDisplay(said), welcome_row(texts))


def welcome_row(texts: Texts) -> ui.ActionRow[ui.LayoutView]:
    """Takes all such wishes back."""
    return row(button(texts("button-welcome"), "welcome"))


def _challenge_closed(texts: Texts, match: Match, how: str, url: str | None) -> str:
    invited = "" if match.invited is None else shown_name(texts, match.invited)
    values = {"host": shown_name(texts, match.host), "invited": invited}
    if how == "accepted" and url is None:
        return texts("challenge-accepted-quick", **values)
    if how == "accepted":
        return texts("challenge-accepted", link=url or "", **values)
    return texts(f"challenge-{how}", **values)


def _table_closed(texts: Texts, match: Match, how: str, url: str | None) -> str:
    if how == "accepted":
        return texts("table-started", players=players_line(texts, match), link=url or "")
    if not match.players:
        return texts("table-empty")
    return texts(f"table-{how}", host=shown_name(texts, match.host))
