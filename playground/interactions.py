"""Interactions: what a person did, sent to the bot, and what became of it."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field

from playground.clock import Clock
from playground.commands import command_name
from playground.errors import Refused
from playground.events import EventBus
from playground.faults.gateway import Moments
from playground.gateway import Gateway
from playground.messages import LOADING
from playground.shapes import (
    interaction_channel,
    member_permissions,
    member_shape,
    user_shape,
)
from playground.world import Channel, Json, StoredMessage, User, World

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5

ACK_WINDOW = 3.0
"""Seconds within which the bot must answer an interaction."""
TOKEN_LIFE = 900.0
"""Seconds for which an answered interaction's token is good for edits and follow-ups."""
KEPT = 5000
"""How many interactions are remembered; older ones that are past their token's life go first."""


@dataclass(slots=True)
class Interaction:
    """One interaction and its fate. Times are the server's clock, in seconds.

    `message_id` is the message that the component sits on; `reply_id` what `@original` names.
    `ack_type` is Discord's callback type (4 message, 5 deferred message, 6 deferred update, 7 update,
    8 choices, 9 modal). `payload` is what the bot was sent; None for one of a saved world.
    """

    id: str
    token: str
    type: int
    user_id: str
    channel_id: str
    data: Json
    created_at: float
    message_id: str | None = None
    was_delivered: bool = True
    triggered_by: Json | None = None
    acked_at: float | None = None
    ack_type: int | None = None
    reply_id: str | None = None
    followup_ids: list[str] = field(default_factory=list)
    choices: list[Json] | None = None
    modal: Json | None = None
    payload: Json | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def acked(self) -> bool:
        return self.acked_at is not None

    @property
    def ack_ms(self) -> float | None:
        if self.acked_at is None:
            return None
        return round((self.acked_at - self.created_at) * 1000, 2)


class InteractionBook:
    """Makes interactions, sends them to the bot, and knows how each went."""

    def __init__(self, world: World, gateway: Gateway, events: EventBus, clock: Clock, moments: Moments) -> None:
        self._world = world
        self._gateway = gateway
        self._events = events
        self._clock = clock
        self._moments = moments
        self._by_id: dict[str, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}

    def by_id(self, interaction_id: str) -> Interaction | None:
        return self._by_id.get(interaction_id)

    def by_token(self, token: str) -> Interaction | None:
        return self._by_token.get(token)

    def alive(self) -> list[Interaction]:
        """Those whose token still works: what a saved world must keep."""
        return [i for i in self._by_id.values() if self._clock() - i.created_at <= TOKEN_LIFE]

    def add(self, interaction: Interaction) -> None:
        self._by_id[interaction.id] = interaction
        self._by_token[interaction.token] = interaction

    # sending

    def send(
        self,
        kind: int,
        user: User,
        channel: Channel,
        data: Json,
        message: StoredMessage | None = None,
        triggered_by: Json | None = None,
    ) -> Interaction:
        """Sends an interaction to the bot; with no bot connected it is made too, and stays unanswered."""
        interaction = Interaction(
            id=self._world.snowflakes.next(),
            token=secrets.token_urlsafe(48),
            type=kind,
            user_id=user.id,
            channel_id=channel.id,
            data=data,
            created_at=self._clock(),
            message_id=message.id if message else None,
            was_delivered=self._gateway.connected,
            triggered_by=triggered_by,
        )
        self._prune()
        self.add(interaction)
        self._world.changed()
        interaction.payload = self._payload(interaction, user, channel, message)
        for seconds in self._moments.deliveries():
            self._deliver(interaction.payload, seconds)
        self.tell(interaction)
        asyncio.get_running_loop().call_later(ACK_WINDOW + 0.05, self._note_silence, interaction)
        return interaction

    def _deliver(self, payload: Json, seconds: float = 0.0) -> None:
        if seconds > 0:
            loop = asyncio.get_running_loop()
            loop.call_later(seconds, self._gateway.dispatch, "INTERACTION_CREATE", payload)
        else:
            self._gateway.dispatch("INTERACTION_CREATE", payload)

    def replay(self, interaction_id: object) -> Interaction:
        """Sends an interaction once more, as it was. Refused: it is not known, or is one of a saved world."""
        interaction = self._by_id.get(str(interaction_id))
        if interaction is None or interaction.payload is None:
            raise Refused(f"There is no interaction {interaction_id!r} to deliver again.", 404)
        self._deliver(interaction.payload)
        return interaction

    def time_passed(self) -> None:
        """Call it when the clock was moved: whoever waits for an answer that cannot come any more must hear of it."""
        for interaction in list(self._by_id.values()):
            if not interaction.settled.is_set():
                self._note_silence(interaction)

    def _payload(self, interaction: Interaction, user: User, channel: Channel, message: StoredMessage | None) -> Json:
        world = self._world
        payload: Json = {
            "id": interaction.id,
            "application_id": world.bot.id,
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "guild_id": world.guild_id,
            "guild": {"id": world.guild_id, "features": [], "locale": "en-US"},
            "guild_locale": "en-US",
            "channel_id": channel.id,
            "channel": interaction_channel(world, channel, user),
            "member": member_shape(user) | {"permissions": member_permissions(world, user)},
            "locale": "en-US",
            "app_permissions": str(world.bot_permissions(channel)),
            "entitlements": [],
            "context": 0,
            "authorizing_integration_owners": {"0": world.guild_id},
            "attachment_size_limit": world.attachment_limit,
            "data": interaction.data,
        }
        if message:
            payload["message"] = dict(message.payload)  # as it is now, should it be delivered again
        return payload

    def _note_silence(self, interaction: Interaction) -> None:
        if self.failure(interaction):
            interaction.settled.set()
            self.tell(interaction)

    def _prune(self) -> None:
        if len(self._by_id) < KEPT:
            return
        for old in list(self._by_id.values()):
            if self._clock() - old.created_at <= TOKEN_LIFE or len(self._by_id) < KEPT:
                break
            del self._by_id[old.id]
            del self._by_token[old.token]

    # what became of it

    def failure(self, interaction: Interaction) -> str | None:
        """Why the person got no answer; None while there is one, or time for one."""
        age = self._clock() - interaction.created_at
        if not interaction.acked:
            if age <= ACK_WINDOW:
                return None
            if not interaction.was_delivered:
                return "The bot is not connected: nobody heard this."
            return "The application did not respond within 3 seconds."
        if age > TOKEN_LIFE and self._is_thinking(interaction):
            return "The application deferred its answer and did not give it within 15 minutes."
        return None

    def _message(self, message_id: str | None) -> Json | None:
        found = self._world.find_message(message_id)
        return dict(found[1].payload) if found else None

    def _is_thinking(self, interaction: Interaction) -> bool:
        reply = self._message(interaction.reply_id)
        return reply is not None and bool(reply["flags"] & LOADING)

    def update(self, interaction: Interaction) -> None:
        """Call it after each change: wakes who waits for the answer, tells the watchers."""
        if interaction.acked and not self._is_thinking(interaction):
            interaction.settled.set()
        self._world.changed()
        self.tell(interaction)

    def summary(self, interaction: Interaction) -> Json:
        """What everyone may know: who did what kind of thing, and whether and when it was answered."""
        return {
            "id": interaction.id,
            "type": interaction.type,
            "user": interaction.user_id,
            "channel": interaction.channel_id,
            "message": interaction.message_id,
            "delivered": interaction.was_delivered,
            "acked": interaction.acked,
            "ack_ms": interaction.ack_ms,
            "ack_type": interaction.ack_type,
            "failed": self.failure(interaction),
        }

    def record(self, interaction: Interaction) -> Json:
        """The whole of it: with the reply, the follow-ups, the choices and the modal."""
        followups = [self._message(message_id) for message_id in interaction.followup_ids]
        return self.summary(interaction) | {
            "command": command_name(interaction.data) if "name" in interaction.data else None,
            "custom_id": interaction.data.get("custom_id"),
            "reply": self._message(interaction.reply_id),
            "followups": [message for message in followups if message],
            "choices": interaction.choices,
            "modal": interaction.modal,
        }

    def tell(self, interaction: Interaction) -> None:
        """An event with the whole record for its user, with the summary for the others."""
        self._events.publish(
            {"type": "interaction", "interaction": self.record(interaction)},
            owner=interaction.user_id,
            public={"type": "interaction", "interaction": self.summary(interaction)},
        )

    async def wait(self, interaction: Interaction, seconds: float) -> None:
        """Returns when the answer is there, or will not come, or after so many seconds."""
        try:
            await asyncio.wait_for(interaction.settled.wait(), seconds)
        except TimeoutError:
            return

    # what messages say about the interaction they came from

    def metadata(self, interaction: Interaction, original: str | None = None) -> Json:
        """`interaction_metadata` of a message; `original` is the first reply, for follow-ups."""
        user = self._world.anyone(interaction.user_id) or self._world.bot
        metadata: Json = {
            "id": interaction.id,
            "type": interaction.type,
            "user": user_shape(user),
            "authorizing_integration_owners": {"0": self._world.guild_id},
        }
        if original:
            metadata["original_response_message_id"] = original
        if interaction.type == COMPONENT:
            metadata["interacted_message_id"] = interaction.message_id
        if interaction.type == MODAL_SUBMIT:
            metadata["triggering_interaction_metadata"] = interaction.triggered_by
        return metadata
