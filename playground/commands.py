"""Application commands: what the bot synced, and what a person makes of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from playground.errors import invalid_form, unknown_command
from playground.forms import check_commands
from playground.world import Json, World

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUBCOMMAND, GROUP = 1, 2
MOST_COMMANDS = {CHAT_INPUT: 100, USER_MENU: 15, MESSAGE_MENU: 15}
NAME = re.compile(r"[-_'\w]{1,32}")


class CommandBook:
    """The synced commands of the application, global ones and the server's own."""

    def __init__(self, world: World, on_change: Callable[[], None] = lambda: None) -> None:
        self._world = world
        self._on_change = on_change

    def _changed(self) -> None:
        self._world.changed()
        self._on_change()

    def all(self, guild_id: str | None = None) -> list[Json]:
        """The global commands, or those of one server."""
        return [c for c in self._world.commands.values() if c.get("guild_id") == guild_id]

    def get(self, command_id: str, guild_id: str | None = None) -> Json:
        command = self._world.commands.get(command_id)
        if command is None or command.get("guild_id") != guild_id:
            raise unknown_command()
        return command

    def replace(self, wanted: list[Json], guild_id: str | None = None) -> list[Json]:
        """The bulk overwrite: afterwards exactly these exist. Who keeps name and type keeps the id."""
        check_commands(wanted)
        faults = _check(wanted)
        if faults:
            raise invalid_form(faults)
        kept = [self._stored(command, guild_id) for command in wanted]
        for command in self.all(guild_id):
            del self._world.commands[command["id"]]
        for command in kept:
            self._world.commands[command["id"]] = command
        self._changed()
        return kept

    def put(self, command: Json, guild_id: str | None = None) -> Json:
        """Creates one command, or overwrites the one of the same name and type."""
        check_commands([command])
        faults = _check([command])
        if faults:
            raise invalid_form(faults)
        stored = self._stored(command, guild_id)
        self._world.commands[stored["id"]] = stored
        self._changed()
        return stored

    def delete(self, command_id: str, guild_id: str | None = None) -> None:
        self.get(command_id, guild_id)
        del self._world.commands[command_id]
        self._changed()

    def _stored(self, command: Json, guild_id: str | None) -> Json:
        kind = command.get("type") or CHAT_INPUT
        old = next((c for c in self.all(guild_id) if c["name"] == command["name"] and c["type"] == kind), None)
        body = {
            "default_member_permissions": None,
            "nsfw": False,
            "description": "",
            "contexts": None,
            "integration_types": [0],
            **{key: value for key, value in command.items() if value is not None},
            "type": kind,
            "application_id": self._world.bot.id,
        }
        if guild_id:
            body["guild_id"] = guild_id
        if body["default_member_permissions"] is not None:
            # Discord takes a number too (discord.py sends one), and always gives it back as text.
            body["default_member_permissions"] = str(body["default_member_permissions"])
        if old and {**old, "id": "", "version": ""} == {**body, "id": "", "version": ""}:
            return old  # nothing changed: id and version stay
        command_id = old["id"] if old else self._world.snowflakes.next()
        return {**body, "id": command_id, "version": self._world.snowflakes.next()}


def _check(commands: list[Json]) -> list[tuple[str, str, str]]:
    """What Discord refuses of a list of commands beyond the types of its fields."""
    faults: list[tuple[str, str, str]] = []
    seen: set[tuple[int, str]] = set()
    counts: dict[int, int] = {}
    for index, command in enumerate(commands):
        kind = command.get("type") or CHAT_INPUT
        counts[kind] = counts.get(kind, 0) + 1
        name = command.get("name") or ""
        if (kind, name) in seen:
            faults.append(
                (
                    f"{index}.name",
                    "APPLICATION_COMMANDS_DUPLICATE_NAME",
                    "Application command names must be unique",
                )
            )
        seen.add((kind, name))
        if kind == CHAT_INPUT:
            faults += _check_node(str(index), command, depth=0)
        elif not 1 <= len(name) <= 32:
            faults.append((f"{index}.name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 32 in length."))
    for kind, count in counts.items():
        if count > MOST_COMMANDS.get(kind, 100):
            faults.append(("_", "APPLICATION_COMMANDS_MAX", f"Too many commands of type {kind}."))
    return faults


def _check_node(path: str, node: Json, depth: int) -> list[tuple[str, str, str]]:
    faults: list[tuple[str, str, str]] = []
    name = node.get("name") or ""
    if not NAME.fullmatch(name) or name != name.lower():
        faults.append((f"{path}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"))
    if not 1 <= len(node.get("description") or "") <= 100:
        faults.append((f"{path}.description", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."))
    options = node.get("options") or []
    if len(options) > 25 or len(node.get("choices") or []) > 25:
        faults.append((path, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length."))
    optional_seen = False
    names: set[str] = set()
    for index, option in enumerate(options):
        here = f"{path}.options.{index}"
        faults += _check_node(here, option, depth + 1)
        if option.get("name") in names:
            faults.append(
                (
                    f"{here}.name",
                    "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                    "Option name already exists",
                )
            )
        names.add(option.get("name"))
        if option.get("type") in (SUBCOMMAND, GROUP):
            if depth >= 2:
                faults.append((here, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Nested too deep."))
            continue
        if option.get("required") and optional_seen:
            faults.append(
                (
                    here,
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
            )
        optional_seen = optional_seen or not option.get("required")
    return faults


def command_name(data: Json) -> str:
    """The whole name of an invoked command, from its interaction's data: `war challenge`."""
    names = [data["name"]]
    options = data.get("options") or []
    while options and options[0]["type"] in (SUBCOMMAND, GROUP):
        names.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(names)
