"""Threads that are archived or locked: what may still be written there, and how one is woken.

Discord opens an archived thread by itself when somebody sends a message there, unless it is locked: then only those
with MANAGE_THREADS do. Messages that are there already cannot be edited while it is archived.
"""

from __future__ import annotations

from playground import permissions as bits
from playground.clock import iso_now
from playground.errors import thread_archived, thread_locked
from playground.gateway import Gateway
from playground.shapes import channel_shape
from playground.world import Channel, World


class ThreadKeeper:
    """Knows which threads can be written in. Everything is allowed in a channel that is no thread."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self._world = world
        self._gateway = gateway

    def before_sending(self, channel: Channel) -> None:
        """Opens an archived thread for the bot's message. ApiError 50083 (archived) or 160005 when it is locked."""
        if channel.locked and not self._may_manage(channel):
            raise thread_archived() if channel.archived else thread_locked()
        if channel.archived:
            self.change(channel, archived=False)

    def before_editing(self, channel: Channel) -> None:
        """ApiError 50083 when it is archived."""
        if channel.archived:
            raise thread_archived()

    def _may_manage(self, channel: Channel) -> bool:
        return bool(self._world.bot_permissions(channel) & (bits.MANAGE_THREADS | bits.ADMINISTRATOR))

    def change(self, channel: Channel, *, archived: bool | None = None, locked: bool | None = None) -> None:
        """Archives, opens, locks or unlocks a thread, and says so."""
        if archived is not None and archived != channel.archived:
            channel.archived, channel.archive_changed_at = archived, iso_now()
        if locked is not None:
            channel.locked = locked
        self._world.changed()
        self._gateway.dispatch("THREAD_UPDATE", channel_shape(self._world, channel))
