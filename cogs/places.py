"""What happens to the places of matches: shards, servers, channels, threads and what the bot may do there."""

from __future__ import annotations

import logging

import discord
from discord.ext import commands

from bot.client import WarBot
from db import matches

log = logging.getLogger(__name__)


class Places(commands.Cog):
    """A match is void when its place is gone, and paused while the bot may not show it; outages cost nobody."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        self.host = bot.host

    # ---- gone -----------------------------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.host.guild_gone(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.host.channel_gone(channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.host.channel_gone(payload.thread_id)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """What went away while the bot was down sent no event."""
        await self.host.only_in({guild.id for guild in self.bot.guilds})
        for guild_id, channel_id in await matches.places(self.bot.db):
            guild = self.bot.get_guild(guild_id)
            if guild is not None and not guild.unavailable and guild.get_channel_or_thread(channel_id) is None:
                await self._look_for(channel_id)

    async def _look_for(self, channel_id: int) -> None:
        """A thread that is archived is not listed; a channel that is gone is not to be had either."""
        try:
            channel = await self.bot.fetch_channel(channel_id)
        except discord.NotFound:
            log.info("channel %d is gone: its matches are void", channel_id)
            await self.host.channel_gone(channel_id)
        except discord.HTTPException as failure:
            log.info("channel %d cannot be looked at: %s", channel_id, failure)
        else:
            if isinstance(channel, discord.Thread) and (channel.archived or channel.locked):
                self.bot.shut.add(channel_id)

    # ---- seen again, or not -----------------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self.host.grace(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        await self.host.look_again(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self.host.look_again(after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        if after.id == after.guild.me.id:
            await self.host.look_again(after.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        state = payload.data["thread_metadata"]
        if not (state["archived"] or state.get("locked", False)):
            self.bot.shut.discard(payload.thread_id)
            await self.host.look_again(payload.guild_id)
        elif await self.host.match_in(payload.thread_id) is not None:
            self.bot.shut.add(payload.thread_id)


async def setup(bot: WarBot) -> None:
    await bot.add_cog(Places(bot))
