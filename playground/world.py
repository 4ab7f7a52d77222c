"""What exists: one server, its people, channels, messages and files. No I/O, no protocol."""

from __future__ import annotations

import colorsys
import re
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from playground import permissions
from playground.clock import iso_now
from playground.errors import Refused
from playground.snowflakes import Snowflakes

Json = dict[str, Any]

ATTACHMENT_LIMIT = 10 * 1024 * 1024
"""Largest file that a bot may attach, in bytes (Discord's limit without boosts)."""

LINGERING = 16
"""So many files can still be fetched after they are gone, as from Discord's CDN, where a picture outlives the edit that
replaced it: a page asks for a board's picture a moment later, and boards change several times a second."""

TEXT_CHANNEL = 0
PUBLIC_THREAD = 11

PEOPLE = (
    ("Alice", "#c2410c"),
    ("Bob", "#1d4ed8"),
    ("Cleo", "#7e22ce"),
    ("Dan", "#15803d"),
    ("Esther", "#be123c"),
    ("Finn", "#0f766e"),
)
"""Who lives here at the start, each with a colour on which white letters read well."""

CHANNELS = ("the-table", "side-room", "attic")
THREAD = "thread of side-room"


@dataclass(slots=True)
class User:
    """A person, or the bot. `colour` is `#rrggbb`, for the page; Discord has no such field.

    `nick` is the name in this server. Who `left` is known by id, but is no member and can do nothing here.
    """

    id: str
    name: str
    colour: str
    joined_at: str
    bot: bool = False
    nick: str | None = None
    left: bool = False


def shown_by(components: object) -> Iterator[str]:
    """The ids of the files that components show, as the components are given back."""
    if isinstance(components, dict):
        if "attachment_id" in components:
            yield components["attachment_id"]
        components = list(components.values())
    if isinstance(components, list):
        for each in components:
            yield from shown_by(each)


@dataclass(slots=True)
class StoredMessage:
    """A message in Discord's own shape. `owner` is the one person who sees it, when it is ephemeral.

    `born_at` is the moment of the server's clock when it was written; `old_edits` are those of the edits that came
    when it was more than an hour old. `faded`: components that an edit took away, by custom_id, each with the moment.
    """

    payload: Json
    owner: str | None = None
    born_at: float = 0.0
    old_edits: list[float] = field(default_factory=list)
    faded: dict[str, tuple[Json, float]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.payload["id"]

    def visible_to(self, user_id: str | None) -> bool:
        return self.owner is None or self.owner == user_id

    def file_ids(self) -> frozenset[str]:
        """The ids of all its files, those that its components show among them."""
        listed = frozenset(each["id"] for each in self.payload["attachments"])
        return listed | frozenset(shown_by(self.payload["components"]))


@dataclass(slots=True)
class Channel:
    """A text channel or a thread; `permissions` are the bot's there (a thread has its parent's)."""

    id: str
    name: str
    type: int
    position: int
    parent_id: str | None
    created_at: str
    permissions: int = permissions.EVERYONE
    archived: bool = False
    locked: bool = False
    archive_changed_at: str | None = None
    messages: dict[str, StoredMessage] = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        return self.type == PUBLIC_THREAD


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that a message carries."""

    id: str
    filename: str
    content_type: str
    data: bytes


@dataclass(slots=True)
class Emoji:
    """One of the application's own emoji. Its image is the file with its id."""

    id: str
    name: str
    animated: bool = False


HERE, UNAVAILABLE, REMOVED, DELETED = "here", "unavailable", "removed", "deleted"
"""How the bot stands to the server: in it; in it, but Discord has an outage; thrown out; there is no server."""


@dataclass(slots=True)
class World:
    """The state of everything that Discord would keep. `changed` is called after each change, to save it.

    `everyone` is what the role @everyone may do. `attachment_limit`: bytes of the largest file that the bot may attach.
    """

    snowflakes: Snowflakes
    guild_id: str
    guild_name: str
    bot: User
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    commands: dict[str, Json] = field(default_factory=dict)
    emojis: dict[str, Emoji] = field(default_factory=dict)
    gone: deque[StoredFile] = field(default_factory=lambda: deque(maxlen=LINGERING))
    presence: str = HERE
    everyone: int = permissions.EVERYONE
    attachment_limit: int = ATTACHMENT_LIMIT
    changed: Callable[[], None] = field(default=lambda: None)

    # people

    def add_user(self, name: object, colour: str | None = None) -> User:
        """A new member. Refused: a name that is no text of 1 to 32 characters."""
        if not isinstance(name, str) or not 1 <= len(name.strip()) <= 32:
            raise Refused("A user needs a name of 1 to 32 characters.")
        user = User(self.snowflakes.next(), name.strip(), colour or self._next_colour(), iso_now())
        self.users[user.id] = user
        self.changed()
        return user

    def user(self, user_id: object) -> User:
        """A person (never the bot) by id. Refused when there is none."""
        if not isinstance(user_id, str) or user_id not in self.users:
            raise Refused(f"No user has the id {user_id!r}; GET /playground/world lists them.")
        return self.users[user_id]

    def member(self, user_id: object) -> User:
        """A person who can do something now. Refused: unknown, has left, or the server is not to be reached."""
        user = self.user(user_id)
        if self.presence != HERE:
            raise Refused(f"The server is {self.presence}: nobody can do anything in it.", 409)
        if user.left:
            raise Refused(f"{user.name} has left the server.", 409)
        return user

    def anyone(self, user_id: str) -> User | None:
        """A person or the bot."""
        return self.bot if user_id == self.bot.id else self.users.get(user_id)

    @property
    def owner(self) -> User:
        """The server belongs to who came first."""
        return next(iter(self.users.values()))

    def _next_colour(self) -> str:
        # Steps of the golden ratio around the colour wheel keep newcomers apart from each other.
        hue = (0.11 + len(self.users) * 0.618034) % 1.0
        red, green, blue = colorsys.hls_to_rgb(hue, 0.33, 0.6)
        return f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"

    # channels

    def add_channel(self, name: object, *, parent: Channel | None = None, position: int | None = None) -> Channel:
        """A new text channel, or a thread when it has a parent. Refused: a bad or taken name."""
        tidy = channel_name(name, thread=parent is not None)
        if any(channel.name == tidy for channel in self.channels.values()):
            raise Refused(f"There is a channel called {tidy} already.", 409)
        if position is None:
            position = 1 + max((channel.position for channel in self.channels.values()), default=-1)
        channel = Channel(
            id=self.snowflakes.next(),
            name=tidy,
            type=PUBLIC_THREAD if parent else TEXT_CHANNEL,
            position=position,
            parent_id=parent.id if parent else None,
            created_at=iso_now(),
        )
        self.channels[channel.id] = channel
        self.changed()
        return channel

    def channel(self, channel_id: object, status: int = 400) -> Channel:
        """A channel by id. Refused, with that HTTP status, when there is none."""
        if not isinstance(channel_id, str) or channel_id not in self.channels:
            raise Refused(f"No channel has the id {channel_id!r}; GET /playground/world lists them.", status)
        return self.channels[channel_id]

    def channel_named(self, name: str) -> Channel | None:
        return next((channel for channel in self.channels.values() if channel.name == name), None)

    def channels_in_order(self) -> list[Channel]:
        """Channels by position, each followed by its threads."""
        texts = sorted((c for c in self.channels.values() if not c.is_thread), key=lambda c: c.position)
        threads = sorted((c for c in self.channels.values() if c.is_thread), key=lambda c: int(c.id))
        ordered: list[Channel] = []
        for text in texts:
            ordered.append(text)
            ordered.extend(thread for thread in threads if thread.parent_id == text.id)
        return ordered

    def remove_channel(self, channel: Channel) -> list[Channel]:
        """Takes a channel, its threads and all that was written there away; returns them, threads first."""
        gone = [c for c in self.channels.values() if c.parent_id == channel.id]
        gone.append(channel)
        for each in gone:
            del self.channels[each.id]
            for message in each.messages.values():
                self.forget_files(message.file_ids())
        self.changed()
        return gone

    def bot_permissions(self, channel: Channel) -> int:
        """What the bot may do in a channel: its role's permissions, and what the channel allows or denies besides.
        A thread follows its parent."""
        parent = self.channels.get(channel.parent_id) if channel.parent_id else None
        allow, deny = overwrite(parent or channel)
        return self.everyone & ~deny | allow

    # messages and files

    def messages(self) -> Iterator[tuple[Channel, StoredMessage]]:
        for channel in self.channels.values():
            for message in channel.messages.values():
                yield channel, message

    def find_message(self, message_id: object) -> tuple[Channel, StoredMessage] | None:
        """A message and its channel, wherever it is."""
        for channel in self.channels.values():
            if isinstance(message_id, str) and message_id in channel.messages:
                return channel, channel.messages[message_id]
        return None

    def forget_files(self, ids: Iterable[str]) -> None:
        """Drops the files with these ids."""
        for file_id in ids:
            file = self.files.pop(file_id, None)
            if file is not None:
                self.gone.append(file)

    def served_file(self, file_id: str) -> StoredFile | None:
        """A file by id; one that has gone lately too."""
        return self.files.get(file_id) or next((file for file in self.gone if file.id == file_id), None)


def overwrite(channel: Channel) -> tuple[int, int]:
    """What a channel allows and denies the bot beyond what @everyone may do at the start."""
    return channel.permissions & ~permissions.EVERYONE, permissions.EVERYONE & ~channel.permissions


def channel_name(name: object, *, thread: bool = False) -> str:
    """A channel's name as Discord keeps it: 1 to 100 characters; text channels in lower case with dashes."""
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= 100:
        raise Refused("A channel needs a name of 1 to 100 characters.")
    tidy = name.strip()
    return tidy if thread else re.sub(r"\s+", "-", tidy.lower())


def username(display_name: str) -> str:
    """A handle from a display name: what Discord allows in one (a-z, 0-9, dot, underscore)."""
    plain = unicodedata.normalize("NFKD", display_name).encode("ascii", "ignore").decode().lower()
    handle = re.sub(r"[^a-z0-9._]+", "_", plain).strip("_.")
    return handle if len(handle) >= 2 else f"player_{handle}".rstrip("_")


def fresh_world() -> World:
    """The world as everyone first meets it: "War Room", six people, three channels and a thread."""
    snowflakes = Snowflakes()
    bot = User(snowflakes.next(), "War", "#4f46e5", iso_now(), bot=True)
    world = World(snowflakes, guild_id=snowflakes.next(), guild_name="War Room", bot=bot)
    for name, colour in PEOPLE:
        world.add_user(name, colour)
    furnish(world)
    return world


def furnish(world: World) -> None:
    """Puts the first channels and the thread into a server that has none."""
    for name in CHANNELS:
        world.add_channel(name)
    world.add_channel(THREAD, parent=world.channel_named("side-room"))
