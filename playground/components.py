"""Message components: what Discord refuses beyond its OpenAPI description, and what it fills in."""

from __future__ import annotations

from collections.abc import Iterator

from playground.world import Json

ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, MEDIA_GALLERY, FILE = 9, 10, 11, 12, 13
SEPARATOR, CONTAINER, LABEL = 14, 17, 18

SELECTS = frozenset({STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT})
INTERACTIVE = SELECTS | {BUTTON, TEXT_INPUT}
TOP_LEVEL_V2 = frozenset({ACTION_ROW, SECTION, TEXT_DISPLAY, MEDIA_GALLERY, FILE, SEPARATOR, CONTAINER})
IN_CONTAINER = TOP_LEVEL_V2 - {CONTAINER}
LINK_STYLE, PREMIUM_STYLE = 5, 6

MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_ROWS = 5
MOST_BUTTONS = 5
MOST_OPTIONS = 25
LONGEST_CUSTOM_ID = 100
LONGEST_LABEL = 80
LONGEST_OPTION = 100
LONGEST_PLACEHOLDER = 150

Fault = tuple[str, str, str]
"""Where (`components.0.label`), Discord's code, and the message."""


def walk(components: list[Json], path: str = "components") -> Iterator[tuple[str, Json]]:
    """Every component with its path, parents before children, in the order that Discord numbers them."""
    for index, component in enumerate(components):
        here = f"{path}.{index}"
        yield here, component
        yield from walk(component.get("components") or [], f"{here}.components")
        for single in ("accessory", "component"):
            if isinstance(component.get(single), dict):
                yield f"{here}.{single}", component[single]


def find(components: list[Json], custom_id: str) -> Json | None:
    """The component with that custom_id."""
    return next((c for _, c in walk(components) if c.get("custom_id") == custom_id), None)


def check(components: list[Json], *, v2: bool) -> list[Fault]:
    """All that Discord would refuse in a message's components."""
    faults: list[Fault] = []
    everything = list(walk(components))
    if v2:
        faults += _check_v2_limits(everything)
    elif len(components) > MOST_ROWS:
        faults.append(("components", "BASE_TYPE_BAD_LENGTH", f"Must be {MOST_ROWS} or fewer in length."))
    for index, component in enumerate(components):
        allowed = TOP_LEVEL_V2 if v2 else frozenset({ACTION_ROW})
        if component.get("type") not in allowed:
            faults.append(_wrong_type(f"components.{index}", allowed))
    for path, component in everything:
        faults += _check_one(path, component)
    faults += _check_unique(everything)
    return faults


def _check_v2_limits(everything: list[tuple[str, Json]]) -> list[Fault]:
    faults: list[Fault] = []
    if len(everything) > MOST_COMPONENTS:
        faults.append(
            (
                "components",
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"The total number of components is {len(everything)}; {MOST_COMPONENTS} are allowed.",
            )
        )
    text = sum(len(c.get("content") or "") for _, c in everything if c.get("type") == TEXT_DISPLAY)
    if text > MOST_TEXT:
        faults.append(
            (
                "components",
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"The text of all components is {text} characters long; {MOST_TEXT} are allowed.",
            )
        )
    return faults


def _check_unique(everything: list[tuple[str, Json]]) -> list[Fault]:
    faults: list[Fault] = []
    custom_ids: set[str] = set()
    ids: set[int] = set()
    for path, component in everything:
        custom_id, number = component.get("custom_id"), component.get("id")
        if custom_id is not None:
            if custom_id in custom_ids:
                faults.append(
                    (
                        f"{path}.custom_id",
                        "COMPONENT_CUSTOM_ID_DUPLICATED",
                        "Component custom id cannot be duplicated",
                    )
                )
            custom_ids.add(custom_id)
        if number:
            if number in ids:
                faults.append((f"{path}.id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"))
            ids.add(number)
    return faults


def _check_one(path: str, component: Json) -> list[Fault]:
    kind = component.get("type")
    faults: list[Fault] = []
    if kind in INTERACTIVE and component.get("custom_id") is not None:
        faults += _length(f"{path}.custom_id", component["custom_id"], 1, LONGEST_CUSTOM_ID)
    if kind == ACTION_ROW:
        faults += _check_row(path, component)
    elif kind == BUTTON:
        faults += _check_button(path, component)
    elif kind in SELECTS:
        faults += _check_select(path, component)
    elif kind == SECTION:
        faults += _check_section(path, component)
    elif kind == TEXT_DISPLAY:
        faults += _length(f"{path}.content", component.get("content"), 1, MOST_TEXT)
    elif kind == MEDIA_GALLERY:
        faults += _count(f"{path}.items", component.get("items"), 1, 10)
    elif kind == CONTAINER:
        faults += _count(f"{path}.components", component.get("components"), 1, MOST_COMPONENTS)
        for index, child in enumerate(component.get("components") or []):
            if child.get("type") not in IN_CONTAINER:
                faults.append(_wrong_type(f"{path}.components.{index}", IN_CONTAINER))
    return faults


def _check_row(path: str, row: Json) -> list[Fault]:
    children = row.get("components") or []
    kinds = {child.get("type") for child in children}
    if kinds <= {BUTTON}:
        return _count(f"{path}.components", children, 1, MOST_BUTTONS)
    if len(children) == 1 and kinds <= SELECTS:
        return []
    return [
        (
            f"{path}.components",
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "An action row holds one to five buttons or a single select.",
        )
    ]


def _check_button(path: str, button: Json) -> list[Fault]:
    style = button.get("style")
    faults = _length(f"{path}.label", button.get("label") or "", 0, LONGEST_LABEL)
    if style == LINK_STYLE:
        if not button.get("url") or button.get("custom_id"):
            faults.append((path, "BUTTON_COMPONENT_INVALID", "A link button has a url and no custom id."))
    elif style != PREMIUM_STYLE:
        if not button.get("custom_id"):
            faults.append(_required(f"{path}.custom_id"))
        if button.get("url"):
            faults.append((path, "BUTTON_COMPONENT_INVALID", "Only a link button has a url."))
    if style != PREMIUM_STYLE and not button.get("label") and not button.get("emoji"):
        faults.append((path, "BUTTON_COMPONENT_LABEL_REQUIRED", "A button needs a label, an emoji, or both."))
    return faults


def _check_select(path: str, select: Json) -> list[Fault]:
    faults: list[Fault] = []
    if not select.get("custom_id"):
        faults.append(_required(f"{path}.custom_id"))
    faults += _length(f"{path}.placeholder", select.get("placeholder") or "", 0, LONGEST_PLACEHOLDER)
    if select.get("type") != STRING_SELECT:
        return faults
    options = select.get("options") or []
    faults += _count(f"{path}.options", options, 1, MOST_OPTIONS)
    values: set[str] = set()
    for index, option in enumerate(options):
        here = f"{path}.options.{index}"
        faults += _length(f"{here}.label", option.get("label"), 1, LONGEST_OPTION)
        faults += _length(f"{here}.value", option.get("value"), 1, LONGEST_OPTION)
        faults += _length(f"{here}.description", option.get("description") or "", 0, LONGEST_OPTION)
        if option.get("value") in values:
            faults.append((f"{here}.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "Option values are unique."))
        values.add(option.get("value"))
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if least is not None and most is not None and not 0 <= least <= most <= max(len(options), 1):
        faults.append((path, "SELECT_COMPONENT_MAX_VALUES_BIGGER_THAN_OPTIONS", "0 <= min <= max <= options."))
    return faults


def _check_section(path: str, section: Json) -> list[Fault]:
    faults = _count(f"{path}.components", section.get("components"), 1, 3)
    accessory = section.get("accessory") or {}
    if accessory.get("type") not in (BUTTON, THUMBNAIL):
        faults.append(_wrong_type(f"{path}.accessory", frozenset({BUTTON, THUMBNAIL})))
    elif accessory["type"] == BUTTON:
        faults += _check_button(f"{path}.accessory", accessory)
    return faults


def _required(path: str) -> Fault:
    return path, "BASE_TYPE_REQUIRED", "This field is required"


def _wrong_type(path: str, allowed: frozenset[int]) -> Fault:
    names = ", ".join(str(kind) for kind in sorted(allowed))
    return f"{path}.type", "UNION_TYPE_CHOICES", f"Value of field 'type' must be one of ({names})."


def _length(path: str, text: object, least: int, most: int) -> list[Fault]:
    if isinstance(text, str) and least <= len(text) <= most:
        return []
    return [(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")]


def _count(path: str, items: object, least: int, most: int) -> list[Fault]:
    if isinstance(items, list) and least <= len(items) <= most:
        return []
    return [(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")]


def check_modal(modal: Json) -> list[Fault]:
    """All that Discord would refuse in a modal."""
    faults = _length("title", modal.get("title"), 1, 45)
    faults += _length("custom_id", modal.get("custom_id"), 1, LONGEST_CUSTOM_ID)
    components = modal.get("components") or []
    faults += _count("components", components, 1, MOST_ROWS)
    everything = list(walk(components))
    for path, component in everything:
        if component.get("custom_id") is not None:
            faults += _length(f"{path}.custom_id", component["custom_id"], 1, LONGEST_CUSTOM_ID)
    return faults + _check_unique(everything)


def fill_in(components: list[Json], attachments: list[Json]) -> tuple[list[Json], list[Fault]]:
    """The components as Discord gives them back, and the attachment:// names that it did not find.

    Ids are assigned (1, 2, ... in order, leaving out what the bot took itself), defaults are written
    out, media that point to an attachment get its address and size.
    """
    filler = _Filler(components, attachments)
    return [filler.component(c, f"components.{i}") for i, c in enumerate(components)], filler.faults


class _Filler:
    def __init__(self, components: list[Json], attachments: list[Json]) -> None:
        self._files = {attachment["filename"]: attachment for attachment in attachments}
        self._taken = {component.get("id") for _, component in walk(components)}
        self._next = 0
        self.faults: list[Fault] = []

    def _id(self, component: Json) -> int:
        if component.get("id"):
            return component["id"]
        self._next += 1
        while self._next in self._taken:
            self._next += 1
        return self._next

    def component(self, component: Json, path: str) -> Json:
        filled = {key: value for key, value in component.items() if value is not None}
        filled["id"] = self._id(component)
        filled |= self._defaults(filled)
        if "components" in filled:
            filled["components"] = [
                self.component(child, f"{path}.components.{index}") for index, child in enumerate(filled["components"])
            ]
        for single in ("accessory", "component"):
            if single in filled:
                filled[single] = self.component(filled[single], f"{path}.{single}")
        if "media" in filled:
            filled["media"] = self.media(filled["media"], f"{path}.media")
        if "items" in filled:
            filled["items"] = [
                {
                    "description": item.get("description"),
                    "spoiler": bool(item.get("spoiler")),
                    "media": self.media(item["media"], f"{path}.items.{index}.media"),
                }
                for index, item in enumerate(filled["items"])
            ]
        if filled["type"] == FILE:
            filled |= self._file(filled["file"], f"{path}.file")
        return filled

    def _defaults(self, filled: Json) -> Json:
        kind = filled["type"]
        if kind == SEPARATOR:
            return {"divider": filled.get("divider", True), "spacing": filled.get("spacing", 1)}
        if kind == CONTAINER:
            return {
                "accent_color": filled.get("accent_color"),
                "spoiler": filled.get("spoiler", False),
            }
        if kind == THUMBNAIL:
            return {
                "description": filled.get("description"),
                "spoiler": filled.get("spoiler", False),
            }
        if kind in SELECTS:
            return {
                "min_values": filled.get("min_values", 1),
                "max_values": filled.get("max_values", 1),
            }
        return {}

    def media(self, media: Json, path: str) -> Json:
        url = media["url"]
        if not url.startswith("attachment://"):
            return {"id": "0", "url": url, "proxy_url": url}
        attachment = self._files.get(url.removeprefix("attachment://"))
        if attachment is None:
            self.faults.append(
                (
                    f"{path}.url",
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    "The referenced attachment was not found.",
                )
            )
            return media
        return {
            "id": attachment["id"],
            "url": attachment["url"],
            "proxy_url": attachment["proxy_url"],
            "content_type": attachment["content_type"],
            "width": attachment.get("width"),
            "height": attachment.get("height"),
            "attachment_id": attachment["id"],
        }

    def _file(self, media: Json, path: str) -> Json:
        name = media["url"].removeprefix("attachment://")
        attachment = self._files.get(name, {})
        return {
            "file": self.media(media, path),
            "name": name,
            "size": attachment.get("size", 0),
            "spoiler": False,
        }
