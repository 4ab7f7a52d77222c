"""The table of a live match, and one player's private menu beside it."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import ui

from bot import telling
from bot.gallery import Picture, view_of
from bot.host import Board
from bot.i18n import Texts
from bot.pictures.flair import MARKS
from bot.pictures.view import TableView, describe
from bot.replies import jump_url
from cogs._layout import (
    CALM,
    QUIET,
    WAR,
    Layout,
    box,
    button,
    label_name,
    link,
    picture,
    players_line,
    preset_label,
    row,
    rows,
    seat_names,
)
from db.matches import Match
from engine.table import Pace, members

SHORT = 12
"""Digits of the commitment on the board; the message that was accepted keeps all of them."""


def board(texts: Texts, state: Board, drawn: Picture | None = None, show: telling.Show = str) -> Layout:
    """The match as it stands, with the picture of the table where there is one; `show` writes its cards."""
    match, table = state.match, state.match.table
    names = seat_names(texts, match)
    deck_size = sum(state.counts) + state.pot
    chances = [str(chance) for chance in telling.percents(state.chances)]  # a number costs more to write
    seats = [_seat_line(texts, state, seat, name, deck_size, chances[seat]) for seat, name in enumerate(names)]
    if state.pot and not state.tied:  # at war the pot is told below
        seats.append(texts("board-pot", cards=texts("cards", n=state.pot)))
    gave_up = [act.seat for act in match.acts if act.kind == "forfeit" and act.step == match.steps]
    told = telling.turn(texts, names, match.rules, state.told, show, gave_up=gave_up, pot=state.pot)
    if not state.told:
        told = [texts("board-deal", each=texts("cards", n=min(state.counts, default=0))), *told]
    parts: list[ui.Item[ui.LayoutView] | str] = [texts("board-title", players=players_line(texts, match))]
    if drawn is not None:
        parts.append(picture(drawn.name, alt_text(texts, names, view_of(state))))
    parts += [
        "\n".join(seats),
        ui.Separator(),
        "\n".join(told),
        ui.Separator(),
        "\n".join(_waiting_lines(texts, state, names)),
        _main_buttons(texts, state),
    ]
    if table.offer & table.playing:
        parts.append(
            row(
                button(texts("button-agree"), "agree", match.id, table.turn, style=discord.ButtonStyle.success),
                button(texts("button-play-on"), "playon", match.id, table.turn),
            )
        )
    if match.steps == 0:
        parts += _backing(texts, match)
    parts.append(
        texts(
            "board-footer",
            turn=str(table.turn + 1),
            preset=preset_label(texts, match.rules),
            commitment=state.commitment[:SHORT],
        )
    )
    return Layout(box(WAR if state.tied else CALM, *parts))


def alt_text(texts: Texts, names: Sequence[str], view: TableView) -> str:
    """What the picture of the table shows, in words."""
    seen = describe(view)
    lines: list[str] = []
    for name, seat in zip(names, seen.seats, strict=True):
        if seat.out:
            lines.append(texts("alt-out", name=name))
            continue
        cards = texts("cards", n=seat.cards)
        if seat.face_up is None:
            lines.append(texts("alt-seat", name=name, cards=cards))
        elif seat.at_war:
            lines.append(texts("alt-at-war", name=name, cards=cards, card=str(seat.face_up)))
        elif seat.won:
            lines.append(texts("alt-won", name=name, cards=cards, card=str(seat.face_up)))
        else:
            lines.append(texts("alt-turned", name=name, cards=cards, card=str(seat.face_up)))
    if seen.pot:
        lines.append(texts("alt-pot", cards=texts("cards", n=seen.pot)))
    return " ".join(lines)


def _seat_line(texts: Texts, state: Board, seat: int, name: str, deck_size: int, chance: str) -> str:
    if state.match.table.out >> seat & 1:
        gave_up = any(act.seat == seat and act.kind == "forfeit" for act in state.match.acts)
        return f"{MARKS[seat].text} " + texts("board-seat-gave-up" if gave_up else "board-seat-out", name=name)
    held = state.counts[seat]
    line = texts("board-seat", name=name, cards=texts("cards", n=held), chance=chance)
    return f"{MARKS[seat].text} `{telling.bar(held, deck_size)}` {line}"


def _waiting_lines(texts: Texts, state: Board, names: Sequence[str]) -> list[str]:
    table = state.match.table

    def named(bits: int) -> str:
        return telling.listed(texts, [names[seat] for seat in members(bits)])

    lines: list[str] = []
    if offering := table.offer & table.playing:
        others = table.playing & ~offering
        key = "board-offer" if others.bit_count() == 1 else "board-offer-many"
        lines.append(texts(key, names=named(offering), others=named(others)))
    if ready := table.ready & table.present & ~table.fast:
        lines.append(texts("board-ready", names=named(ready)))
    if table.fast & table.present:
        lines.append(texts("board-finishing", names=named(table.fast & table.present)))
    if table.awaited:
        when = f"<t:{-(-(state.match.deadline_at or 0) // 1000)}:R>"
        lines.append(texts("board-waiting", names=named(table.awaited), when=when))
    if table.auto & table.playing:
        lines.append(texts("board-auto", names=named(table.auto & table.playing)))
    return lines


def _main_buttons(texts: Texts, state: Board) -> ui.ActionRow[ui.LayoutView]:
    match, table = state.match, state.match.table
    if state.tied:
        label, style = texts("button-reveal"), discord.ButtonStyle.danger
    elif match.steps == 0:
        label, style = texts("button-deal"), discord.ButtonStyle.primary
    elif table.pace() is Pace.CARD:
        label, style = texts("button-next-card"), discord.ButtonStyle.primary
    else:
        label, style = texts("button-next-war"), discord.ButtonStyle.primary
    return row(
        button(label, "flip", match.id, table.turn, style=style),
        button(texts("button-finish"), "finish", match.id, table.turn),
        button(texts("button-more"), "more", match.id, table.turn),
    )


def _backing(texts: Texts, match: Match) -> list[ui.Item[ui.LayoutView] | str]:
    """Before the first cards: spectators may say who will win."""
    backs = [
        button(texts("button-back", name=label_name(texts, player.person)), "back", match.id, player.seat or 0)
        for player in match.players
    ]
    return [texts("board-back"), *rows(backs)]


def moved(texts: Texts, url: str) -> Layout:
    """What is left of a board that was posted anew elsewhere."""
    return Layout(box(QUIET, texts("board-moved", link=url)))


def void(texts: Texts, match: Match) -> Layout:
    """What is left of a match that nobody came to."""
    return Layout(box(QUIET, texts("result-void", players=players_line(texts, match))))


def more(texts: Texts, match: Match, seat: int, counts: Sequence[int]) -> Layout:
    """One player's private menu beside the board."""
    table = match.table
    names = seat_names(texts, match)
    held = ", ".join(f"{name} {count}" for name, count in zip(names, counts, strict=True))
    slow = bool(table.slow >> seat & 1)
    pace = (
        button(texts("button-pace-war"), "wars", match.id, table.turn)
        if slow
        else button(texts("button-card"), "card", match.id, table.turn)
    )
    return Layout(
        ui.TextDisplay(texts("more-title")),
        ui.TextDisplay(texts("more-text")),
        ui.TextDisplay(texts("more-counts", counts=held)),
        row(
            pace,
            button(texts("button-offer"), "offer", match.id, table.turn),
            button(texts("button-rules"), "rules", match.id),
            button(texts("button-proof"), "proof", match.id),
            button(texts("button-forfeit"), "forfeit", match.id, table.turn, style=discord.ButtonStyle.danger),
        ),
    )


def forfeit_question(texts: Texts, match: Match) -> Layout:
    """Asks once more before somebody gives up."""
    sure = button(texts("button-forfeit-yes"), "giveup", match.id, match.table.turn, style=discord.ButtonStyle.danger)
    return Layout(ui.TextDisplay(texts("forfeit-ask")), row(sure))


def busy(texts: Texts, match: Match) -> Layout:
    """A match is on in the channel: who plays, and what to do meanwhile."""
    url = jump_url(match)
    buttons = [button(texts("button-quick"), "quick")]
    if url is not None:
        buttons.insert(0, link(texts("button-watch"), url))
    return Layout(ui.TextDisplay(texts("busy-on", players=players_line(texts, match))), row(*buttons))
