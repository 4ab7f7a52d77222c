"""Messages: written, edited and deleted in one place, which tells the gateway and the watchers."""

from __future__ import annotations

from dataclasses import dataclass

from playground.attachments import Upload, arrange, attached
from playground.clock import Clock, iso_now
from playground.components import check, fill_in, find, walk
from playground.errors import empty_message, invalid_form, too_many_old_edits
from playground.events import EventBus
from playground.forms import check_message
from playground.gateway import Gateway
from playground.mentions import mentioned
from playground.shapes import user_shape
from playground.world import Channel, Json, StoredFile, StoredMessage, World, shown_by

SUPPRESS_EMBEDS, EPHEMERAL, LOADING = 1 << 2, 1 << 6, 1 << 7
SUPPRESS_NOTIFICATIONS, COMPONENTS_V2 = 1 << 12, 1 << 15
SETTABLE = SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2

DEFAULT, REPLY, COMMAND_REPLY, CONTEXT_MENU_REPLY = 0, 19, 20, 23

LONGEST_CONTENT = 2000
LONGEST_NONCE = 25
MOST_EMBEDS = 10
NONCE_WINDOW = 300.0
"""Seconds for which a repeated nonce with `enforce_nonce` gives the first message again."""

OLD_AGE = 3600.0
"""Seconds after which Discord caps the edits of a message; both figures of the cap itself are ours, it names none."""
MOST_OLD_EDITS = 3
OLD_EDITS_WINDOW = 3600.0

FADING = 30.0
"""Seconds for which a component that an edit took away can still be pressed: somebody's screen still shows it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a request makes of a message, with nothing left to refuse."""

    content: str
    embeds: list[Json]
    components: list[Json]
    attachments: list[Json]
    files: list[StoredFile]
    flags: int
    mentions: list[Json]


class MessageDesk:
    """Every message goes over this desk."""

    def __init__(self, world: World, gateway: Gateway, events: EventBus, clock: Clock) -> None:
        self._world = world
        self._gateway = gateway
        self._events = events
        self._clock = clock
        self._nonces: dict[tuple[str, str], tuple[str, float]] = {}
        self.base_url = ""

    # drafting

    def draft(self, body: Json, uploads: list[Upload], before: Json | None = None) -> Draft:
        """Checks a request's body over what the message was `before` (None: it is new).

        Raises ApiError 50035 for what Discord would not take, 50006 when nothing would be left to show.
        """
        check_message(body)
        old = before or {"content": "", "embeds": [], "components": [], "attachments": [], "flags": 0}
        asked = old["flags"] if body.get("flags") is None else body["flags"]
        flags = asked & SETTABLE | old["flags"] & COMPONENTS_V2  # once v2, always v2
        content: str = body.get("content", old["content"]) or ""
        embeds: list[Json] = body.get("embeds", old["embeds"]) or []
        components: list[Json] = body.get("components", old["components"]) or []
        attachments, files = arrange(
            self._world, self.base_url, body, uploads, attached(self._world, self.base_url, old)
        )

        faults = _check_fields(body, content, embeds, flags)
        if "components" in body:
            faults += check(components, v2=bool(flags & COMPONENTS_V2))
        if faults:
            raise invalid_form(faults)
        if "components" in body:
            components, faults = fill_in(components, attachments)
        if faults:
            raise invalid_form(faults)
        if not (content or embeds or components or attachments):
            raise empty_message()
        embeds = [{**embed, "type": "rich"} for embed in embeds]
        mentions = mentioned(self._world, content, components, body.get("allowed_mentions"))
        shown = frozenset(shown_by(components))
        attachments = [attachment for attachment in attachments if attachment["id"] not in shown]
        return Draft(content, embeds, components, attachments, files, flags, mentions)

    # writing

    def create(
        self,
        channel: Channel,
        draft: Draft,
        *,
        kind: int = DEFAULT,
        owner: str | None = None,
        extra: Json | None = None,
        nonce: str | None = None,
    ) -> StoredMessage:
        """Puts a new message into the channel. `owner` makes it ephemeral; `extra` are further fields."""
        payload = self._blank(channel, kind) | (extra or {}) | _fields(draft)
        payload["flags"] = draft.flags & ~EPHEMERAL
        if nonce is not None:
            payload["nonce"] = nonce
        return self._put(channel, payload, draft.files, owner)

    def create_loading(self, channel: Channel, *, kind: int, owner: str | None, extra: Json) -> StoredMessage:
        """The "is thinking..." message of a deferred reply."""
        payload = self._blank(channel, kind) | extra
        payload["flags"] = LOADING
        return self._put(channel, payload, [], owner)

    def _blank(self, channel: Channel, kind: int) -> Json:
        return {
            "id": self._world.snowflakes.next(),
            "channel_id": channel.id,
            "type": kind,
            "author": user_shape(self._world.bot),
            "content": "",
            "embeds": [],
            "components": [],
            "attachments": [],
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
            "timestamp": iso_now(),
            "edited_timestamp": None,
            "flags": 0,
        }

    def _put(self, channel: Channel, payload: Json, files: list[StoredFile], owner: str | None) -> StoredMessage:
        if owner is not None:
            payload["flags"] |= EPHEMERAL
        message = StoredMessage(payload, owner, self._clock())
        channel.messages[message.id] = message
        self._keep(files)
        self._announce("MESSAGE_CREATE", message, pings=[user["id"] for user in payload["mentions"]])
        return message

    def edit(self, message: StoredMessage, draft: Draft) -> StoredMessage:
        """Changes a message; one that was "thinking" becomes the reply, unmarked as edited."""
        was_loading = bool(message.payload["flags"] & LOADING)
        before = message.file_ids()
        self._note_faded(message, draft)
        flags = message.payload["flags"] & ~LOADING & ~SUPPRESS_EMBEDS | draft.flags & ~EPHEMERAL
        message.payload |= _fields(draft) | {"flags": flags}
        self._world.forget_files(before - message.file_ids())
        if not was_loading:
            message.payload["edited_timestamp"] = iso_now()
        self._keep(draft.files)
        pings = [user["id"] for user in draft.mentions] if was_loading else []
        self._announce("MESSAGE_UPDATE", message, pings=pings)
        return message

    def _note_faded(self, message: StoredMessage, draft: Draft) -> None:
        now = self._clock()
        stay = {c["custom_id"] for _, c in walk(draft.components) if c.get("custom_id")}
        faded = {key: seen for key, seen in message.faded.items() if now - seen[1] <= FADING and key not in stay}
        for _, component in walk(message.payload["components"]):
            if component.get("custom_id") and component["custom_id"] not in stay:
                faded[component["custom_id"]] = (component, now)
        message.faded = faded

    def pressable(self, message: StoredMessage, custom_id: str) -> Json | None:
        """The component of that custom_id that somebody may see on the message now."""
        component = find(message.payload["components"], custom_id)
        if component is not None:
            return component
        faded, since = message.faded.get(custom_id, (None, 0.0))
        return faded if self._clock() - since <= FADING else None

    def count_old_edit(self, message: StoredMessage) -> None:
        """Call it before an edit by the message's id. ApiError 30046: it is old, and was edited too often lately."""
        now = self._clock()
        if now - message.born_at <= OLD_AGE:
            return
        message.old_edits = [moment for moment in message.old_edits if now - moment < OLD_EDITS_WINDOW]
        if len(message.old_edits) >= MOST_OLD_EDITS:
            raise too_many_old_edits()
        message.old_edits.append(now)

    def delete(self, channel: Channel, message: StoredMessage) -> None:
        del channel.messages[message.id]
        self._world.forget_files(message.file_ids())
        self._world.changed()
        gone = {"id": message.id, "channel_id": channel.id, "guild_id": self._world.guild_id}
        if message.owner is None:
            self._gateway.dispatch("MESSAGE_DELETE", gone)
        self._events.publish({"type": "message_delete", "id": message.id, "channel": channel.id}, owner=message.owner)

    def _keep(self, files: list[StoredFile]) -> None:
        for file in files:
            self._world.files[file.id] = file
        self._world.changed()

    def _announce(self, event: str, message: StoredMessage, pings: list[str]) -> None:
        if message.owner is None:
            # An ephemeral message never passes over the gateway: only its reader's client has it.
            self._gateway.dispatch(event, {**message.payload, "guild_id": self._world.guild_id})
        kind = "message" if event == "MESSAGE_CREATE" else "message_update"
        self._events.publish({"type": kind, "message": dict(message.payload), "pings": pings}, owner=message.owner)

    # nonces

    def already_sent(self, channel: Channel, body: Json) -> StoredMessage | None:
        """The message that the same nonce made in this channel within the last minutes, if the body asks."""
        nonce = body.get("nonce")
        if nonce is None or not body.get("enforce_nonce"):
            return None
        message_id, sent_at = self._nonces.get((channel.id, str(nonce)), ("", 0.0))
        if not message_id or self._clock() - sent_at > NONCE_WINDOW:
            return None
        return channel.messages.get(message_id)

    def remember_nonce(self, channel: Channel, body: Json, message: StoredMessage) -> None:
        now = self._clock()
        self._nonces = {key: seen for key, seen in self._nonces.items() if now - seen[1] <= NONCE_WINDOW}
        if body.get("nonce") is not None:
            self._nonces[channel.id, str(body["nonce"])] = (message.id, now)


def _fields(draft: Draft) -> Json:
    return {
        "content": draft.content,
        "embeds": draft.embeds,
        "components": draft.components,
        "attachments": draft.attachments,
        "mentions": draft.mentions,
    }


def _check_fields(body: Json, content: str, embeds: list[Json], flags: int) -> list[tuple[str, str, str]]:
    faults: list[tuple[str, str, str]] = []
    if len(content) > LONGEST_CONTENT:
        faults.append(("content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length."))
    if len(embeds) > MOST_EMBEDS:
        faults.append(("embeds", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length."))
    if body.get("nonce") is not None and len(str(body["nonce"])) > LONGEST_NONCE:
        faults.append(("nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length."))
    allowed = body.get("allowed_mentions") or {}
    if "users" in (allowed.get("parse") or []) and allowed.get("users"):
        faults.append(
            (
                "allowed_mentions",
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                'parse:["users"] and users: [ids...] are mutually exclusive.',
            )
        )
    legacy = content or embeds or body.get("poll") or body.get("sticker_ids")
    if flags & COMPONENTS_V2 and legacy:
        faults.append(
            (
                "flags",
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                "Content, embeds, stickers and polls cannot stand beside components v2.",
            )
        )
    return faults
