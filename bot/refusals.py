"""What people ask for that cannot be. Each is answered in private by a sentence (bot/replies.py); none is a fault."""

from __future__ import annotations

from db.matches import Match
from db.people import Person

Value = str | int | Person
"""What stands in a sentence; a person is shown by a cleaned name."""


class Refusal(Exception):
    """`key` names the sentence in the locales, `values` fills it."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class ChannelBusy(Refusal):
    """Another match is on in the channel."""

    def __init__(self, match: Match) -> None:
        super().__init__("refuse-channel-busy")
        self.match = match


class PlayerBusy(Refusal):
    """Somebody plays in another match of this server; `person` is None when it is who asks."""

    def __init__(self, match: Match, person: Person | None) -> None:
        if person is None:
            super().__init__("refuse-you-are-busy")
        else:
            super().__init__("refuse-they-are-busy", name=person)
        self.match = match


class OldBoard(Refusal):
    """The button is on a message that no longer shows the match."""

    def __init__(self, match: Match) -> None:
        super().__init__("refuse-old-board")
        self.match = match


class StaleTurn(Refusal):
    """The button was drawn for an earlier turn, or an earlier state: paint the message anew."""

    def __init__(self, match: Match) -> None:
        super().__init__("refuse-stale-turn")
        self.match = match
