"""What the REST API can do, but for messages: application, commands, interactions, webhooks, server."""

from __future__ import annotations

from playground import errors
from playground.commands import CommandBook
from playground.gateway import Gateway
from playground.responding import Responder
from playground.rest import Exchange, Route
from playground.shapes import (
    application_shape,
    channel_shape,
    guild_shape,
    member_shape,
    role_shape,
    user_shape,
)
from playground.world import DELETED, REMOVED, UNAVAILABLE, Json, World


class ApplicationRoutes:
    """Who the bot is, where its gateway is, and which commands it has."""

    def __init__(self, world: World, gateway: Gateway, commands: CommandBook) -> None:
        self._world = world
        self._gateway = gateway
        self._commands = commands

    def routes(self) -> list[Route]:
        everywhere = "/applications/{application}/commands"
        here = "/applications/{application}/guilds/{guild}/commands"
        routes = [
            Route("GET", "/gateway", lambda _: {"url": self._gateway.url}, token=False),
            Route("GET", "/gateway/bot", self.gateway_bot),
            Route("GET", "/users/@me", self.me),
            Route("GET", "/users/{user}", self.user),
            Route("GET", "/oauth2/applications/@me", lambda _: application_shape(self._world)),
            Route("GET", "/applications/@me", lambda _: application_shape(self._world)),
        ]
        for base in (everywhere, here):
            routes += [
                Route("GET", base, self.list_commands),
                Route("PUT", base, self.replace_commands),
                Route("POST", base, self.put_command, created=201),
                Route("GET", base + "/{command}", self.get_command),
                Route("DELETE", base + "/{command}", self.delete_command),
            ]
        return routes

    def gateway_bot(self, exchange: Exchange) -> Json:
        return {"url": self._gateway.url, "shards": 1, "session_start_limit": self._gateway.starts.shape()}

    def me(self, exchange: Exchange) -> Json:
        return {**user_shape(self._world.bot), "mfa_enabled": False, "locale": "en-US"}

    def user(self, exchange: Exchange) -> Json:
        user = self._world.anyone(exchange.parameter("user"))
        if user is None:
            raise errors.unknown_user()
        return user_shape(user)

    def _guild(self, exchange: Exchange) -> str | None:
        """Checks application and server of a commands route; None is the global list."""
        if exchange.parameter("application") != self._world.bot.id:
            raise errors.not_this_application()
        guild_id = exchange.parameters.get("guild")
        if guild_id not in (None, self._world.guild_id):
            raise errors.missing_access()
        return guild_id

    def list_commands(self, exchange: Exchange) -> list[Json]:
        return self._commands.all(self._guild(exchange))

    def replace_commands(self, exchange: Exchange) -> list[Json]:
        guild_id = self._guild(exchange)
        if not isinstance(exchange.body, list):
            raise errors.invalid_form([("_", "LIST_TYPE_CONVERT", "Only iterables may be used")])
        return self._commands.replace(exchange.body, guild_id)

    def put_command(self, exchange: Exchange) -> Json:
        return self._commands.put(exchange.form(), self._guild(exchange))

    def get_command(self, exchange: Exchange) -> Json:
        return self._commands.get(exchange.parameter("command"), self._guild(exchange))

    def delete_command(self, exchange: Exchange) -> None:
        self._commands.delete(exchange.parameter("command"), self._guild(exchange))


class InteractionRoutes:
    """The callback, and the webhook that an interaction's token opens."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    def routes(self) -> list[Route]:
        hook = "/webhooks/{application}/{token}"
        one = hook + "/messages/{message}"
        callback = "/interactions/{interaction}/{token}/callback"
        return [
            Route("POST", callback, self.respond, token=False),
            Route("POST", hook, self.follow_up, token=False),
            Route("GET", one, self.get, token=False),
            Route("PATCH", one, self.edit, token=False),
            Route("DELETE", one, self.delete, token=False),
        ]

    def respond(self, exchange: Exchange) -> Json | None:
        interaction, token = exchange.parameter("interaction"), exchange.parameter("token")
        shape = self._responder.respond(interaction, token, exchange.form(), exchange.uploads)
        return shape if exchange.wants("with_response") else None

    def follow_up(self, exchange: Exchange) -> Json:
        # An interaction's webhook always waits: Discord ignores `wait` there and returns the message.
        return self._responder.follow_up(
            exchange.parameter("application"), exchange.parameter("token"), exchange.form(), exchange.uploads
        ).payload

    def get(self, exchange: Exchange) -> Json:
        return self._responder.get(*self._names(exchange)).payload

    def edit(self, exchange: Exchange) -> Json:
        return self._responder.edit(*self._names(exchange), exchange.form(), exchange.uploads).payload

    def delete(self, exchange: Exchange) -> None:
        self._responder.delete(*self._names(exchange))

    def _names(self, exchange: Exchange) -> tuple[str, str, str]:
        return exchange.parameter("application"), exchange.parameter("token"), exchange.parameter("message")


class GuildRoutes:
    """The server, its members, role, channels and threads."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[Route]:
        guild = "/guilds/{guild}"
        return [
            Route("GET", guild, self.guild),
            Route("GET", guild + "/channels", self.channels),
            Route("GET", guild + "/roles", self.roles),
            Route("GET", guild + "/threads/active", self.threads),
            Route("GET", guild + "/members/{user}", self.member),
        ]

    def _check(self, exchange: Exchange) -> None:
        if exchange.parameter("guild") != self._world.guild_id or self._world.presence == DELETED:
            raise errors.unknown_guild()
        if self._world.presence == UNAVAILABLE:
            raise errors.service_unavailable()
        if self._world.presence == REMOVED:
            raise errors.missing_access()

    def guild(self, exchange: Exchange) -> Json:
        self._check(exchange)
        counts: Json = {}
        if exchange.wants("with_counts"):
            people = sum(not user.left for user in self._world.users.values()) + 1
            counts = {"approximate_member_count": people, "approximate_presence_count": people}
        return guild_shape(self._world) | counts

    def _channels(self, threads: bool) -> list[Json]:
        ordered = self._world.channels_in_order()
        return [channel_shape(self._world, c) for c in ordered if c.is_thread == threads]

    def channels(self, exchange: Exchange) -> list[Json]:
        self._check(exchange)
        return self._channels(threads=False)

    def roles(self, exchange: Exchange) -> list[Json]:
        self._check(exchange)
        return [role_shape(self._world)]

    def threads(self, exchange: Exchange) -> Json:
        self._check(exchange)
        active = [each for each in self._channels(threads=True) if not each["thread_metadata"]["archived"]]
        return {"threads": active, "members": [], "has_more": False}

    def member(self, exchange: Exchange) -> Json:
        self._check(exchange)
        user = self._world.anyone(exchange.parameter("user"))
        if user is None or user.left:
            raise errors.unknown_member()
        return member_shape(user)
