"""What goes wrong while drawing."""

from __future__ import annotations


class PictureError(Exception):
    """A picture could not be drawn. `picture` says which (``table``, ``chart``, ``animated``); the cause is chained.

    The caller sends the board as text instead and logs this.
    """

    def __init__(self, picture: str, reason: str) -> None:
        super().__init__(f"The picture ({picture}) could not be drawn: {reason}. Send the text alone.")
        self.picture = picture
