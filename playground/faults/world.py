"""Faults of the world: what moderators, owners and outages do to messages, channels, people and the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from playground.channels import ChannelDesk, channel_summary, permission_bits, user_summary
from playground.errors import Refused
from playground.faults.form import FaultForm
from playground.guild_life import GuildLife
from playground.messages import MessageDesk
from playground.permissions import NAMES
from playground.threads import ThreadKeeper
from playground.world import DELETED, HERE, REMOVED, UNAVAILABLE, Json, World

STATES = {"unavailable": UNAVAILABLE, "available": HERE, "removed": REMOVED, "invited": HERE, "deleted": DELETED}
"""What "state" of the fault "server" is called, and what the server becomes."""


class WorldFaults:
    """All of them are done at once and stay: DELETE does not undo them."""

    def __init__(
        self,
        world: World,
        messages: MessageDesk,
        channels: ChannelDesk,
        threads: ThreadKeeper,
        guild: GuildLife,
        on_change: Callable[[], None],
    ) -> None:
        self._world = world
        self._messages = messages
        self._channels = channels
        self._threads = threads
        self._guild = guild
        self._on_change = on_change

    def doers(self) -> Mapping[str, Callable[[str, FaultForm], Json]]:
        return {
            "delete": self._delete,
            "server": self._server,
            "member": self._member,
            "permissions": self._permissions,
            "thread": self._thread,
            "rename": self._rename,
        }

    def _delete(self, do: str, form: FaultForm) -> Json:
        """A message, or a channel or thread with all that is in it."""
        if form.has("message"):
            found = self._world.find_message(form.anything("message"))
            form.end()
            if found is None:
                raise Refused(f"There is no message {form.shown['message']!r}.", 404)
            self._messages.delete(*found)
        else:
            channel = self._world.channel(form.anything("channel"), status=404)
            form.end()
            self._channels.delete(channel)
        return form.shown

    def _server(self, do: str, form: FaultForm) -> Json:
        state = form.choice("state", tuple(STATES))
        form.end()
        expected = {"available": (UNAVAILABLE,), "invited": (REMOVED, DELETED)}.get(state)
        if expected and self._world.presence not in expected:
            raise Refused(f"The server is {self._world.presence}, so it cannot become {state}.", 409)
        self._guild.become(STATES[state])
        return {**form.shown, "server": self._world.guild_id}

    def _member(self, do: str, form: FaultForm) -> Json:
        user = self._world.user(form.anything("user"))
        left = form.choice("state", ("left", "joined")) == "left"
        form.end()
        self._channels.set_left(user, left)
        return {**form.shown, "member": user_summary(self._world, user)}

    def _permissions(self, do: str, form: FaultForm) -> Json:
        """The bot's in a channel (by an overwrite), or without one the server's (by the role @everyone)."""
        channel = self._world.channel(form.anything("channel"), status=404) if form.has("channel") else None
        bits = channel.permissions if channel else self._world.everyone
        if form.has("permissions"):
            bits = permission_bits(form.anything("permissions"))
        for name in form.names("lose"):
            bits &= ~_bit(name)
        for name in form.names("gain"):
            bits |= _bit(name)
        form.end()
        if channel is None:
            self._guild.set_everyone(bits)
            return {**form.shown, "permissions": str(bits)}
        self._channels.set_permissions(channel, bits)
        return {**form.shown, "permissions": channel_summary(self._world, channel)["permissions"]}

    def _thread(self, do: str, form: FaultForm) -> Json:
        thread = self._world.channel(form.anything("channel"), status=404)
        archived = form.flag("archived", thread.archived)
        locked = form.flag("locked", thread.locked)
        form.end()
        if not thread.is_thread:
            raise Refused(f"{thread.name} is no thread: only threads are archived and locked.")
        self._threads.change(thread, archived=archived, locked=locked)
        self._on_change()
        return {**form.shown, "archived": archived, "locked": locked}

    def _rename(self, do: str, form: FaultForm) -> Json:
        """A person's name, or with "nick" the name in this server; any text, hostile ones too."""
        user = self._world.user(form.anything("user"))
        name = form.text("name")
        as_nick = form.flag("nick", False)
        form.end()
        self._channels.rename(user, name, as_nick=as_nick)
        return {**form.shown, "user": user.id}


def _bit(name: str) -> int:
    if name not in NAMES:
        raise Refused(f"There is no permission {name!r} here; there are: {', '.join(NAMES)}.")
    return NAMES[name]
