"""Discord's error codes with the HTTP status and the words that go with each (its published list of JSON codes)."""

from __future__ import annotations

from http import HTTPStatus

from playground.world import Json

CODES: dict[int, tuple[int, str]] = {
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20028: (429, "The channel you are writing has hit the write rate limit."),
    30008: (400, "Maximum number of emojis reached (2000)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40062: (429, "Service resource is being rate limited."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50013: (403, "Missing Permissions"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (403, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    130000: (503, "API resource is currently overloaded. Try again a little later"),
    160005: (403, "Thread is locked"),
    200000: (400, "Message was blocked by automatic moderation"),
    200001: (400, "Title was blocked by automatic moderation"),
}

FORM_ERRORS: Json = {
    "components": {
        "0": {"_errors": [{"code": "COMPONENT_VALIDATION_FAILED", "message": "The specified component is invalid."}]}
    }
}
"""What a scripted 50035 says of the form when the fault says nothing else."""


def plain_body(status: int) -> Json:
    """The body of a refusal that has no code of its own: "404: Not Found"."""
    words = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Error"
    return {"code": 0, "message": f"{status}: {words}"}
