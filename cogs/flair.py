"""`/war flair`: the card back and the emblem that others see (rule 13)."""

from __future__ import annotations

from discord.ext import commands

from bot.client import WarBot
from bot.gallery import LATE
from bot.pictures.flair import BACKS, EMBLEMS
from bot.refusals import Refusal
from cogs._buttons import buttons_of
from cogs._group import war_group
from cogs._posts import Post
from cogs._press import Press, user_of
from cogs._view_flair import BY_SEAT, flair
from db.people import Person


class FlairChoice(commands.Cog):
    """Answers the command and its two selects, in private."""

    def __init__(self, bot: WarBot) -> None:
        self.bot = bot
        self.company = bot.company
        buttons = buttons_of(bot)
        buttons.add("cardback", 0, self.choose_back)
        buttons.add("emblem", 0, self.choose_emblem)

    async def show(self, interaction: Press) -> None:
        post = await self._post(interaction, await self.company.person(user_of(interaction.user)))
        await interaction.response.send_message(view=post.layout, files=post.files(), ephemeral=True)

    async def choose_back(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self.company.set_back(user_of(interaction.user), _chosen(interaction, BACKS))
        await self._show_again(interaction)

    async def choose_emblem(self, interaction: Press, numbers: tuple[int, ...]) -> None:
        await self.company.set_emblem(user_of(interaction.user), _chosen(interaction, EMBLEMS))
        await self._show_again(interaction)

    async def _show_again(self, interaction: Press) -> None:
        post = await self._post(interaction, await self.company.person(user_of(interaction.user)))
        await interaction.response.edit_message(view=post.layout, attachments=post.files())

    async def _post(self, interaction: Press, person: Person) -> Post:
        # What is not to be had any more follows the seat at a table (bot/gallery.py), so it does here.
        back = person.back if person.back in BACKS else None
        emblem = person.emblem if person.emblem in EMBLEMS else None
        draw = await self.bot.may_draw(interaction.guild_id or 0, interaction.channel_id or 0)
        drawn = await self.bot.gallery.flair(back, emblem) if draw else None
        picture = None if drawn is LATE else drawn
        return Post(flair(self.bot.texts_for(interaction), back, emblem, picture), picture)


def _chosen(interaction: Press, known: tuple[str, ...]) -> str | None:
    """The value that was selected, None for "by seat". Raises `Refusal` for one that is not to be had."""
    data: dict[str, object] = dict(interaction.data or {})
    values = data.get("values")
    if isinstance(values, list) and len(values) == 1 and values[0] in (BY_SEAT, *known):  # pyright: ignore[reportUnknownArgumentType]
        value = str(values[0])  # pyright: ignore[reportUnknownArgumentType]
        return None if value == BY_SEAT else value
    raise Refusal("refuse-older-version")


async def setup(bot: WarBot) -> None:
    cog = FlairChoice(bot)
    await bot.add_cog(cog)

    @war_group(bot).command(name="flair", description="Choose your card back and your emblem")
    async def flair_command(interaction: Press) -> None:
        await cog.show(interaction)

    del flair_command
