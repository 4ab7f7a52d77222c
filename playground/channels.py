"""People and channels coming and going: the world changes, the gateway and the watchers hear of it."""

from __future__ import annotations

from collections.abc import Callable

from playground.errors import Refused
from playground.gateway import Gateway
from playground.permissions import ALL
from playground.shapes import channel_shape, member_permissions, member_shape, user_shape
from playground.world import Channel, Json, User, World, channel_name


def channel_summary(world: World, channel: Channel) -> Json:
    """A channel as the HTTP interface shows it."""
    return {
        "id": channel.id,
        "name": channel.name,
        "type": channel.type,
        "parent_id": channel.parent_id,
        "position": channel.position,
        "permissions": str(world.bot_permissions(channel)),
        "archived": channel.archived,
        "locked": channel.locked,
    }


def user_summary(world: World, user: User) -> Json:
    """A person as the HTTP interface shows them: Discord's user with the plain name, a colour, and what they may do."""
    return user_shape(user) | {
        "name": user.name,
        "nick": user.nick,
        "colour": user.colour,
        "left": user.left,
        "permissions": member_permissions(world, user),
    }


class ChannelDesk:
    """`on_change` is called after each change of what GET /playground/world shows."""

    def __init__(self, world: World, gateway: Gateway, on_change: Callable[[], None]) -> None:
        self._world = world
        self._gateway = gateway
        self._on_change = on_change

    def add_user(self, name: object) -> Json:
        user = self._world.add_user(name)
        joined = member_shape(user) | {"guild_id": self._world.guild_id}
        self._gateway.dispatch("GUILD_MEMBER_ADD", joined)
        self._on_change()
        return user_summary(self._world, user)

    def add_thread(self, name: object, parent_id: object) -> Json:
        """A new thread of a text channel. Refused: the parent is a thread itself, or is not there."""
        parent = self._world.channel(parent_id)
        if parent.is_thread:
            raise Refused(f"{parent.name} is a thread: it can have none of its own.")
        thread = self._world.add_channel(name, parent=parent)
        created = channel_shape(self._world, thread) | {"newly_created": True}
        self._gateway.dispatch("THREAD_CREATE", created)
        self._on_change()
        return channel_summary(self._world, thread)

    def add_or_change(self, name: object, permissions: object = None) -> Json:
        """A new channel; one of that name that exists gets the permissions, which must be given then."""
        bits = None if permissions is None else permission_bits(permissions)
        channel = self._world.channel_named(channel_name(name))
        if channel is None or bits is None:
            channel = self._announce_new(self._world.add_channel(name))
        if bits is not None:
            self.set_permissions(channel, bits)
        return channel_summary(self._world, channel)

    def set_permissions(self, channel: Channel, bits: int) -> None:
        """What the bot may do in a text channel and its threads, as a bit set of Discord's permissions."""
        if channel.is_thread:
            raise Refused(f"{channel.name} is a thread: set the permissions of its channel.")
        channel.permissions = bits
        self._world.changed()
        self._gateway.dispatch("CHANNEL_UPDATE", channel_shape(self._world, channel))
        self._on_change()

    def set_left(self, user: User, left: bool) -> None:
        """A person leaves the server, or joins it again. Refused: they did so already."""
        if user.left == left:
            raise Refused(f"{user.name} has {'left' if left else 'joined'} already.", 409)
        user.left = left
        self._world.changed()
        where = {"guild_id": self._world.guild_id}
        if left:
            self._gateway.dispatch("GUILD_MEMBER_REMOVE", {**where, "user": user_shape(user)})
        else:
            self._gateway.dispatch("GUILD_MEMBER_ADD", member_shape(user) | where)
        self._on_change()

    def rename(self, user: User, name: str, *, as_nick: bool) -> None:
        """Gives a person another name, or a nickname in this server ("" takes it away). Any text is taken as it is."""
        if as_nick:
            user.nick = name or None
        else:
            user.name = name
        self._world.changed()
        self._gateway.dispatch("GUILD_MEMBER_UPDATE", member_shape(user) | {"guild_id": self._world.guild_id})
        self._on_change()

    def replace(self, channel: Channel) -> Channel:
        """Deletes a channel with its threads, and puts an empty one of the same name in its place."""
        name, position, bits = channel.name, channel.position, channel.permissions
        self.delete(channel)
        fresh = self._world.add_channel(name, position=position)
        fresh.permissions = bits
        return self._announce_new(fresh)

    def delete(self, channel: Channel) -> None:
        shapes = {c.id: channel_shape(self._world, c) for c in self._world.channels.values()}
        for gone in self._world.remove_channel(channel):
            event = "THREAD_DELETE" if gone.is_thread else "CHANNEL_DELETE"
            self._gateway.dispatch(event, shapes[gone.id])
        self._on_change()

    def _announce_new(self, channel: Channel) -> Channel:
        self._gateway.dispatch("CHANNEL_CREATE", channel_shape(self._world, channel))
        self._on_change()
        return channel


def permission_bits(permissions: object) -> int:
    """A bit set as a script gives it, a number or a text of digits. Refused when it is neither."""
    text = str(permissions)
    if isinstance(permissions, bool) or not (text.isascii() and text.isdigit()) or int(text) > ALL:
        raise Refused('"permissions" is a bit set of Discord permissions, such as "274878024704".')
    return int(text)
