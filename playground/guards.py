"""Who may talk to the server: programs of this machine, and pages that it served itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})


def host_is_loopback(host: str) -> bool:
    """Whether a Host header names this machine. Any port: a tunnel may have another one than we do."""
    name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
    return name.lower() in LOOPBACK_NAMES and (port == "" or (port.isascii() and port.isdigit()))


def origin_is_own(origin: str | None, host: str) -> bool:
    """Whether a request came from a page of this server, or from no page at all."""
    if origin is None:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


@web.middleware
async def guard(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuses what a foreign page sends: by its Host (a name that somebody rebound to 127.0.0.1) or Origin.

    The browser sends both truthfully; programs send a loopback Host and no Origin.
    """
    host = request.headers.get("Host", "")
    if not host_is_loopback(host):
        return _refusal("This server answers only as 127.0.0.1 or localhost.")
    if not origin_is_own(request.headers.get("Origin"), host):
        return _refusal("This server answers only to its own page and to programs of this machine.")
    return await handler(request)


def _refusal(sentence: str) -> web.Response:
    return web.json_response({"error": sentence}, status=403)
