"""Serves the page's files at `/`, and the files of messages at `/attachments/`."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web

from playground.world import World

FOLDER = Path(__file__).resolve().with_name("page")
SAFE_TO_SHOW = frozenset({"image/png", "image/gif", "image/jpeg", "image/webp", "text/plain"})


async def serve_page(request: web.Request) -> web.StreamResponse:
    """A file of the page's folder; nothing outside of it."""
    name = request.match_info["path"] or "index.html"
    path = (FOLDER / name).resolve()
    if not path.is_relative_to(FOLDER) or not path.is_file():
        return web.json_response({"error": f"There is no /{request.match_info['path']} here."}, status=404)
    return web.FileResponse(path, headers={"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"})


class Attachments:
    """What the bot uploaded. It is shown, never run: pictures and text inline, the rest as a download."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def serve(self, request: web.Request) -> web.StreamResponse:
        file = self._world.served_file(request.match_info["file"])
        if file is None or file.filename != request.match_info["name"]:
            return web.json_response({"error": "There is no such file (any more)."}, status=404)
        kind = file.content_type.split(";")[0].strip().lower()
        shown = kind in SAFE_TO_SHOW
        headers = {
            "Content-Type": kind if shown else "application/octet-stream",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "private, max-age=3600",
        }
        if not shown:
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=file.data, headers=headers)
