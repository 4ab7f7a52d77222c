"""A world that lasts: saved as JSON in a folder, with the files of its messages beside it.

Shape of world.json: `{"format": 1, "base_url", "saved_at" (ms), "last_id", "guild", "bot", "users",
"channels" (each with its messages), "files", "commands", "emojis", "interactions" (those whose token still works)}`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from playground.clock import Clock, wall_ms
from playground.errors import StateBroken
from playground.interactions import Interaction
from playground.messages import EPHEMERAL
from playground.snowflakes import DISCORD_EPOCH_MS, Snowflakes
from playground.world import DELETED, HERE, Channel, Emoji, Json, StoredFile, StoredMessage, User, World

log = logging.getLogger(__name__)

FORMAT = 1
WORLD_FILE = "world.json"
FILES_FOLDER = "files"
DELAY = 0.25
"""Seconds after a change until it is written; what a crash can lose."""
EPHEMERAL_LIFE_MS = 3_600_000
"""Ephemeral messages are not saved after an hour: Discord's own clients forget them as well."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What was read from a state folder."""

    world: World
    interactions: list[Interaction]


def dump(world: World, interactions: list[Interaction], base_url: str, now: float) -> Json:
    """The world as JSON values; `now` is the server's clock, against which interactions are dated."""
    return {
        "format": FORMAT,
        "base_url": base_url,
        "saved_at": wall_ms(),
        "last_id": str(world.snowflakes.last),
        "guild": {
            "id": world.guild_id,
            "name": world.guild_name,
            "presence": world.presence,
            "everyone": str(world.everyone),
        },
        "bot": asdict(world.bot),
        "users": [asdict(user) for user in world.users.values()],
        "channels": [_dump_channel(channel) for channel in world.channels.values()],
        "files": [
            {"id": file.id, "filename": file.filename, "content_type": file.content_type}
            for file in world.files.values()
        ],
        "commands": list(world.commands.values()),
        "emojis": [asdict(emoji) for emoji in world.emojis.values()],
        "interactions": [_dump_interaction(interaction, now) for interaction in interactions],
    }


def _dump_channel(channel: Channel) -> Json:
    return {
        "id": channel.id,
        "name": channel.name,
        "type": channel.type,
        "position": channel.position,
        "parent_id": channel.parent_id,
        "created_at": channel.created_at,
        "permissions": str(channel.permissions),
        "archived": channel.archived,
        "locked": channel.locked,
        "archive_changed_at": channel.archive_changed_at,
        "messages": [
            {"payload": message.payload, "owner": message.owner}
            for message in channel.messages.values()
            if not _is_stale(message)
        ],
    }


def _is_stale(message: StoredMessage) -> bool:
    return bool(message.payload["flags"] & EPHEMERAL) and _age_ms(message.id) > EPHEMERAL_LIFE_MS


def _age_ms(message_id: str) -> int:
    """Its id says when a message was written."""
    return max(0, wall_ms() - (int(message_id) >> 22) - DISCORD_EPOCH_MS)


def _dump_interaction(interaction: Interaction, now: float) -> Json:
    return {
        "id": interaction.id,
        "token": interaction.token,
        "type": interaction.type,
        "user_id": interaction.user_id,
        "channel_id": interaction.channel_id,
        "data": interaction.data,
        "age": now - interaction.created_at,
        "message_id": interaction.message_id,
        "was_delivered": interaction.was_delivered,
        "triggered_by": interaction.triggered_by,
        "acked_after": None if interaction.acked_at is None else interaction.acked_at - interaction.created_at,
        "ack_type": interaction.ack_type,
        "reply_id": interaction.reply_id,
        "followup_ids": interaction.followup_ids,
        "choices": interaction.choices,
        "modal": interaction.modal,
    }


def load(folder: Path, base_url: str, now: float) -> Saved | None:
    """The world saved in `folder`; None when there is none yet.

    Addresses of attachments are turned to `base_url`. Raises StateBroken, with what to do about it.
    """
    path = folder / WORLD_FILE
    if not path.exists():
        return None
    try:
        text = path.read_text(encoding="utf-8")
        saved = json.loads(text)
        if saved["format"] != FORMAT:
            raise StateBroken(
                f"{path} is of format {saved['format']}, this version reads format {FORMAT}: "
                "name another folder for --state, or move this one away."
            )
        saved = json.loads(text.replace(saved["base_url"] + "/attachments/", base_url + "/attachments/"))
        return Saved(_world(saved, folder, now), _interactions(saved, now))
    except OSError as error:
        raise StateBroken(f"The saved world cannot be read: {error}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StateBroken(
            f"{path} does not hold a saved world ({type(error).__name__}: {error}): "
            "name another folder for --state, or move this one away."
        ) from error


def _world(saved: Json, folder: Path, now: float) -> World:
    world = World(
        Snowflakes(last=int(saved["last_id"])),
        guild_id=saved["guild"]["id"],
        guild_name=saved["guild"]["name"],
        bot=User(**saved["bot"]),
    )
    world.presence = saved["guild"].get("presence", HERE)
    world.everyone = int(saved["guild"].get("everyone", world.everyone))
    world.users = {user["id"]: User(**user) for user in saved["users"]}
    world.commands = {command["id"]: command for command in saved["commands"]}
    world.emojis = {emoji["id"]: Emoji(**emoji) for emoji in saved.get("emojis", [])}
    for entry in saved["channels"]:
        messages = entry.pop("messages")
        channel = Channel(**{**entry, "permissions": int(entry["permissions"])})
        for message in messages:
            born_at = now - _age_ms(message["payload"]["id"]) / 1000
            stored = StoredMessage(message["payload"], message["owner"], born_at)
            channel.messages[stored.id] = stored
        world.channels[channel.id] = channel
    for entry in saved["files"]:
        data = (folder / FILES_FOLDER / entry["id"]).read_bytes()
        world.files[entry["id"]] = StoredFile(data=data, **entry)
    if not world.users or not (world.channels or world.presence == DELETED):
        raise ValueError("no users or no channels")
    return world


def _interactions(saved: Json, now: float) -> list[Interaction]:
    away = max(0.0, time.time() - saved["saved_at"] / 1000)
    interactions: list[Interaction] = []
    for entry in saved["interactions"]:
        created_at = now - entry.pop("age") - away
        acked_after = entry.pop("acked_after")
        acked_at = None if acked_after is None else created_at + acked_after
        interaction = Interaction(**entry, created_at=created_at, acked_at=acked_at)
        if interaction.acked:
            interaction.settled.set()
        interactions.append(interaction)
    return interactions


class Saver:
    """Writes the world soon after it changed: whole, to a new file that then takes the old one's place."""

    def __init__(
        self, folder: Path, world: World, alive: Callable[[], list[Interaction]], base_url: str, clock: Clock
    ) -> None:
        self._folder = folder
        self._world = world
        self._alive = alive
        self._base_url = base_url
        self._clock = clock
        self._dirty = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._on_disk: set[str] = set()
        self._writing = asyncio.Lock()

    async def start(self) -> None:
        """Writes the world once, to find out now if the folder cannot be written. Raises StateBroken."""
        try:
            (self._folder / FILES_FOLDER).mkdir(parents=True, exist_ok=True)
            self._on_disk = {path.name for path in (self._folder / FILES_FOLDER).iterdir()}
            await self._write()
        except OSError as error:
            raise StateBroken(f"The world cannot be saved: {error}. Name another folder for --state.") from error
        self._world.changed = self._dirty.set
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Writes what is not written yet and stops."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._write()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            began = time.monotonic()
            try:
                await asyncio.shield(self._write())
            except OSError as error:
                log.error("The world cannot be saved: %s. Trying again.", error)
                self._dirty.set()
            # A big world takes long to write: then it is written less often.
            await asyncio.sleep(max(DELAY, 10 * (time.monotonic() - began)))

    async def _write(self) -> None:
        async with self._writing:
            text = json.dumps(dump(self._world, self._alive(), self._base_url, self._clock()))
            await asyncio.to_thread(self._write_files, text, dict(self._world.files))

    def _write_files(self, text: str, files: dict[str, StoredFile]) -> None:
        """Files first, then the world that names them, then away with those that nothing names."""
        folder = self._folder / FILES_FOLDER
        for file_id in files.keys() - self._on_disk:
            replace_file(folder / file_id, files[file_id].data)
        replace_file(self._folder / WORLD_FILE, text.encode())
        for file_id in self._on_disk - files.keys():
            (folder / file_id).unlink(missing_ok=True)
        self._on_disk = set(files)


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file so that a crash leaves either the old one or the new one, whole."""
    new = path.with_name(path.name + ".new")
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
