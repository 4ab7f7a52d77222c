"""The world's values in the shapes that Discord's API gives them (fields as in its OpenAPI description)."""

from __future__ import annotations

from playground import permissions
from playground.world import Channel, Json, User, World, overwrite, username


def user_shape(user: User) -> Json:
    shape: Json = {
        "id": user.id,
        "username": username(user.name),
        "global_name": None if user.bot else user.name,
        "discriminator": "0",
        "avatar": None,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }
    if user.bot:
        shape |= {"bot": True, "username": user.name, "discriminator": "0001"}
    return shape


def member_shape(user: User, *, with_user: bool = True) -> Json:
    shape: Json = {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": user.joined_at,
        "nick": user.nick,
        "pending": False,
        "premium_since": None,
        "roles": [],
        "mute": False,
        "deaf": False,
    }
    return {**shape, "user": user_shape(user)} if with_user else shape


def member_permissions(world: World, user: User) -> str:
    """A member's permissions in an interaction: the owner may do everything, the rest what @everyone may."""
    return str(permissions.ALL if user.id == world.owner.id else world.everyone)


def resolved_member(world: World, user: User) -> Json:
    """A member as an interaction's `resolved` has it: without user, deaf and mute, with permissions."""
    shape = member_shape(user, with_user=False)
    for absent in ("mute", "deaf"):
        del shape[absent]
    return {**shape, "permissions": member_permissions(world, user)}


def _last_message_id(channel: Channel) -> str | None:
    return next((m.id for m in reversed(channel.messages.values()) if m.owner is None), None)


def channel_shape(world: World, channel: Channel) -> Json:
    """A text channel or thread as REST and gateway show it."""
    if channel.is_thread:
        return _thread_shape(world, channel)
    return {
        "id": channel.id,
        "type": channel.type,
        "guild_id": world.guild_id,
        "name": channel.name,
        "position": channel.position,
        "permission_overwrites": _overwrites(world, channel),
        "nsfw": False,
        "topic": None,
        "last_message_id": _last_message_id(channel),
        "parent_id": None,
        "rate_limit_per_user": 0,
        "flags": 0,
    }


def _overwrites(world: World, channel: Channel) -> list[Json]:
    """The bot's own overwrite that turns what @everyone may do into the channel's permissions."""
    allow, deny = overwrite(channel)
    if not allow and not deny:
        return []
    return [{"id": world.bot.id, "type": 1, "allow": str(allow), "deny": str(deny)}]


def _thread_shape(world: World, channel: Channel) -> Json:
    count = sum(1 for message in channel.messages.values() if message.owner is None)
    return {
        "id": channel.id,
        "type": channel.type,
        "guild_id": world.guild_id,
        "name": channel.name,
        "parent_id": channel.parent_id,
        "owner_id": world.owner.id,
        "last_message_id": _last_message_id(channel),
        "thread_metadata": {
            "archived": channel.archived,
            "archive_timestamp": channel.archive_changed_at or channel.created_at,
            "auto_archive_duration": 10080,
            "locked": channel.locked,
            "create_timestamp": channel.created_at,
        },
        "message_count": count,
        "member_count": 1,
        "total_message_sent": count,
        "rate_limit_per_user": 0,
        "flags": 0,
    }


def interaction_channel(world: World, channel: Channel, user: User) -> Json:
    """The partial channel of an interaction, with the invoking member's permissions."""
    return {**channel_shape(world, channel), "permissions": member_permissions(world, user)}


def role_shape(world: World) -> Json:
    """The one role, @everyone, whose id is the server's."""
    return {
        "id": world.guild_id,
        "name": "@everyone",
        "permissions": str(world.everyone),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def guild_shape(world: World) -> Json:
    """The server as REST shows it."""
    nothing = dict.fromkeys(
        (
            "icon",
            "description",
            "home_header",
            "splash",
            "discovery_splash",
            "banner",
            "application_id",
            "afk_channel_id",
            "system_channel_id",
            "widget_channel_id",
            "max_presences",
            "vanity_url_code",
            "rules_channel_id",
            "safety_alerts_channel_id",
            "public_updates_channel_id",
            "incidents_data",
        )
    )
    return {
        **nothing,
        "id": world.guild_id,
        "name": world.guild_name,
        "owner_id": world.owner.id,
        "features": [],
        "region": "deprecated",
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "verification_level": 0,
        "roles": [role_shape(world)],
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_members": 500000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-US",
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
    }


def guild_create_shape(world: World) -> Json:
    """The server as the gateway announces it: with channels, threads and, without the privileged
    members intent, no member but the bot."""
    channels = world.channels_in_order()
    return {
        **guild_shape(world),
        "joined_at": world.bot.joined_at,
        "large": False,
        "unavailable": False,
        "member_count": sum(not user.left for user in world.users.values()) + 1,
        "members": [member_shape(world.bot)],
        "channels": [channel_shape(world, channel) for channel in channels if not channel.is_thread],
        "threads": [
            channel_shape(world, channel) for channel in channels if channel.is_thread and not channel.archived
        ],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def application_shape(world: World) -> Json:
    """The bot's application, as its own token sees it."""
    return {
        "id": world.bot.id,
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user_shape(world.owner),
        "approximate_guild_count": 1,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
        "bot": user_shape(world.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "summary": "",
    }
