"""Channels and their messages, as the bot may see and change them by REST."""

from __future__ import annotations

from playground import errors
from playground import permissions as bits
from playground.forms import check_message
from playground.interactions import InteractionBook
from playground.messages import EPHEMERAL, REPLY, MessageDesk
from playground.rest import Exchange, Route
from playground.shapes import channel_shape
from playground.threads import ThreadKeeper
from playground.world import REMOVED, UNAVAILABLE, Channel, Json, StoredMessage, World


class MessageRoutes:
    """Every route checks the bot's permissions in that channel first (50001, 50013)."""

    def __init__(self, world: World, desk: MessageDesk, book: InteractionBook, threads: ThreadKeeper) -> None:
        self._world = world
        self._desk = desk
        self._book = book
        self._threads = threads

    def routes(self) -> list[Route]:
        channel = "/channels/{channel}"
        one = channel + "/messages/{message}"
        return [
            Route("GET", channel, self.channel),
            Route("PATCH", channel, self.change_thread),
            Route("POST", channel + "/typing", self.typing),
            Route("GET", channel + "/messages", self.history),
            Route("POST", channel + "/messages", self.create),
            Route("GET", one, self.get),
            Route("PATCH", one, self.edit),
            Route("DELETE", one, self.delete),
        ]

    def _channel(self, exchange: Exchange, needed: int = 0) -> Channel:
        channel = self._world.channels.get(exchange.parameter("channel"))
        if channel is None:
            raise errors.unknown_channel()
        if self._world.presence == UNAVAILABLE:
            raise errors.service_unavailable()
        if self._world.presence == REMOVED:
            raise errors.missing_access()
        allowed = self._world.bot_permissions(channel)
        if allowed & bits.ADMINISTRATOR:
            return channel
        if not allowed & bits.VIEW_CHANNEL:
            raise errors.missing_access()
        if allowed & needed != needed:
            raise errors.missing_permissions()
        return channel

    def _message(self, exchange: Exchange, channel: Channel) -> StoredMessage:
        """A message that is there for a bot: an ephemeral one is not."""
        message = channel.messages.get(exchange.parameter("message"))
        if message is None or message.owner is not None:
            raise errors.unknown_message()
        return message

    def channel(self, exchange: Exchange) -> Json:
        return channel_shape(self._world, self._channel(exchange))

    def change_thread(self, exchange: Exchange) -> Json:
        """Archives, opens, locks or unlocks a thread; nothing else of a channel can be changed here.

        Opening a thread that is not locked needs what sending there needs, the rest MANAGE_THREADS.
        """
        channel = self._channel(exchange)
        body = exchange.form()
        wrong = [
            (name, "BASE_TYPE_CHOICES", "The playground changes only archived and locked, which are true or false.")
            for name, value in body.items()
            if name not in ("archived", "locked") or not isinstance(value, bool)
        ]
        if wrong or not channel.is_thread:
            raise errors.invalid_form(wrong or [("_", "BASE_TYPE_CHOICES", "The playground changes only threads.")])
        opens = body == {"archived": False} and not channel.locked
        self._channel(exchange, bits.SEND_MESSAGES_IN_THREADS if opens else bits.MANAGE_THREADS)
        if channel.archived and body.get("archived") is not False:
            raise errors.thread_archived()
        self._threads.change(channel, archived=body.get("archived"), locked=body.get("locked"))
        return channel_shape(self._world, channel)

    def typing(self, exchange: Exchange) -> None:
        self._channel(exchange, bits.SEND_MESSAGES)

    def history(self, exchange: Exchange) -> list[Json]:
        """Newest first, 50 or `limit` of them, `before`, `after` or `around` an id."""
        channel = self._channel(exchange, bits.READ_MESSAGE_HISTORY)
        limit = _limit(exchange.query.get("limit", "50"))
        newest_first = [m.payload for m in reversed(channel.messages.values()) if m.owner is None]
        query = exchange.query
        if "before" in query:
            return [m for m in newest_first if int(m["id"]) < _id(query["before"])][:limit]
        if "after" in query:
            later = [m for m in newest_first if int(m["id"]) > _id(query["after"])]
            return later[-limit:]
        if "around" in query:
            middle = _id(query["around"])
            older = [m for m in newest_first if int(m["id"]) <= middle][: limit - limit // 2]
            newer = [m for m in newest_first if int(m["id"]) > middle]
            return newer[-(limit // 2) :] + older if limit > 1 else older
        return newest_first[:limit]

    def create(self, exchange: Exchange) -> Json:
        channel = self._channel(exchange)
        needed = bits.SEND_MESSAGES_IN_THREADS if channel.is_thread else bits.SEND_MESSAGES
        if exchange.uploads:
            needed |= bits.ATTACH_FILES
        self._channel(exchange, needed)
        body = exchange.form()
        check_message(body)
        if (body.get("flags") or 0) & EPHEMERAL:
            body = {**body, "flags": body["flags"] & ~EPHEMERAL}  # only an interaction's reply can be
        before = self._desk.already_sent(channel, body)
        if before:
            return before.payload
        draft = self._desk.draft(body, exchange.uploads)
        self._threads.before_sending(channel)
        nonce = body.get("nonce")
        message = self._desk.create(channel, draft, nonce=nonce, **self._reference(channel, body))
        self._desk.remember_nonce(channel, body, message)
        return message.payload

    def _reference(self, channel: Channel, body: Json) -> Json:
        """Kind and reference of a reply to another message of the channel."""
        reference = body.get("message_reference")
        if not reference:
            return {}
        target = channel.messages.get(str(reference.get("message_id")))
        if target is None or target.owner is not None:
            if reference.get("fail_if_not_exists", True):
                raise errors.invalid_form([("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")])
            return {}
        shape = {
            "type": 0,
            "channel_id": channel.id,
            "message_id": target.id,
            "guild_id": self._world.guild_id,
        }
        return {"kind": REPLY, "extra": {"message_reference": shape}}

    def get(self, exchange: Exchange) -> Json:
        channel = self._channel(exchange, bits.READ_MESSAGE_HISTORY)
        return self._message(exchange, channel).payload

    def edit(self, exchange: Exchange) -> Json:
        channel = self._channel(exchange)
        message = self._message(exchange, channel)
        if message.payload["author"]["id"] != self._world.bot.id:
            raise errors.not_the_author()
        if exchange.uploads:
            self._channel(exchange, bits.ATTACH_FILES)
        self._threads.before_editing(channel)
        draft = self._desk.draft(exchange.form(), exchange.uploads, message.payload)
        self._desk.count_old_edit(message)
        self._desk.edit(message, draft)
        self._note(message)
        return message.payload

    def delete(self, exchange: Exchange) -> None:
        channel = self._channel(exchange)
        message = self._message(exchange, channel)
        if message.payload["author"]["id"] != self._world.bot.id:
            self._channel(exchange, bits.MANAGE_MESSAGES)
        self._desk.delete(channel, message)
        self._note(message)

    def _note(self, message: StoredMessage) -> None:
        """A deferred reply may also be filled by its id: whoever waits for it must wake."""
        origin = message.payload.get("interaction_metadata")
        interaction = self._book.by_id(origin["id"]) if origin else None
        if interaction:
            self._book.update(interaction)


def _id(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise errors.invalid_form([("_", "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')])
    return int(text)


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 100:
        raise errors.invalid_form([("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")])
    return int(text)
