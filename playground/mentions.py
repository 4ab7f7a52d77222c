"""Whom a message mentions, once `allowed_mentions` has had its say."""

from __future__ import annotations

import re

from playground.components import TEXT_DISPLAY, walk
from playground.shapes import user_shape
from playground.world import Json, World

USER_MENTION = re.compile(r"<@!?([0-9]{1,20})>", re.ASCII)


def mentioned(world: World, content: str, components: list[Json], allowed: Json | None) -> list[Json]:
    """The users whom the text names and whom the request lets be pinged, each once, in order.

    Components v2 ping too: their text counts like content. Without `allowed_mentions` all are allowed.
    """
    texts = [content]
    texts += [c.get("content") or "" for _, c in walk(components) if c.get("type") == TEXT_DISPLAY]
    named: dict[str, Json] = {}
    for text in texts:
        for user_id in USER_MENTION.findall(text):
            user = world.anyone(user_id)
            if user and _may_ping(user_id, allowed):
                named[user_id] = user_shape(user)
    return list(named.values())


def _may_ping(user_id: str, allowed: Json | None) -> bool:
    if allowed is None:
        return True
    if "users" in (allowed.get("parse") or []):
        return True
    return user_id in [str(user) for user in allowed.get("users") or []]
