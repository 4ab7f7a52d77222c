"""What is left of a match that has ended: the result, a quick match, looking back at it, and its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord
from discord import ui

from bot import telling
from bot.aftermath import Aftermath
from bot.gallery import Picture, flairs_of
from bot.host import Board, QuickMatch
from bot.i18n import Texts
from bot.pictures.flair import MARKS
from bot.pictures.view import TableView, table_view
from cogs._layout import (
    DONE,
    WAR,
    Layout,
    box,
    button,
    label_name,
    picture,
    players_line,
    row,
    seat_names,
    shown_name,
)
from cogs._view_board import alt_text
from db.matches import Match
from db.results import COUNTED_A_DAY
from engine.facts import Battle, Outcome
from engine.headlines import headline
from engine.shuffle import commitment
from engine.story import story_of

NEMESIS = 3
"""Matches lost in a row to the same player."""

Parts = list[ui.Item[ui.LayoutView] | str]


def result(texts: Texts, state: Board, after: Aftermath, drawn: Picture | None = None) -> Layout:
    """A match with buttons that has ended. `state.told` must hold all its battles."""
    match, outcome = state.match, state.outcome
    assert outcome is not None, "a result needs an outcome"
    names = seat_names(texts, match)
    forfeited = [act.seat for act in match.acts if act.kind == "forfeit"]
    told = story_of(state.told, state.dealt, outcome)
    head = headline(told, outcome, match.rules)
    parts: Parts = [telling.winner(texts, names, outcome)]
    if (said := telling.headline(texts, names, head)) is not None:
        parts.append(said)
    if drawn is not None:
        parts.append(picture(drawn.name, _chart_alt(texts, match, outcome)))
    parts += [
        telling.ending(texts, names, outcome, state.told, forfeited),
        "\n".join(_placing(texts, names, outcome, seat, forfeited) for seat in _by_place(outcome)),
    ]
    if lines := telling.story(texts, names, told, head, state.told):
        parts += [ui.Separator(), "\n".join(lines)]
    if outcome.winner is not None and after.streak >= NEMESIS:
        loser = names[1 - outcome.winner]
        parts.append(texts("result-nemesis", winner=names[outcome.winner], loser=loser, n=after.streak))
    if (called := _called(texts, outcome, after)) is not None:
        parts.append(called)
    parts.append(_result_buttons(texts, match, after))
    if not match.counted:
        parts.append(texts("result-not-counted", most=COUNTED_A_DAY))
    if after.rematch is not None:
        parts.append(texts("result-rematch-commitment", commitment=commitment(after.rematch.server_seed)))
    parts.append(texts("result-fair"))
    return Layout(box(DONE, *parts))


def _by_place(outcome: Outcome) -> list[int]:
    return sorted(range(len(outcome.placings)), key=lambda seat: (outcome.placings[seat], seat))


def _placing(texts: Texts, names: Sequence[str], outcome: Outcome, seat: int, forfeited: Sequence[int]) -> str:
    if seat in forfeited:
        said = texts("result-placing-gave-up", placing=outcome.placings[seat], name=names[seat])
        return f"{MARKS[seat].text} {said}"
    cards = texts("cards", n=outcome.counts[seat])
    said = texts("result-placing", placing=outcome.placings[seat], name=names[seat], cards=cards)
    return f"{MARKS[seat].text} {said}"


def _called(texts: Texts, outcome: Outcome, after: Aftermath) -> str | None:
    """How many spectators called it, where any said something and somebody won."""
    backers = sum(after.backed)
    if not backers or outcome.winner is None:
        return None
    return texts("result-called", right=after.backed[outcome.winner], all=backers)


def _result_buttons(texts: Texts, match: Match, after: Aftermath) -> ui.ActionRow[ui.LayoutView]:
    replay = button(texts("button-replay"), "replay", match.id, 0)
    proof_button = button(texts("button-proof"), "proof", match.id)
    if after.rematch is None or after.rematch.status != "waiting":
        return row(replay, proof_button)
    wanted, players = after.rematch.table.ready.bit_count(), len(after.rematch.players)
    label = texts("button-rematch-waiting", n=wanted, all=players) if wanted else texts("button-rematch")
    return row(button(label, "rematch", after.rematch.id, style=discord.ButtonStyle.success), replay, proof_button)


def _chart_alt(texts: Texts, match: Match, outcome: Outcome) -> str:
    names = [label_name(texts, player.person) for player in match.players]
    ends = ", ".join(f"{name} {count}" for name, count in zip(names, outcome.counts, strict=True))
    return texts("alt-chart", rounds=texts("rounds", n=outcome.rounds), ends=ends)


def quick(texts: Texts, played: QuickMatch, drawn: Picture | None = None, *, shared_by: str | None = None) -> Layout:
    """A match that played itself: a poster that stands alone, the result under a spoiler, buttons from the start."""
    match, outcome = played.match, played.outcome
    names = seat_names(texts, match)
    if match.kind == "house":
        title = texts("quick-title", name=shown_name(texts, match.host), house=texts("house"))
    else:
        title = texts("quick-title-pair", players=players_line(texts, match))
    wars = texts("wars", n=telling.wars_in(played.battles))
    lines = [texts("quick-poster", rounds=texts("rounds", n=outcome.rounds), wars=wars)]
    fight = max(telling.rounds_of(played.battles), key=lambda each: (each.wars, each.taken))
    if fight.wars:
        lines.append(texts("quick-turning", depth=fight.wars, round=fight.number, cards=texts("cards", n=fight.taken)))
    if outcome.winner is None:
        spoiler = texts("quick-spoiler-draw")
    else:
        cards = texts("cards", n=outcome.counts[outcome.winner])
        spoiler = texts("quick-spoiler-win", name=names[outcome.winner], cards=cards)
    parts: Parts = [title, " · ".join(f"{MARKS[seat].text} **{name}**" for seat, name in enumerate(names))]
    if drawn is not None:
        parts.append(picture(drawn.name, texts("alt-animated", rounds=texts("rounds", n=outcome.rounds), wars=wars)))
    parts += ["\n".join(lines), ui.Separator(), spoiler]
    beside = [
        button(texts("button-replay"), "replay", match.id, 0),
        button(texts("button-proof"), "proof", match.id),
    ]
    if match.kind == "house" and shared_by is None:
        again = button(texts("button-again"), "again", style=discord.ButtonStyle.primary)
        beside = [again, button(texts("button-share"), "share", match.id), *beside]
    parts.append(row(*beside))
    if shared_by is not None:
        parts.append(texts("quick-shared", name=shared_by))
    elif played.next_commitment is not None:
        parts.append(texts("quick-next", commitment=played.next_commitment))
    elif match.kind == "quick" and not match.counted:
        parts.append(texts("result-not-counted", most=COUNTED_A_DAY))
    return Layout(box(DONE, *parts))


@dataclass(frozen=True, slots=True)
class Moment:
    """A match that has ended as it stood after `step` battles (1 to all): `battle` is the last of them."""

    match: Match
    battle: Battle
    view: TableView
    step: int
    steps: int
    wars: tuple[int, ...]
    """The steps at which seats tied."""


def moment_of(played: QuickMatch, step: int) -> Moment:
    """The moment after `step` battles; 0 is the first war, or else the first battle. Past the end is the end."""
    battles = played.battles
    wars = tuple(battle.step for battle in battles if battle.tied)
    step = min(step or (wars[0] if wars else 1), len(battles))
    battle = battles[step - 1]
    in_round = [each for each in battles[:step] if each.round == battle.round]
    over = step == len(battles)
    seats = len(battle.counts)
    out = {seat for each in battles[:step] for seat in each.out}
    view = table_view(
        counts=battle.counts,
        pot=battle.pot,
        tied=battle.tied,
        told=in_round,
        outcome=played.outcome if over else None,
        flairs=flairs_of(played.match),
        out=tuple(seat for seat in range(seats) if seat in out),
    )
    return Moment(played.match, battle, view, step, len(battles), wars)


def moment(texts: Texts, seen: Moment, drawn: Picture | None = None, show: telling.Show = str) -> Layout:
    """One moment of a match, with buttons to the others."""
    match, step = seen.match, seen.step
    names = seat_names(texts, match)
    labels = [label_name(texts, player.person) for player in match.players]
    earlier = [war for war in seen.wars if war < step]
    later = [war for war in seen.wars if war > step]

    def go(key: str, to: int, enabled: bool, which: int) -> ui.Button[ui.LayoutView]:
        # Two buttons may lead to the same step, and custom_ids must differ: the last number tells them apart.
        return button(texts(key), "moment", match.id, to, which, disabled=not enabled)

    parts: Parts = [texts("replay-title", players=players_line(texts, match))]
    if drawn is not None:
        parts.append(picture(drawn.name, alt_text(texts, labels, seen.view)))
    held = zip(names, seen.battle.counts, strict=True)
    parts += [
        " · ".join(f"{MARKS[seat].text} **{name}** {count}" for seat, (name, count) in enumerate(held)),
        "\n".join(telling.turn(texts, names, match.rules, [seen.battle], show)),
        texts("replay-step", step=step, steps=seen.steps, round=seen.battle.round),
        row(
            go("button-first", 1, step > 1, 0),
            go("button-previous-war", earlier[-1] if earlier else 1, bool(earlier), 1),
            go("button-previous-battle", max(1, step - 1), step > 1, 2),
        ),
        row(
            go("button-next-battle", min(seen.steps, step + 1), step < seen.steps, 3),
            go("button-next-war", later[0] if later else seen.steps, bool(later), 4),
            go("button-last", seen.steps, step < seen.steps, 5),
        ),
    ]
    return Layout(box(WAR if seen.battle.tied else DONE, *parts))


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
