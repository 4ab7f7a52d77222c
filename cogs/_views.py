"""Values in, messages out: every layout that people see, as components v2.

A layout is never kept: its buttons carry their meaning in their custom_id (cogs/_buttons.py), so any process serves any
button after a restart.
"""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import ui

from bot import telling
from bot.host import Board, QuickMatch
from bot.i18n import Texts
from bot.names import clean
from cogs._buttons import custom_id
from db.matches import COUNTED_A_DAY, Match
from db.people import HOUSE_USER_ID, Person
from db.standings import Page, Standing
from engine.rules import MAX_SEATS, Rules, preset_name
from engine.shuffle import commitment
from engine.table import Pace, members

CALM = 0x3B6EA5
WAR = 0xD13B3B
DONE = 0xC79A2B
QUIET = 0x6B7280

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


def message_link(match: Match) -> str | None:
    """Where the match is shown, if it is."""
    if match.message_id is None:
        return None
    return f"https://discord.com/channels/{match.guild_id}/{match.channel_id}/{match.message_id}"


def shown_name(texts: Texts, person: Person) -> str:
    """The name of somebody as it may stand in a message."""
    return texts("house") if person.user_id == HOUSE_USER_ID else clean(person.name, texts("nameless"))


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


# ---- challenge --------------------------------------------------------------------------------------------------


def challenge(texts: Texts, match: Match) -> Layout:
    """A challenge that waits for its answer."""
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
        )
    )


def open_table(texts: Texts, match: Match) -> Layout:
    """A table that anyone may join."""
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
        )
    )


def challenge_closed(texts: Texts, match: Match, how: str, url: str | None = None) -> Layout:
    """What is left of a challenge or an open table: `how` is accepted, declined, cancelled or expired."""
    if match.invited is None:
        return Layout(box(QUIET, _table_closed(texts, match, how, url)))
    invited = "" if match.invited is None else shown_name(texts, match.invited)
    values = {"host": shown_name(texts, match.host), "invited": invited}
    if how == "accepted":
        said = (
            texts("challenge-accepted", link=url or "", **values)
            if url
            else texts("challenge-accepted-quick", **values)
        )
    else:
        said = texts(f"challenge-{how}", **values)
    return Layout(box(QUIET, said))


def _table_closed(texts: Texts, match: Match, how: str, url: str | None) -> str:
    if how == "accepted":
        return texts("table-started", players=players_line(texts, match), link=url or "")
    if not match.players:
        return texts("table-empty")
    return texts(f"table-{how}", host=shown_name(texts, match.host))


# ---- board ------------------------------------------------------------------------------------------------------


def board(texts: Texts, state: Board) -> Layout:
    """The match as it stands: the table while it is on, the result when it is over."""
    if state.match.status == "void":
        return Layout(box(QUIET, texts("result-void", players=players_line(texts, state.match))))
    if state.outcome is not None:
        return result(texts, state)
    match, table = state.match, state.match.table
    names = seat_names(texts, match)
    deck_size = sum(state.counts) + state.pot
    seats = [_seat_line(texts, state, seat, name, deck_size) for seat, name in enumerate(names)]
    if state.pot:
        seats.append(texts("board-pot", cards=texts("cards", n=state.pot)))
    told = telling.turn(texts, names, state.told) or [
        texts("board-deal", each=texts("cards", n=min(state.counts, default=0)))
    ]
    colour = WAR if state.tied else CALM
    parts: list[ui.Item[ui.LayoutView] | str] = [
        texts("board-title", players=players_line(texts, match)),
        "\n".join(seats),
        ui.Separator(),
        "\n".join(told),
        ui.Separator(),
        "\n".join(_waiting_lines(texts, state, names)),
        _board_buttons(texts, state),
    ]
    if table.offer & table.playing:
        parts.append(
            row(
                button(texts("button-agree"), "agree", match.id, table.turn, style=discord.ButtonStyle.success),
                button(texts("button-play-on"), "playon", match.id, table.turn),
            )
        )
    parts.append(
        texts(
            "board-footer",
            turn=table.turn + 1,
            preset=preset_label(texts, match.rules),
            commitment=state.commitment,
        )
    )
    return Layout(box(colour, *parts))


def _seat_line(texts: Texts, state: Board, seat: int, name: str, deck_size: int) -> str:
    if state.match.table.out >> seat & 1:
        return texts("board-seat-out", name=name)
    held = state.counts[seat]
    return f"`{telling.bar(held, deck_size)}` " + texts("board-seat", name=name, cards=texts("cards", n=held))


def _waiting_lines(texts: Texts, state: Board, names: Sequence[str]) -> list[str]:
    table = state.match.table

    def named(bits: int) -> str:
        return telling.listed(texts, [names[seat] for seat in members(bits)])

    lines: list[str] = []
    if table.offer & table.playing:
        lines.append(texts("board-offer", names=named(table.offer & table.playing)))
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


def _board_buttons(texts: Texts, state: Board) -> ui.ActionRow[ui.LayoutView]:
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


def moved(texts: Texts, url: str) -> Layout:
    """What is left of a board that was posted anew elsewhere."""
    return Layout(box(QUIET, texts("board-moved", link=url)))


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
    return Layout(
        ui.TextDisplay(texts("forfeit-ask")),
        row(
            button(texts("button-forfeit-yes"), "giveup", match.id, match.table.turn, style=discord.ButtonStyle.danger)
        ),
    )


def busy(texts: Texts, match: Match) -> Layout:
    """A match is on in the channel: who plays, and what to do meanwhile."""
    url = message_link(match)
    buttons = [button(texts("button-quick"), "quick")]
    if url is not None:
        buttons.insert(0, link(texts("button-watch"), url))
    return Layout(ui.TextDisplay(texts("busy-on", players=players_line(texts, match))), row(*buttons))


# ---- result -----------------------------------------------------------------------------------------------------


def _forfeited(match: Match) -> list[int]:
    return [act.seat for act in match.acts if act.kind == "forfeit"]


def _headline(texts: Texts, names: Sequence[str], placings: Sequence[int], winner: int | None) -> str:
    if winner is not None:
        return texts("result-win", name=names[winner])
    first = [names[seat] for seat, place in enumerate(placings) if place == 1]
    return texts("result-draw", names=telling.listed(texts, first))


def result(texts: Texts, state: Board) -> Layout:
    """A match with buttons that has ended. `state.told` must hold all its battles."""
    match, outcome = state.match, state.outcome
    assert outcome is not None, "a result needs an outcome"
    names = seat_names(texts, match)
    order = sorted(range(len(names)), key=lambda seat: (outcome.placings[seat], seat))
    placings = [
        texts(
            "result-placing",
            placing=outcome.placings[seat],
            name=names[seat],
            cards=texts("cards", n=outcome.counts[seat]),
        )
        for seat in order
    ]
    parts: list[ui.Item[ui.LayoutView] | str] = [
        _headline(texts, names, outcome.placings, outcome.winner),
        telling.ending(texts, names, outcome, state.told, _forfeited(match)),
        "\n".join(placings),
    ]
    if high := telling.highlights(texts, names, state.told):
        parts += [ui.Separator(), "\n".join(high)]
    parts.append(row(button(texts("button-proof"), "proof", match.id)))
    if not match.counted:
        parts.append(texts("result-not-counted", most=COUNTED_A_DAY))
    parts.append(texts("result-fair"))
    return Layout(box(DONE, *parts))


def quick(texts: Texts, played: QuickMatch, *, shared_by: str | None = None) -> Layout:
    """A match that played itself: a poster that stands alone, the result under a spoiler, buttons from the start."""
    match, outcome = played.match, played.outcome
    names = seat_names(texts, match)
    if match.kind == "house":
        title = texts("quick-title", name=shown_name(texts, match.host), house=texts("house"))
    else:
        title = texts("quick-title-pair", players=players_line(texts, match))
    wars = texts("wars", n=telling.wars_in(played.battles))
    poster = texts("quick-poster", rounds=texts("rounds", n=outcome.rounds), wars=wars)
    fight = max(telling.rounds_of(played.battles), key=lambda each: (each.wars, each.taken))
    if outcome.winner is None:
        spoiler = texts("quick-spoiler-draw")
    else:
        cards = texts("cards", n=outcome.counts[outcome.winner])
        spoiler = texts("quick-spoiler-win", name=names[outcome.winner], cards=cards)
    lines = [poster]
    if fight.wars:
        lines.append(texts("quick-turning", depth=fight.wars, round=fight.number, cards=texts("cards", n=fight.taken)))
    parts: list[ui.Item[ui.LayoutView] | str] = [title, "\n".join(lines), ui.Separator(), spoiler]
    proof = button(texts("button-proof"), "proof", match.id)
    if match.kind == "house" and shared_by is None:
        again = button(texts("button-again"), "again", style=discord.ButtonStyle.primary)
        parts.append(row(again, button(texts("button-share"), "share", match.id), proof))
    else:
        parts.append(row(proof))
    if shared_by is not None:
        parts.append(texts("quick-shared", name=shared_by))
    elif played.next_commitment is not None:
        parts.append(texts("quick-next", commitment=played.next_commitment))
    elif match.kind == "quick" and not match.counted:
        parts.append(texts("result-not-counted", most=COUNTED_A_DAY))
    return Layout(box(DONE, *parts))


def proof(texts: Texts, match: Match) -> Layout:
    """The text beside a proof's file."""
    before = (
        texts("proof-before", commitment=commitment(match.server_seed))
        if match.committed
        else texts("proof-not-before")
    )
    return Layout(
        ui.TextDisplay(texts("proof-text", match=str(match.id)) + "\n" + before),
        ui.File(f"attachment://{proof_file_name(match)}"),
    )


def proof_file_name(match: Match) -> str:
    return f"war-{match.id}-proof.json"


# ---- leaderboard and rules --------------------------------------------------------------------------------------


def leaderboard(texts: Texts, server: str, page: Page, *, kind: str, asker_user_id: int) -> Layout:
    """A page of a server's leaderboard, with the row of who asked wherever it stands."""
    title = texts("leaders-title", server=clean(server, texts("nameless")))
    about = texts("leaders-played" if kind == "match" else "leaders-quick")
    rows = [_standing(texts, standing) for standing in page.rows]
    parts: list[ui.Item[ui.LayoutView] | str] = [
        title + "\n" + about,
        "\n".join(rows) if rows else texts("leaders-empty"),
    ]
    if rows:
        own = texts("leaders-none-own") if page.own is None else texts("leaders-own", row=_standing(texts, page.own))
        parts += [ui.Separator(), own]
    number = 0 if kind == "match" else 1
    parts.append(
        row(
            button(
                texts("button-previous"),
                "leaders",
                number,
                max(0, page.number - 1),
                asker_user_id,
                disabled=page.number == 0,
            ),
            button(
                texts("button-next"),
                "leaders",
                number,
                page.number + 1,
                asker_user_id,
                disabled=page.number + 1 >= page.pages,
            ),
            button(
                texts("button-leaders-quick" if kind == "match" else "button-leaders-played"),
                "leaderkind",
                1 - number,
                asker_user_id,
            ),
        )
    )
    parts.append(texts("leaders-page", page=page.number + 1, pages=page.pages, most=COUNTED_A_DAY))
    return Layout(box(DONE, *parts))


def _standing(texts: Texts, standing: Standing) -> str:
    return texts(
        "leaders-row",
        rank=standing.rank,
        name=shown_name(texts, standing.person),
        wins=texts("leaders-wins", n=standing.wins),
        record=texts("leaders-record", draws=standing.draws, losses=standing.losses),
    )


def rules(texts: Texts, chosen: Rules) -> Layout:
    """The rules as they are played, with an example each."""
    size = chosen.deck_size
    lines = [
        texts("rules-title"),
        texts("rules-deal", deck=size, each=size // 2),
        texts("rules-round"),
        texts("rules-war", facedown=texts("cards", n=chosen.face_down), pot=texts("cards", n=4 + 2 * chosen.face_down)),
        texts("rules-three"),
        texts(f"rules-short-{chosen.shortage}"),
        texts(f"rules-order-{chosen.order}"),
        texts(f"rules-left-{chosen.leftover}", deck=size, left=texts("cards", n=size % 5)),
        texts("rules-end", cap=chosen.max_rounds),
        texts("rules-name", preset=preset_label(texts, chosen)),
    ]
    return text("\n".join(lines))
