"""Files that come with a message: what the bot uploads, names and keeps."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from urllib.parse import quote

from playground.errors import invalid_form, too_large
from playground.world import Json, StoredFile, World, shown_by

MOST_FILES = 10


@dataclass(frozen=True, slots=True)
class Upload:
    """One part of a multipart body: `index` is the n of its field name `files[n]`."""

    index: str
    filename: str
    data: bytes


def arrange(
    world: World, base_url: str, body: Json, uploads: list[Upload], present: list[Json]
) -> tuple[list[Json], list[StoredFile]]:
    """The attachments of a message after a request, and the files that are new among them.

    `attachments` in the body names what stays of `present` (by id) and describes what comes (by
    index); without it, everything stays. The caller puts the files into the world once nothing else
    is wrong with the message.
    """
    named = body.get("attachments")
    described = {str(entry.get("id")): entry for entry in named or []}
    kept = [a for a in present if named is None or a["id"] in described]
    if len(kept) + len(uploads) > MOST_FILES:
        raise invalid_form([("attachments", "BASE_TYPE_BAD_LENGTH", "Must be 10 or fewer in length.")])
    files: list[StoredFile] = []
    for upload in uploads:
        if len(upload.data) > world.attachment_limit:
            raise too_large()
        entry = described.get(upload.index, {})
        name = entry.get("filename") or upload.filename
        file = StoredFile(world.snowflakes.next(), name, content_type(name, upload.data), upload.data)
        files.append(file)
        kept.append(_shape(file, base_url, entry.get("description")))
    return kept, files


def attached(world: World, base_url: str, payload: Json) -> list[Json]:
    """Every file of a message: its `attachments`, and those that its components show, which Discord leaves out there
    (its documentation of the message object says so since April 2026)."""
    listed = {each["id"] for each in payload["attachments"]}
    shown = dict.fromkeys(each for each in shown_by(payload["components"]) if each not in listed)
    files = [world.files[each] for each in shown if each in world.files]
    return [*payload["attachments"], *(_shape(file, base_url, None) for file in files)]


def _shape(file: StoredFile, base_url: str, description: str | None) -> Json:
    url = f"{base_url}/attachments/{file.id}/{quote(file.filename)}"
    shape: Json = {
        "id": file.id,
        "filename": file.filename,
        "size": len(file.data),
        "url": url,
        "proxy_url": url,
        "content_type": file.content_type,
    }
    size = image_size(file.data)
    if size:
        shape["width"], shape["height"] = size
    if description:
        shape["description"] = description
    return shape


MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
)


def content_type(filename: str, data: bytes) -> str:
    """What a file is: pictures by their first bytes, the rest by the end of the name. What the client
    says does not count, as on Discord (discord.py says octet-stream of everything)."""
    for start, kind in MAGIC:
        if data.startswith(start):
            return kind
    return mimetypes.guess_type(filename)[0] or "application/octet-stream"


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG or GIF, read from its header; None for anything else."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    return None
