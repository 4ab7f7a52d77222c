"""What happened, in words: facts of the engine in, sentences out. The cogs put them on boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.i18n import Texts
from bot.pictures.turning import course_of, turning_round
from engine.cards import Card, Rank
from engine.facts import Battle, Outcome, Round, Termination, rounds_of
from engine.headlines import Headline, Kind
from engine.rules import Rules
from engine.story import Story

Show = Callable[[Card], str]
"""How a card is written: `str` gives "Q♠", which reads well everywhere; text boards may have an emoji for it."""

BAR = 8
"""Blocks in the bar of cards held: a line of a board should fit a phone."""


WAYS = 6
"""In how many ways a sentence beside the facts can be said. Which one it is follows from the battle, so a board that is
painted again says the same."""

GREAT_POT = 16
"""Cards from which a pot deserves a remark: a double war between two takes 18, with two face-down 14."""


def bar(cards: int, of: int) -> str:
    """The share of cards held as blocks; somebody with a card is never shown with none, nor with all while others hold
    one.

    >>> bar(26, 52), bar(1, 52), bar(51, 52), bar(0, 52)
    ('▰▰▰▰▱▱▱▱', '▰▱▱▱▱▱▱▱', '▰▰▰▰▰▰▰▱', '▱▱▱▱▱▱▱▱')
    """
    full = round(BAR * cards / of) if of else 0
    if 0 < cards < of:
        full = min(max(full, 1), BAR - 1)
    return "▰" * full + "▱" * (BAR - full)


def percents(chances: Sequence[float]) -> list[int]:
    """Chances that make 1, as people read them: whole numbers that make 100, and only what is certain is 0 or 100.

    The largest remainders are rounded up.

    >>> percents([0.25, 0.255, 0.495]), percents([0.999, 0.001]), percents([1.0, 0.0])
    ([25, 26, 49], [99, 1], [100, 0])
    """
    shown = [min(99, max(1, int(chance * 100))) if 0 < chance < 1 else round(chance * 100) for chance in chances]
    unsure = [seat for seat, chance in enumerate(chances) if 0 < chance < 1]
    while unsure and (left := 100 - sum(shown)):
        step = 1 if left > 0 else -1
        movable = [seat for seat in unsure if 1 <= shown[seat] + step <= 99]
        shown[max(movable, key=lambda seat: step * (chances[seat] * 100 - shown[seat]))] += step
    return shown


def listed(texts: Texts, names: Sequence[str]) -> str:
    """Names as a list: "Alice, Bob and Cleo"."""
    if len(names) < 2:
        return "".join(names)
    return texts("list-pair", first=", ".join(names[:-1]), second=names[-1])


def turn(
    texts: Texts,
    names: Sequence[str],
    rules: Rules,
    battles: Sequence[Battle],
    show: Show = str,
    *,
    gave_up: Sequence[int] = (),
    pot: int = 0,
) -> list[str]:
    """The turn last played: how a war that hung was settled, the rounds after it in a line, and the tie at its end.

    `gave_up` are the seats that forfeited since; their cards lie in the `pot` (cards on the table) as well.
    """
    lines: list[str] = []
    rounds = list(rounds_of(battles))
    opening = rounds and battles[0].depth > 0
    if opening:
        lines += _settled(texts, names, rounds[0], show)
    plain = [each for each in rounds[1 if opening else 0 :] if each.over]
    hanging = rounds[-1].battles[-1] if rounds and not rounds[-1].over else None
    if len(plain) == 1:
        lines += _settled(texts, names, plain[0], show)
    elif plain:
        key = "told-rounds" if opening else "told-rounds-first"
        lines.append(texts(key, rounds=texts("rounds", n=len(plain)), shares=_shares(texts, names, plain)))
    for battle in battles:
        lines += [texts("told-out", name=names[seat]) for seat in battle.out]
    lines += [texts("told-gave-up", name=names[seat]) for seat in gave_up]
    if hanging is not None:
        key = "told-tie" if hanging.depth == 0 else "told-tie-again"
        tied = _tied_cards(texts, names, hanging, show)
        call = _call(texts, names, hanging, rules.face_down + 1)
        lines.append(texts(key, cards=tied, pot=texts("cards", n=max(pot, hanging.pot)), call=call))
    return lines


def _call(texts: Texts, names: Sequence[str], tie: Battle, war_takes: int) -> str:
    """What there is to say about a tie besides the facts: the rarest thing that holds of it. A war takes so many cards
    of each: who has no more fights with the last."""
    pick = tie.step % WAYS
    for seat in tie.tied:
        if 0 < (left := tie.counts[seat]) <= war_takes:
            return texts("call-all-in", pick=pick, name=names[seat], cards=texts("cards", n=left))
    # A tied seat that had no card left may not have turned one: its earlier one goes on comparing.
    rank = next(card.rank for seat, card in tie.turned if seat in tie.tied)
    if rank is Rank.ACE:
        return texts("call-aces", pick=pick)
    if rank is Rank.TWO:
        return texts("call-twos", pick=pick)
    if len(tie.tied) > 2:
        return texts("call-many", pick=pick, n=len(tie.tied))
    return texts("call-again" if tie.depth else "call-next", pick=pick)


def _remark(texts: Texts, names: Sequence[str], last: Battle) -> list[str]:
    """A sentence about what a war brought, where that was a lot."""
    if last.winner is None or last.taken < GREAT_POT:
        return []
    return [texts("remark-pot", pick=last.step % WAYS, name=names[last.winner])]


def _settled(texts: Texts, names: Sequence[str], one: Round, show: Show) -> list[str]:
    last = one.battles[-1]
    lines = [
        texts(f"told-dropped-{drop.reason}", name=names[drop.seat]) for battle in one.battles for drop in battle.dropped
    ]
    if not one.over:
        return lines
    taken = texts("cards", n=last.taken)
    if last.winner is None:
        return [*lines, texts("told-carried", pot=texts("cards", n=last.pot))]
    turned = dict(last.turned)
    if last.winner not in turned:
        lines.append(texts("told-war-alone", winner=names[last.winner], taken=taken))
        return lines + _remark(texts, names, last)
    lost = [(names[seat], show(card)) for seat, card in last.turned if seat != last.winner]
    others = listed(texts, [texts("told-whose-card", name=name, card=card) for name, card in lost])
    key = "told-war-won" if last.depth else "told-battle"
    lines.append(texts(key, winner=names[last.winner], card=show(turned[last.winner]), others=others, taken=taken))
    return lines + _remark(texts, names, last)


def _shares(texts: Texts, names: Sequence[str], rounds: Sequence[Round]) -> str:
    shares: list[str] = []
    for seat, name in enumerate(names):
        won = sum(1 for each in rounds if each.winner == seat)
        if won:
            shares.append(texts("told-share", name=name, n=won))
    return ", ".join(shares)


def _tied_cards(texts: Texts, names: Sequence[str], battle: Battle, show: Show) -> str:
    cards = [
        texts("told-whose-card", name=names[seat], card=show(card))
        for seat, card in battle.turned
        if seat in battle.tied
    ]
    return listed(texts, cards)


def winner(texts: Texts, names: Sequence[str], outcome: Outcome) -> str:
    """Who won, as the heading of a result."""
    if outcome.winner is not None:
        return texts("result-win", name=names[outcome.winner])
    first = [names[seat] for seat, place in enumerate(outcome.placings) if place == 1]
    return texts("result-draw", names=listed(texts, first))


def wars_in(battles: Sequence[Battle]) -> int:
    """How many wars were fought: each tie is one."""
    return sum(1 for battle in battles if battle.tied)


def ending(
    texts: Texts, names: Sequence[str], outcome: Outcome, battles: Sequence[Battle], forfeited: Sequence[int]
) -> str:
    """Why the match ended, in a sentence."""
    rounds = texts("rounds", n=outcome.rounds)
    wars = texts("wars", n=wars_in(battles))
    match outcome.termination:
        case Termination.ALL_CARDS:
            winner = outcome.winner
            assert winner is not None, "somebody holds all cards"
            return texts("result-all-cards", name=names[winner], rounds=rounds, wars=wars)
        case Termination.AGREED:
            return texts("result-agreed", rounds=rounds, wars=wars)
        case Termination.FORFEIT:
            return texts("result-forfeit", name=listed(texts, [names[s] for s in forfeited]), rounds=rounds, wars=wars)
        case Termination.ROUND_CAP:
            return texts("result-round-cap", rounds=rounds, wars=wars)
        case Termination.DRAW:
            return texts("result-drawn", rounds=rounds, wars=wars)


def headline(texts: Texts, names: Sequence[str], head: Headline) -> str | None:
    """The one thing to say about a match, and how rare it is. None where nothing stood out: a plain win speaks for
    itself, and how a match ended is told beside it."""
    if head.kind in UNSAID:
        return None
    name = "" if head.seat is None else names[head.seat]
    said = texts(f"headline-{head.kind}", name=name, n=head.number, round=head.round or 0)
    return said if head.one_in is None else f"{said} {texts('headline-rarity', n=head.one_in)}"


UNSAID = (Kind.PLAIN, Kind.AGREED, Kind.FORFEIT, Kind.ROUND_CAP, Kind.DRAW)


def story(texts: Texts, names: Sequence[str], told: Story, head: Headline, battles: Sequence[Battle]) -> list[str]:
    """Two lines beside the headline: what moved the match (the round that the chart has a star for, and how often the
    lead changed), and how the aces fell."""
    moved: list[str] = []
    course = course_of(battles) if battles else None
    place = None if course is None else turning_round(course)
    if course is not None and place is not None:
        turned = course.rounds[place]
        assert turned.winner is not None, "somebody took the pot that turned the match"
        ends = course.counts[-1]
        turned_it = turned.wars and ends[turned.winner] == max(ends)  # else it is the biggest pot, whoever took it
        key = "story-star-war" if turned_it else "story-star"
        cards = texts("cards", n=turned.taken)
        moved.append(texts(key, cards=cards, name=names[turned.winner], round=turned.number))
    if told.lead_changes and head.kind is not Kind.SEESAW:
        moved.append(texts("story-lead", n=told.lead_changes))
    lines = [" ".join(moved)] if moved else []
    if head.kind is not Kind.NO_ACES:
        shares = [
            texts("story-ace-share", name=name, n=aces)
            for name, aces in zip(names, told.aces_dealt, strict=True)
            if aces
        ]
        if shares:
            lines.append(texts("story-aces", shares=listed(texts, shares)))
    return lines
