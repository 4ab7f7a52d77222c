"""How a seat looks: the player's own choice (card back, emblem), and the mark of its place (colour and shape)."""

from __future__ import annotations

from dataclasses import dataclass

BACKS = ("stripes", "diamonds", "waves", "stars")
EMBLEMS = ("crown", "shield", "star", "leaf", "flame", "anchor", "moon", "bolt")


@dataclass(frozen=True, slots=True)
class Flair:
    """A player's card back and emblem. Raises ValueError for a name that is not in `BACKS` or `EMBLEMS`."""

    back: str = BACKS[0]
    emblem: str = EMBLEMS[0]

    def __post_init__(self) -> None:
        if self.back not in BACKS:
            raise ValueError(f"There is no card back {self.back!r:.40}; choose one of {', '.join(BACKS)}.")
        if self.emblem not in EMBLEMS:
            raise ValueError(f"There is no emblem {self.emblem!r:.40}; choose one of {', '.join(EMBLEMS)}.")


@dataclass(frozen=True, slots=True)
class Mark:
    """A seat's colour and shape, never one without the other. `text` is the same mark for messages."""

    colour: str
    shape: str
    text: str


MARKS = (
    Mark("blue", "circle", "🔵"),
    Mark("orange", "square", "🟧"),
    Mark("red", "triangle", "🔺"),
    Mark("violet", "heart", "💜"),
    Mark("yellow", "star", "⭐"),
    Mark("pink", "flower", "🌸"),
)
"""By seat."""


def default_flairs(seats: int) -> tuple[Flair, ...]:
    """What players look like who have chosen nothing: all different, by seat.

    >>> default_flairs(2)
    (Flair(back='stripes', emblem='crown'), Flair(back='diamonds', emblem='shield'))
    """
    return tuple(Flair(BACKS[seat % len(BACKS)], EMBLEMS[seat % len(EMBLEMS)]) for seat in range(seats))
