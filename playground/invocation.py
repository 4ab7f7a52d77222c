"""From "war challenge" and its options to the data of an interaction, as Discord's client would send it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from playground.commands import CHAT_INPUT, GROUP, MESSAGE_MENU, SUBCOMMAND, USER_MENU
from playground.errors import Refused
from playground.shapes import channel_shape, resolved_member, user_shape
from playground.world import Channel, Json, User, World

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command that was found: the root as synced, the names on the way down, and the leaf's options."""

    root: Json
    path: tuple[Json, ...]
    options: tuple[Json, ...]


def find_command(world: World, text: object) -> Invocation:
    """The command that `text` names: `war challenge`, `/war challenge`, or a menu entry's title.

    Refused, with what there is instead, when nothing has that name.
    """
    if not isinstance(text, str) or not text.strip().lstrip("/"):
        raise Refused('A command is written like "war challenge".')
    wanted = text.strip()
    for command in world.commands.values():
        if command["type"] in (USER_MENU, MESSAGE_MENU) and command["name"] == wanted:
            return Invocation(command, (), ())
    words = wanted.lstrip("/").split()
    root = next((c for c in world.commands.values() if c["type"] == CHAT_INPUT and c["name"] == words[0]), None)
    if root is None:
        known = ", ".join(sorted(command["name"] for command in world.commands.values())) or "none"
        raise Refused(f"There is no command {words[0]!r}. The bot has synced: {known}.", 404)
    return _descend(root, words[1:])


def _descend(root: Json, words: list[str]) -> Invocation:
    node = root
    path: list[Json] = []
    for word in words:
        below = _branches(node)
        step = next((option for option in below if option["name"] == word), None)
        if step is None:
            there = ", ".join(option["name"] for option in below) or "nothing"
            raise Refused(f"/{root['name']} has no {word!r} here. Below it: {there}.", 404)
        path.append(step)
        node = step
    if _branches(node):
        there = ", ".join(option["name"] for option in _branches(node))
        raise Refused(f"/{root['name']} needs one of its subcommands: {there}.")
    return Invocation(root, tuple(path), tuple(node.get("options") or ()))


def _branches(node: Json) -> list[Json]:
    return [o for o in node.get("options") or [] if o["type"] in (SUBCOMMAND, GROUP)]


class InvocationBuilder:
    """Builds the `data` of a command's interaction; `focused` names the option being typed (autocomplete)."""

    def __init__(self, world: World, invocation: Invocation, focused: str | None = None) -> None:
        self._world = world
        self._invocation = invocation
        self._focused = focused
        self._resolved: dict[str, dict[str, Json]] = {}

    def build(self, given: object) -> Json:
        """Refused, with a sentence: an unknown or missing option, or a value of the wrong kind."""
        if given is None:
            given = {}
        if not isinstance(given, dict):
            raise Refused('"options" is an object: {"name of the option": value}.')
        root = self._invocation.root
        data: Json = {"id": root["id"], "name": root["name"], "type": root["type"]}
        if "guild_id" in root:
            data["guild_id"] = root["guild_id"]
        if root["type"] == CHAT_INPUT:
            options = self._options(given)
            for step in reversed(self._invocation.path):
                options = [{"name": step["name"], "type": step["type"], "options": options}]
            if options:
                data["options"] = options
        else:
            data["target_id"] = self._target(root["type"], given)
        if self._resolved:
            data["resolved"] = self._resolved
        return data

    def _options(self, given: Json) -> list[Json]:
        known = {option["name"]: option for option in self._invocation.options}
        for name in given:
            if name not in known:
                there = ", ".join(known) or "none"
                raise Refused(f"There is no option {name!r}; this command has: {there}.")
        if self._focused is not None:
            self._check_focus(known)
        filled: list[Json] = []
        for name, option in known.items():
            if name == self._focused:
                value = str(given.get(name, ""))
                filled.append({"name": name, "type": option["type"], "value": value, "focused": True})
            elif given.get(name) is not None:
                value = self._value(option, given[name])
                filled.append({"name": name, "type": option["type"], "value": value})
            elif option.get("required") and self._focused is None:
                raise Refused(f"The option {name!r} is required: {option['description']}.")
        return filled

    def _check_focus(self, known: dict[str, Json]) -> None:
        option = known.get(self._focused or "")
        if option is None or not option.get("autocomplete"):
            raise Refused(f"The option {self._focused!r} has no autocomplete.")

    def _value(self, option: Json, value: object) -> object:
        name, kind = option["name"], option["type"]
        if kind == STRING:
            value = _text(option, value)
        elif kind in (INTEGER, NUMBER):
            value = _number(option, value)
        elif kind == BOOLEAN:
            if not isinstance(value, bool):
                raise Refused(f"The option {name!r} is true or false.")
        elif kind in (USER, MENTIONABLE):
            value = self._add_user(name, value)
        elif kind == CHANNEL:
            value = self._add_channel(name, value)
        else:
            raise Refused(f"The option {name!r} is of a kind that the playground does not have (type {kind}).")
        choices = option.get("choices")
        if choices and value not in [choice["value"] for choice in choices]:
            there = ", ".join(str(choice["value"]) for choice in choices)
            raise Refused(f"The option {name!r} takes one of: {there}.")
        return value

    def _add_user(self, name: str, value: object) -> str:
        user = self._world.anyone(str(value))
        if user is None:
            raise Refused(f"The option {name!r} takes the id of a user, and {value!r} is none.")
        self._resolved.setdefault("users", {})[user.id] = user_shape(user)
        if not user.left:
            self._resolved.setdefault("members", {})[user.id] = resolved_member(self._world, user)
        return user.id

    def _add_channel(self, name: str, value: object) -> str:
        channel = self._world.channels.get(str(value))
        if channel is None:
            raise Refused(f"The option {name!r} takes the id of a channel, and {value!r} is none.")
        shape = channel_shape(self._world, channel) | {"permissions": "0"}
        self._resolved.setdefault("channels", {})[channel.id] = shape
        return channel.id

    def _target(self, kind: int, given: Json) -> str:
        if set(given) != {"target"}:
            raise Refused('A menu entry takes one option: "target", the id of what it was opened on.')
        if kind == USER_MENU:
            return self._add_user("target", given["target"])
        found = self._world.find_message(given["target"])
        if found is None or found[1].owner is not None:
            raise Refused(f"There is no message {given['target']!r}.", 404)
        self._resolved["messages"] = {found[1].id: found[1].payload}
        return found[1].id


def _text(option: Json, value: object) -> str:
    if not isinstance(value, str):
        raise Refused(f"The option {option['name']!r} is text.")
    least, most = option.get("min_length") or 0, option.get("max_length") or 6000
    if not least <= len(value) <= most:
        raise Refused(f"The option {option['name']!r} is {least} to {most} characters long.")
    return value


def _number(option: Json, value: object) -> int | float:
    name, whole = option["name"], option["type"] == INTEGER
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Refused(f"The option {name!r} is a number.")
    try:
        number = int(str(value)) if whole else float(value)
    except ValueError:
        raise Refused(f"The option {name!r} is a {'whole ' if whole else ''}number.") from None
    if not math.isfinite(number):
        raise Refused(f"The option {name!r} is a number.")
    least, most = option.get("min_value"), option.get("max_value")
    if (least is not None and number < least) or (most is not None and number > most):
        raise Refused(f"The option {name!r} lies between {least} and {most}.")
    return number


def actor(world: World, user: object, channel: object) -> tuple[User, Channel]:
    """The person and the place of an action, by id. Refused when either is unknown."""
    return world.member(user), world.channel(channel)
