"""What a person can do: run a command, press a button, choose in a select, submit a modal."""

from __future__ import annotations

from playground.components import BUTTON, LABEL, SELECTS, STRING_SELECT, TEXT_INPUT, USER_SELECT, walk
from playground.errors import Refused
from playground.faults.book import FaultBook
from playground.faults.clicks import Forge
from playground.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    Interaction,
    InteractionBook,
)
from playground.invocation import InvocationBuilder, actor, find_command
from playground.messages import MessageDesk
from playground.shapes import resolved_member, user_shape
from playground.world import Channel, Json, StoredMessage, User, World


class People:
    """Each method returns the interaction that was sent, or raises Refused with a sentence."""

    def __init__(self, world: World, book: InteractionBook, desk: MessageDesk, faults: FaultBook) -> None:
        self._world = world
        self._book = book
        self._desk = desk
        self._faults = faults

    def run_command(
        self, user: object, channel: object, command: object, options: object, focused: object = None
    ) -> Interaction:
        """Runs a slash command or menu entry; with `focused`, only asks for that option's choices."""
        person, place = actor(self._world, user, channel)
        if focused is not None and not isinstance(focused, str):
            raise Refused('"focused" is the name of the option that is being typed.')
        invocation = find_command(self._world, command)
        data = InvocationBuilder(self._world, invocation, focused).build(options)
        return self._book.send(AUTOCOMPLETE if focused else COMMAND, person, place, data)

    def click(
        self, user: object, message: object, custom_id: object, values: object = None, forge: object = False
    ) -> Interaction:
        """Presses a button or chooses in a select.

        Refused, as Discord would: a custom_id that the message does not show, a disabled component, a choice that the
        select does not have. With `forge`, or while a fault says so, all that reaches the bot as well.
        """
        person = self._world.member(user)
        place, pressed = self._message(person, message)
        if not isinstance(custom_id, str):
            raise Refused('"custom_id" is the custom_id of a button or select.')
        if values is not None and not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
            raise Refused('"values" is a list of strings: what was chosen in the select.')
        if not isinstance(forge, bool):
            raise Refused('"forge" is true or false.')
        component = self._desk.pressable(pressed, custom_id) or {}
        faulty = _why_not(component, custom_id, values)
        if faulty and not forge and self._faults.first(Forge) is None:
            raise Refused(faulty)
        kind = component.get("type") or (BUTTON if values is None else STRING_SELECT)
        data: Json = {"custom_id": custom_id, "component_type": kind, "id": component.get("id", 0)}
        if kind != BUTTON:
            data["values"] = values or []
            data |= self._resolve(kind, data["values"])
        return self._book.send(COMPONENT, person, place, data, message=pressed)

    def submit_modal(self, user: object, interaction_id: object, fields: object) -> Interaction:
        """Submits the modal that an interaction was answered with; `fields`: {custom_id: text or values}."""
        person = self._world.member(user)
        opener = self._book.by_id(str(interaction_id))
        if opener is None or opener.modal is None or opener.user_id != person.id:
            raise Refused(f"Interaction {interaction_id!r} did not open a modal for {person.name}.", 404)
        if not isinstance(fields, dict):
            raise Refused('"fields" is an object: {"custom_id of the field": "what was typed"}.')
        data = {
            "custom_id": opener.modal["custom_id"],
            "components": [_filled(component, fields) for component in opener.modal["components"]],
        }
        self._check_fields(opener.modal, fields)
        found = self._world.find_message(opener.message_id)
        return self._book.send(
            MODAL_SUBMIT,
            person,
            self._world.channel(opener.channel_id),
            data,
            message=found[1] if found else None,
            triggered_by=self._book.metadata(opener),
        )

    def _check_fields(self, modal: Json, fields: Json) -> None:
        inputs = {c["custom_id"]: c for _, c in walk(modal["components"]) if c.get("custom_id")}
        for name in fields:
            if name not in inputs:
                raise Refused(f"The modal has no field {name!r}; it has: {', '.join(inputs)}.")
        for name, component in inputs.items():
            if component.get("required", True) and not fields.get(name):
                raise Refused(f"The modal's field {name!r} is required.")

    def _message(self, person: User, message_id: object) -> tuple[Channel, StoredMessage]:
        found = self._world.find_message(message_id)
        if found is None or not found[1].visible_to(person.id):
            raise Refused(f"There is no message {message_id!r} that {person.name} can see.", 404)
        return found

    def _resolve(self, kind: int, values: list[str]) -> Json:
        """`resolved` of a select that lists users; string selects have none."""
        users = [user for user in map(self._world.anyone, values) if user]
        if kind != USER_SELECT or not users:
            return {}
        return {
            "resolved": {
                "users": {user.id: user_shape(user) for user in users},
                "members": {user.id: resolved_member(self._world, user) for user in users},
            }
        }


def _why_not(component: Json, custom_id: str, values: list[str] | None) -> str | None:
    """Why Discord would not take this press, as a sentence; None when it would."""
    if not component:
        return f'The message shows no component {custom_id!r}: press one that is there, or send "forge": true.'
    if component.get("disabled"):
        return f'The component {custom_id!r} is disabled: nobody can press it, except with "forge": true.'
    if component["type"] not in SELECTS:
        return None if values is None else f'{custom_id!r} is a button: it is pressed without "values".'
    chosen = values or []
    least, most = component.get("min_values", 1), component.get("max_values", 1)
    if not least <= len(chosen) <= most or len(set(chosen)) != len(chosen):
        return f"The select {custom_id!r} takes {least} to {most} different values."
    offered = {option["value"] for option in component.get("options") or []}
    strange = [value for value in chosen if value not in offered]
    if component["type"] == STRING_SELECT and strange:
        return f"The select {custom_id!r} has no option {strange[0]!r}."
    return None


def _filled(component: Json, fields: Json) -> Json:
    """A modal's component as it comes back: the layout, with what was typed or chosen in it."""
    shape: Json = {"type": component["type"], "id": component["id"]}
    if "components" in component:
        shape["components"] = [_filled(child, fields) for child in component["components"]]
    elif component["type"] == LABEL:
        shape["component"] = _filled(component["component"], fields)
    elif "custom_id" in component:
        given = fields.get(component["custom_id"])
        shape["custom_id"] = component["custom_id"]
        if component["type"] == TEXT_INPUT:
            shape["value"] = "" if given is None else str(given)
        else:
            shape["values"] = list(given) if isinstance(given, list) else []
    return shape
