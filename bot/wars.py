"""Wars at hand: a bounded cache of what would otherwise be dealt and played again from the stored seeds.

The database has the truth. Whatever is kept here is checked against the stored match and thrown away when it does not
fit.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from db.matches import Match
from engine.facts import Battle
from engine.war import War

CACHED = 512
"""Live matches whose war is kept; about 10 kB each."""


@dataclass(frozen=True, slots=True)
class Played:
    """A war and the battles of its last turn."""

    war: War
    told: tuple[Battle, ...]


class Wars:
    """The cache. A war can be played on, so whoever does takes it out, and only a stored result puts one back."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Played] = OrderedDict()

    def look(self, match: Match) -> Played:
        """The war of a match that is on, to be read."""
        played = self._kept.get(match.id)
        if played is None or not _fits(played.war, match):
            played = replayed(match, told_from=match.told_from)
        self.keep(match.id, played)
        return played

    def take(self, match: Match) -> War:
        """The war of a match that is on, to be played on."""
        played = self._kept.pop(match.id, None)
        if played is None or not _fits(played.war, match):
            played = replayed(match, told_from=match.told_from)
        return played.war

    def keep(self, match_id: int, played: Played) -> None:
        """Put a war in; the one that was looked at longest ago goes."""
        self._kept[match_id] = played
        self._kept.move_to_end(match_id)
        while len(self._kept) > CACHED:
            self._kept.popitem(last=False)

    def forget(self, match_id: int) -> None:
        """A match is no longer on."""
        self._kept.pop(match_id, None)


def _fits(war: War, match: Match) -> bool:
    return war.steps == match.steps and war.acts == match.acts


def replayed(match: Match, *, told_from: int) -> Played:
    """The war of a stored match, dealt and played again, with the battles from that step on."""
    assert match.client_seed is not None, "only a match that was dealt can be replayed"
    before = [act for act in match.acts if act.step < told_from]
    after = [act for act in match.acts if act.step >= told_from]
    war = War.replay(match.rules, match.table.seats, match.server_seed, match.client_seed, before, told_from)
    return Played(war, tuple(war.play(after, match.steps)))
