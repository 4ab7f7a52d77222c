"""What can go wrong, for the bot (Discord's error bodies) and for a script (sentences)."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """A refusal in Discord's own words: HTTP status, numeric code, message and, for forms, nested errors.

    The codes are those of Discord's published list of JSON error codes.
    """

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        errors: dict[str, Any] | None = None,
        *,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.retry_after = retry_after

    def body(self) -> dict[str, Any]:
        """The JSON that Discord sends with this refusal."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.errors:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def not_found() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def unknown_channel() -> ApiError:
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    return ApiError(404, 10004, "Unknown Guild")


def unknown_member() -> ApiError:
    return ApiError(404, 10007, "Unknown Member")


def unknown_message() -> ApiError:
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    return ApiError(404, 10013, "Unknown User")


def unknown_webhook() -> ApiError:
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_emoji() -> ApiError:
    return ApiError(404, 10014, "Unknown Emoji")


def unknown_interaction() -> ApiError:
    return ApiError(404, 10062, "Unknown interaction")


def unknown_command() -> ApiError:
    return ApiError(404, 10063, "Unknown application command")


def not_this_application() -> ApiError:
    return ApiError(403, 20012, "You are not authorized to perform this action on this application")


def too_many_emojis(most: int) -> ApiError:
    return ApiError(400, 30008, f"Maximum number of emojis reached ({most})")


def too_many_old_edits() -> ApiError:
    words = "Maximum number of edits to messages older than 1 hour reached. Try again later"
    return ApiError(429, 30046, words, retry_after=1.0)


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def too_large() -> ApiError:
    return ApiError(413, 40005, "Request entity too large")


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def not_the_author() -> ApiError:
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def thread_archived() -> ApiError:
    return ApiError(403, 50083, "Thread is archived")


def thread_locked() -> ApiError:
    return ApiError(403, 160005, "Thread is locked")


def service_unavailable() -> ApiError:
    return ApiError(503, 0, "503: Service Unavailable")


def invalid_webhook_token() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")


def invalid_json() -> ApiError:
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def invalid_form(faults: list[tuple[str, str, str]]) -> ApiError:
    """50035 for `(path, code, message)` triples; a path is written `components.0.components.1.label`."""
    tree: dict[str, Any] = {}
    for path, code, message in faults:
        node = tree
        for key in path.split("."):
            node = node.setdefault(key, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
    return ApiError(400, 50035, "Invalid Form Body", tree)


class Refused(Exception):
    """The HTTP interface for scripts says no: a sentence that tells what to do, and its 4xx status."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


class PortTaken(OSError):
    """Somebody else listens on the port that was asked for."""


class StateBroken(Exception):
    """The folder that holds a saved world cannot be read or written."""
