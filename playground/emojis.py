"""The application's own emoji: what the bot uploads once and then writes into its messages as `<:name:id>`."""

from __future__ import annotations

import base64
import binascii
import re

from aiohttp import web

from playground import errors
from playground.attachments import content_type
from playground.rest import Exchange, Route
from playground.shapes import user_shape
from playground.world import Emoji, Json, StoredFile, World

MOST = 2000
"""Emoji of one application."""

LARGEST = 256 * 1024
"""Bytes of an emoji's image."""

NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
DATA_URI = re.compile(r"data:image/[a-z]+;base64,(.+)", re.ASCII | re.DOTALL)
IMAGES = {"image/png": "png", "image/gif": "gif", "image/jpeg": "jpg", "image/webp": "webp"}
"""What Discord takes, with the ends of their names."""

Faults = list[tuple[str, str, str]]


class EmojiRoutes:
    """Lists, creates, renames and deletes them. Their images are served at `/emojis/{id}`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[Route]:
        base = "/applications/{application}/emojis"
        return [
            Route("GET", base, self.all),
            Route("POST", base, self.create, created=201),
            Route("GET", base + "/{emoji}", self.one),
            Route("PATCH", base + "/{emoji}", self.rename),
            Route("DELETE", base + "/{emoji}", self.delete),
        ]

    def all(self, exchange: Exchange) -> Json:
        self._check(exchange)
        return {"items": [self._shape(emoji) for emoji in self._world.emojis.values()]}

    def create(self, exchange: Exchange) -> Json:
        self._check(exchange)
        form = exchange.form()
        name, faults = form.get("name"), self._faults_of_name(form.get("name"))
        data, kind, faults_of_image = _image(form.get("image"))
        faults += faults_of_image
        if faults:
            raise errors.invalid_form(faults)
        if len(self._world.emojis) >= MOST:
            raise errors.too_many_emojis(MOST)
        emoji = Emoji(self._world.snowflakes.next(), str(name), animated=kind == "image/gif")
        self._world.files[emoji.id] = StoredFile(emoji.id, f"{name}.{IMAGES[kind]}", kind, data)
        self._world.emojis[emoji.id] = emoji
        self._world.changed()
        return self._shape(emoji)

    def one(self, exchange: Exchange) -> Json:
        return self._shape(self._named(exchange))

    def rename(self, exchange: Exchange) -> Json:
        emoji = self._named(exchange)
        form = exchange.form()
        if "name" in form:
            if faults := self._faults_of_name(form["name"], emoji):
                raise errors.invalid_form(faults)
            emoji.name = form["name"]
            self._world.changed()
        return self._shape(emoji)

    def delete(self, exchange: Exchange) -> None:
        emoji = self._named(exchange)
        del self._world.emojis[emoji.id]
        del self._world.files[emoji.id]
        self._world.changed()

    def _check(self, exchange: Exchange) -> None:
        if exchange.parameter("application") != self._world.bot.id:
            raise errors.not_this_application()

    def _named(self, exchange: Exchange) -> Emoji:
        self._check(exchange)
        emoji = self._world.emojis.get(exchange.parameter("emoji"))
        if emoji is None:
            raise errors.unknown_emoji()
        return emoji

    def _faults_of_name(self, name: object, renamed: Emoji | None = None) -> Faults:
        if name is None:
            return [("name", "BASE_TYPE_REQUIRED", "This field is required")]
        if not isinstance(name, str):
            return [("name", "STRING_TYPE_CONVERT", f"Could not interpret {name!r} as string.")]
        if not 2 <= len(name) <= 32:
            return [("name", "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 32 in length.")]
        if not NAME.fullmatch(name):
            return [("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")]
        if any(each.name == name and each is not renamed for each in self._world.emojis.values()):
            return [("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "The name of this emoji is already taken.")]
        return []

    def _shape(self, emoji: Emoji) -> Json:
        return {
            "id": emoji.id,
            "name": emoji.name,
            "roles": [],
            "user": user_shape(self._world.bot),
            "require_colons": True,
            "managed": False,
            "animated": emoji.animated,
            "available": True,
        }


def _image(value: object) -> tuple[bytes, str, Faults]:
    """Bytes and type of a data URI, by what the bytes are; or what is wrong with it."""
    if value is None:
        return b"", "", [("image", "BASE_TYPE_REQUIRED", "This field is required")]
    found = DATA_URI.fullmatch(value) if isinstance(value, str) else None
    broken = [("image", "IMAGE_INVALID", "Invalid image data")]
    if found is None:
        return b"", "", broken
    try:
        data = base64.b64decode(found.group(1), validate=True)
    except binascii.Error:
        return b"", "", broken
    kind = "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else content_type("", data)
    if kind not in IMAGES:
        return b"", "", broken
    if len(data) > LARGEST:
        return b"", "", [("image", "BINARY_TYPE_MAX_SIZE", f"File cannot be larger than {LARGEST / 1024} kb.")]
    return data, kind, []


class EmojiImages:
    """Their images, at the same address for ever: an emoji's image never changes."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def serve(self, request: web.Request) -> web.StreamResponse:
        emoji_id = request.match_info["emoji"]
        if emoji_id not in self._world.emojis:
            return web.json_response({"error": "There is no such emoji (any more)."}, status=404)
        image = self._world.files[emoji_id]
        headers = {
            "Content-Type": image.content_type,
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "private, max-age=3600",
        }
        return web.Response(body=image.data, headers=headers)
