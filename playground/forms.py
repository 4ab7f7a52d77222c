"""The types of a form's fields: refused here, so that everything behind may rely on them."""

from __future__ import annotations

from playground.errors import invalid_form
from playground.world import Json

MESSAGE_FIELDS: dict[str, type | tuple[type, ...]] = {
    "content": str,
    "nonce": (str, int),
    "enforce_nonce": bool,
    "flags": int,
    "embeds": list,
    "components": list,
    "attachments": list,
    "allowed_mentions": dict,
    "message_reference": dict,
}
NESTED_LISTS = ("components", "items", "options")
NESTED_OBJECTS = ("accessory", "component", "media", "file", "emoji")


def check_message(body: Json) -> None:
    """Raises ApiError 50035 unless every field of a message has its type; null is allowed everywhere."""
    faults = [
        _wrong(name, wanted)
        for name, wanted in MESSAGE_FIELDS.items()
        if body.get(name) is not None and not isinstance(body[name], wanted)
    ]
    if faults:
        raise invalid_form(faults)
    for name in ("embeds", "components", "attachments"):
        for index, item in enumerate(body.get(name) or []):
            faults += _check_object(f"{name}.{index}", item, typed=name == "components")
    if faults:
        raise invalid_form(faults)


def check_components(components: object) -> None:
    """Raises ApiError 50035 unless these are objects with a type, all the way down."""
    check_message({"components": components})


def check_commands(commands: list[Json]) -> None:
    """Raises ApiError 50035 unless each is an object with a name, and so are its options."""
    faults: list[tuple[str, str, str]] = []
    for index, command in enumerate(commands):
        faults += _check_command(str(index), command)
    if faults:
        raise invalid_form(faults)


def _check_command(path: str, node: object) -> list[tuple[str, str, str]]:
    if not isinstance(node, dict):
        return [_wrong(path, dict)]
    faults: list[tuple[str, str, str]] = []
    if not isinstance(node.get("name"), str):
        faults.append((f"{path}.name", "BASE_TYPE_REQUIRED", "This field is required"))
    for name, wanted in (("description", str), ("options", list), ("choices", list), ("type", int)):
        if node.get(name) is not None and not isinstance(node[name], wanted):
            faults.append(_wrong(f"{path}.{name}", wanted))
    if isinstance(node.get("options"), list):
        for index, option in enumerate(node["options"]):
            faults += _check_command(f"{path}.options.{index}", option)
    return faults


def _check_object(path: str, item: object, *, typed: bool) -> list[tuple[str, str, str]]:
    if not isinstance(item, dict):
        return [_wrong(path, dict)]
    faults: list[tuple[str, str, str]] = []
    if typed and not isinstance(item.get("type"), int):
        faults.append((f"{path}.type", "BASE_TYPE_REQUIRED", "This field is required"))
    if not typed:
        return faults
    for name in ("content", "custom_id", "label", "url", "placeholder"):
        if item.get(name) is not None and not isinstance(item[name], str):
            faults.append(_wrong(f"{path}.{name}", str))
    for name in ("min_values", "max_values", "id", "style"):
        if item.get(name) is not None and not isinstance(item[name], int):
            faults.append(_wrong(f"{path}.{name}", int))
    for name in NESTED_LISTS:
        value = item.get(name)
        if value is not None and not isinstance(value, list):
            faults.append(_wrong(f"{path}.{name}", list))
            continue
        for index, child in enumerate(value or []):
            here = f"{path}.{name}.{index}"
            faults += _check_object(here, child, typed=name == "components")
            if name == "items" and isinstance(child, dict):
                faults += _check_media(f"{here}.media", child.get("media"))
    for name in NESTED_OBJECTS:
        if item.get(name) is not None:
            faults += _check_object(f"{path}.{name}", item[name], typed=name in ("accessory", "component"))
            if name in ("media", "file"):
                faults += _check_media(f"{path}.{name}", item[name])
    return faults


def _check_media(path: str, media: object) -> list[tuple[str, str, str]]:
    if isinstance(media, dict) and isinstance(media.get("url"), str):
        return []
    return [(f"{path}.url", "BASE_TYPE_REQUIRED", "This field is required")]


def _wrong(path: str, wanted: type | tuple[type, ...]) -> tuple[str, str, str]:
    first = wanted[0] if isinstance(wanted, tuple) else wanted
    names = {str: "STRING", int: "NUMBER", bool: "BOOLEAN", list: "LIST", dict: "DICT"}
    return path, f"{names[first]}_TYPE_CONVERT", f"Could not interpret this as {names[first].lower()}."
