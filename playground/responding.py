"""How the bot answers an interaction: the one callback, then edits and follow-ups by its token."""

from __future__ import annotations

from playground import errors
from playground.attachments import Upload
from playground.clock import Clock
from playground.commands import command_name
from playground.components import check_modal, fill_in
from playground.forms import check_components
from playground.interactions import (
    ACK_WINDOW,
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    TOKEN_LIFE,
    Interaction,
    InteractionBook,
)
from playground.messages import COMMAND_REPLY, CONTEXT_MENU_REPLY, EPHEMERAL, LOADING, REPLY, MessageDesk
from playground.shapes import user_shape
from playground.threads import ThreadKeeper
from playground.world import Channel, Json, StoredMessage, World

MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9

ANSWERS = {
    COMMAND: frozenset({MESSAGE, DEFERRED_MESSAGE, MODAL}),
    COMPONENT: frozenset({MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL}),
    AUTOCOMPLETE: frozenset({CHOICES}),
    MODAL_SUBMIT: frozenset({MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE}),
}
"""Which callback types fit which interaction."""

MOST_CHOICES = 25


class Responder:
    """Applies the bot's answers. All methods raise ApiError with Discord's codes."""

    def __init__(
        self, world: World, book: InteractionBook, desk: MessageDesk, threads: ThreadKeeper, clock: Clock
    ) -> None:
        self._world = world
        self._book = book
        self._desk = desk
        self._threads = threads
        self._clock = clock

    # the callback

    def respond(self, interaction_id: str, token: str, body: Json, uploads: list[Upload]) -> Json:
        """The first and only answer. Returns the body of `with_response`.

        10062: unknown, or older than 3 seconds; 40060: answered before; 50035: the type does not fit.
        """
        interaction = self._book.by_token(token)
        if interaction is None or interaction.id != interaction_id:
            raise errors.unknown_interaction()
        if interaction.acked:
            raise errors.already_acknowledged()
        if self._clock() - interaction.created_at > ACK_WINDOW:
            raise errors.unknown_interaction()
        kind = body.get("type")
        updates_nothing = kind in (DEFERRED_UPDATE, UPDATE) and interaction.message_id is None
        if kind not in ANSWERS[interaction.type] or updates_nothing:
            raise errors.invalid_form(
                [("type", "BASE_TYPE_CHOICES", f"{kind} does not answer an interaction of this kind.")]
            )
        data = body.get("data") or {}
        if not isinstance(data, dict):
            raise errors.invalid_form([("data", "DICT_TYPE_CONVERT", "Only dictionaries may be used")])
        self._answer(interaction, kind, data, uploads)
        interaction.acked_at = self._clock()
        interaction.ack_type = kind
        self._book.update(interaction)
        return self._callback_shape(interaction)

    def _answer(self, interaction: Interaction, kind: int, data: Json, uploads: list[Upload]) -> None:
        if kind == MESSAGE:
            interaction.reply_id = self._reply(interaction, data, uploads).id
        elif kind == DEFERRED_MESSAGE:
            owner = self._owner(interaction, data)
            self._wake(self._channel(interaction), owner)
            message = self._desk.create_loading(
                self._channel(interaction),
                kind=self._reply_kind(interaction),
                owner=owner,
                extra=self._provenance(interaction),
            )
            interaction.reply_id = message.id
        elif kind == DEFERRED_UPDATE:
            interaction.reply_id = interaction.message_id
        elif kind == UPDATE:
            channel, source = self._find(interaction.message_id)
            draft = self._desk.draft(data, uploads, source.payload)
            self._wake(channel, source.owner)
            self._desk.edit(source, draft)
            interaction.reply_id = source.id
        elif kind == CHOICES:
            interaction.choices = self._choices(data)
        elif kind == MODAL:
            interaction.modal = self._modal(data)

    def _modal(self, data: Json) -> Json:
        check_components(data.get("components"))
        faults = check_modal(data)
        if faults:
            raise errors.invalid_form(faults)
        return {**data, "components": fill_in(data["components"], [])[0]}

    def _choices(self, data: Json) -> list[Json]:
        choices = data.get("choices") or []
        if not isinstance(choices, list) or len(choices) > MOST_CHOICES:
            raise errors.invalid_form([("data.choices", "BASE_TYPE_BAD_LENGTH", "25 choices at most.")])
        return choices

    def _reply(
        self, interaction: Interaction, data: Json, uploads: list[Upload], original: str | None = None
    ) -> StoredMessage:
        channel, owner = self._channel(interaction), self._owner(interaction, data)
        draft = self._desk.draft(data, uploads)
        self._wake(channel, owner)
        return self._desk.create(
            channel,
            draft,
            kind=REPLY if original else self._reply_kind(interaction),
            owner=owner,
            extra=self._provenance(interaction, original),
        )

    def _callback_shape(self, interaction: Interaction) -> Json:
        about: Json = {
            "id": interaction.id,
            "type": interaction.type,
            "channel_id": interaction.channel_id,
            "guild_id": self._world.guild_id,
        }
        shape: Json = {"interaction": about}
        kind = interaction.ack_type
        if kind in (MESSAGE, DEFERRED_MESSAGE):
            message = self._find(interaction.reply_id)[1]
            about["response_message_id"] = message.id
            about["response_message_loading"] = kind == DEFERRED_MESSAGE
            about["response_message_ephemeral"] = message.owner is not None
        if kind in (MESSAGE, UPDATE):
            shape["resource"] = {"type": kind, "message": self._find(interaction.reply_id)[1].payload}
        return shape

    # by token: @original and follow-ups

    def follow_up(self, application_id: str, token: str, body: Json, uploads: list[Upload]) -> StoredMessage:
        """A further message. The first one after a deferred reply fills that reply instead."""
        interaction = self._living(application_id, token)
        first = self._world.find_message(interaction.reply_id)
        if first and first[1].payload["flags"] & LOADING:
            draft = self._desk.draft(body, uploads)
            self._wake(first[0], first[1].owner)
            message = self._desk.edit(first[1], draft)
        else:
            message = self._reply(interaction, body, uploads, original=interaction.reply_id)
            interaction.followup_ids.append(message.id)
        self._book.update(interaction)
        return message

    def get(self, application_id: str, token: str, message_id: str) -> StoredMessage:
        return self._own(self._living(application_id, token), message_id)[1]

    def edit(
        self, application_id: str, token: str, message_id: str, body: Json, uploads: list[Upload]
    ) -> StoredMessage:
        interaction = self._living(application_id, token)
        channel, message = self._own(interaction, message_id)
        draft = self._desk.draft(body, uploads, message.payload)
        self._wake(channel, message.owner)
        self._desk.edit(message, draft)
        self._book.update(interaction)
        return message

    def delete(self, application_id: str, token: str, message_id: str) -> None:
        interaction = self._living(application_id, token)
        self._desk.delete(*self._own(interaction, message_id))
        self._book.update(interaction)

    def _living(self, application_id: str, token: str) -> Interaction:
        """10015: no such token, or nothing answered yet; 50027: older than 15 minutes."""
        interaction = self._book.by_token(token)
        if interaction is None or application_id != self._world.bot.id or not interaction.acked:
            raise errors.unknown_webhook()
        if self._clock() - interaction.created_at > TOKEN_LIFE:
            raise errors.invalid_webhook_token()
        return interaction

    def _own(self, interaction: Interaction, message_id: str) -> tuple[Channel, StoredMessage]:
        """A message that this token may touch: its replies, and the one its component sits on."""
        wanted = interaction.reply_id if message_id == "@original" else message_id
        allowed = {interaction.reply_id, interaction.message_id, *interaction.followup_ids}
        if wanted is None or wanted not in allowed:
            raise errors.unknown_message()
        return self._find(wanted)

    def _wake(self, channel: Channel, owner: str | None) -> None:
        """An answer in public opens an archived thread, or is refused in a locked one; a private one does neither."""
        if owner is None:
            self._threads.before_sending(channel)

    # where replies go and what they say about their origin

    def _find(self, message_id: str | None) -> tuple[Channel, StoredMessage]:
        found = self._world.find_message(message_id)
        if found is None:
            raise errors.unknown_message()
        return found

    def _channel(self, interaction: Interaction) -> Channel:
        channel = self._world.channels.get(interaction.channel_id)
        if channel is None:
            raise errors.unknown_channel()
        return channel

    def _owner(self, interaction: Interaction, data: Json) -> str | None:
        flags = data.get("flags") or 0
        if not isinstance(flags, int):
            raise errors.invalid_form([("data.flags", "NUMBER_TYPE_CONVERT", "Not a number.")])
        return interaction.user_id if flags & EPHEMERAL else None

    def _reply_kind(self, interaction: Interaction) -> int:
        if interaction.type != COMMAND:
            return REPLY if interaction.message_id else COMMAND_REPLY
        return COMMAND_REPLY if interaction.data.get("type", 1) == 1 else CONTEXT_MENU_REPLY

    def _provenance(self, interaction: Interaction, original: str | None = None) -> Json:
        extra: Json = {
            "application_id": self._world.bot.id,
            "webhook_id": self._world.bot.id,
            "interaction_metadata": self._book.metadata(interaction, original),
        }
        target = original or interaction.message_id
        if target:
            extra["message_reference"] = {
                "type": 0,
                "channel_id": interaction.channel_id,
                "message_id": target,
                "guild_id": self._world.guild_id,
            }
        user = self._world.anyone(interaction.user_id)
        if interaction.type == COMMAND and not original and user:
            # Deprecated, but Discord still sends it, and it alone names the command.
            extra["interaction"] = {
                "id": interaction.id,
                "type": interaction.type,
                "name": command_name(interaction.data),
                "user": user_shape(user),
            }
        return extra
