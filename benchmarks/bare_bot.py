"""The floor for the cost of a click: a bare discord.py bot that edits a static persistent LayoutView.

Run by benchmarks/click.py with the address of a playground.
"""

from __future__ import annotations

import sys

import discord
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL


class Board(ui.LayoutView):
    """As many components and about as much text as a board for two."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.buttons: list[ui.Button[Board]] = [
            ui.Button(label="Reveal!", custom_id="bare:flip", style=discord.ButtonStyle.danger),
            ui.Button(label="Finish", custom_id="bare:finish"),
            ui.Button(label="More", custom_id="bare:more"),
        ]
        for button in self.buttons:
            button.callback = self.press
        self.add_item(
            ui.Container(
                ui.TextDisplay("### War: Alice and Bob"),
                ui.TextDisplay(
                    "🔵 `▰▰▰▰▱▱▱▱` **Bob** · 25 cards · 50% to win\n🟧 `▰▰▰▰▱▱▱▱` **Alice** · 25 cards · 50% to win"
                ),
                ui.Separator(),
                ui.TextDisplay("Then 8 rounds: Bob took 4, Alice took 4.\n## WAR!\nBob’s 8♦ and Alice’s 8♥ tie."),
                ui.Separator(),
                ui.TextDisplay("Waiting for Bob and Alice. The table plays by itself <t:1796023297:R>."),
                ui.ActionRow(*self.buttons),
                ui.TextDisplay("-# Turn 3 · Classic rules · SHA-256 of the seed " + "0" * 64),
                accent_colour=0xD13B3B,
            )
        )

    async def press(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=Board())


class Bare(discord.AutoShardedClient):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), chunk_guilds_at_startup=False, max_messages=None)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        self.add_view(Board())

        @self.tree.command(name="board", description="A static board")
        async def board(interaction: discord.Interaction) -> None:
            await interaction.response.send_message(view=Board())

        del board
        await self.tree.sync()


if __name__ == "__main__":
    Route.BASE = sys.argv[1] + "/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = URL(sys.argv[1]).with_scheme("ws")
    Bare().run(sys.argv[2], log_handler=None)
