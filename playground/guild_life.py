"""What happens to the server as a whole, as the bot hears of it."""

from __future__ import annotations

from collections.abc import Callable

from playground.errors import Refused
from playground.gateway import Gateway
from playground.shapes import guild_create_shape, role_shape
from playground.world import DELETED, HERE, REMOVED, UNAVAILABLE, World, furnish


class GuildLife:
    """`on_change` is called after each change of what GET /playground/world shows."""

    def __init__(self, world: World, gateway: Gateway, on_change: Callable[[], None]) -> None:
        self._world = world
        self._gateway = gateway
        self._on_change = on_change

    def become(self, presence: str) -> None:
        """Moves the server to another state. Refused: it cannot be reached from the present one.

        GUILD_DELETE says `unavailable` for an outage, and leaves it out when the bot is out. GUILD_CREATE ends both.
        """
        before = self._world.presence
        if presence == before:
            raise Refused(f"The server is {presence} already.", 409)
        if presence == UNAVAILABLE and before != HERE:
            raise Refused(f"The server is {before}: for the bot there is nothing to become unavailable.", 409)
        if presence == REMOVED and before == DELETED:
            raise Refused("The server is deleted: the bot cannot be thrown out of it.", 409)
        self._world.presence = presence
        if presence == HERE:
            self._bring_back(before)
        elif presence == UNAVAILABLE:
            self._gateway.dispatch("GUILD_DELETE", {"id": self._world.guild_id, "unavailable": True})
        else:
            self._gateway.dispatch("GUILD_DELETE", {"id": self._world.guild_id})
        if presence == DELETED:
            for channel in [each for each in self._world.channels_in_order() if not each.is_thread]:
                self._world.remove_channel(channel)
        self._world.changed()
        self._on_change()

    def _bring_back(self, before: str) -> None:
        if before == DELETED:  # nothing brings a deleted server back: the bot is invited to a new one
            self._world.guild_id = self._world.snowflakes.next()
            furnish(self._world)
        self._gateway.dispatch("GUILD_CREATE", guild_create_shape(self._world))

    def set_everyone(self, bits: int) -> None:
        """What the role @everyone may do, the bot included, where a channel says nothing else."""
        self._world.everyone = bits
        self._world.changed()
        role = {"guild_id": self._world.guild_id, "role": role_shape(self._world)}
        self._gateway.dispatch("GUILD_ROLE_UPDATE", role)
        self._on_change()
