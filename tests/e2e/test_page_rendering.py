"""The playground's page in a real browser, against the real playground and a small bot on discord.py.

The bot knows nothing of War: it answers custom_ids such as `silent` or `whisper`, so that each test says by
itself what is on the page. Playing War in the page is tested elsewhere in this folder.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import discord
import pytest
import pytest_asyncio
import yarl
from discord import app_commands
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from playground import Playground

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

V2 = 1 << 15
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
MOVING = base64.b64decode(
    "R0lGODlhAQABAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw=="
)
"""One pixel that is red at first, then blue."""
HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script> \u202egnp.exe ' + "W" * 120
Json = dict[str, Any]

MARKDOWN = [
    ("**bold**", "strong", "bold"),
    ("*slanted* and _so_", "em:nth-of-type(2)", "so"),
    ("__under__", "u", "under"),
    ("~~gone~~", "s", "gone"),
    ("***both***", "strong > em", "both"),
    ("**bold with *slanted* in it**", "strong > em", "slanted"),
    ("`**code**`", "code", "**code**"),
    ("`1` first\n`2` second", "code:first-of-type", "1"),
    ("```py\nprint(1)\n```", "pre code", "print(1)"),
    ("# One", "h3.heading-1", "One"),
    ("### Three", "h5.heading-3", "Three"),
    ("-# small", ".subtext", "small"),
    ("- a\n  - b", "ul ul li", "b"),
    ("3. c", "ol[start='3'] li", "c"),
    ("> quoted", "blockquote", "quoted"),
    ("[here](https://example.com/a_(b))", "a[href='https://example.com/a_(b)']", "here"),
    ("see https://example.com/x_y_z.", "a", "https://example.com/x_y_z"),
    ("</war challenge:123>", "button.mention", "/war challenge"),
    ("<:queen_of_spades:123>", ".custom-emoji", ":queen_of_spades:"),
    ("<t:1700000000:D>", "time[datetime^='2023-11-14T22:13:20']", "14 November 2023"),
    (r"\*\*plain\*\* \# a_b_c", ".paragraph", "**plain** # a_b_c"),
    ("2 * 3 * 4 and **", ".paragraph", "2 * 3 * 4 and **"),
    ("[x](javascript:alert)", ".paragraph", "[x](javascript:alert)"),
]
"""What the bot writes, where it is to be found in the drawing, and what stands there."""


def text(content: str) -> Json:
    return {"type": 10, "content": content}


def button(label: str, custom_id: str, style: int = 2, **more: Any) -> Json:
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id, **more}


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def board(turn: int, ready: str = "nobody") -> list[Json]:
    flip = button("Reveal!" if turn % 2 else "Next war", f"war:flip:7:{turn}", 1)
    return [{"type": 17, "components": [text(f"Alice against Bob, turn {turn}\nReady: {ready}"), row(flip)]}]


class SmallBot(discord.Client):
    """Answers `war:flip` like a board for two, `whisper` privately, `ask` with a modal, `silent` never."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.ready: set[str] = set()
        self.heard: list[Json] = []
        """Each interaction: its user, and command with options, custom_id with values, or fields."""

    async def setup_hook(self) -> None:
        group = app_commands.Group(name="war", description="The card game War")

        @group.command(name="challenge", description="Challenge somebody")
        @app_commands.describe(opponent="Whom", rules="Which rules", rounds="How many", loud="For all")
        @app_commands.choices(rules=[app_commands.Choice(name="Short and sweet", value="short")])
        async def challenge(
            interaction: discord.Interaction,
            opponent: discord.Member,
            rules: str | None = None,
            rounds: app_commands.Range[int, 1, 9] | None = None,
            loud: bool | None = None,
        ) -> None:
            options = {"opponent": opponent.id, "rules": rules, "rounds": rounds, "loud": loud}
            self.heard.append({"user": interaction.user.id, "command": "war challenge", "options": options})
            await interaction.response.send_message(f"{opponent.mention} is challenged")

        @group.command(name="card", description="Look at a card")
        async def card(interaction: discord.Interaction, name: str) -> None:
            self.heard.append({"user": interaction.user.id, "command": "war card", "options": {"name": name}})
            await interaction.response.send_message(f"Here is {name}", ephemeral=True)

        @card.autocomplete("name")
        async def card_names(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            names = ["ace of spades", "ace of hearts", "king of clubs"]
            return [app_commands.Choice(name=n, value=n.upper()) for n in names if typed.lower() in n]

        rights = discord.Permissions(manage_guild=True)
        admin = app_commands.Group(name="war-admin", description="For the keepers", default_permissions=rights)

        @admin.command(name="settings", description="How War is played here")
        async def settings(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("The settings", ephemeral=True)

        self.tree.add_command(group)
        self.tree.add_command(admin)
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.modal_submit:
            inputs = [inner["component"] for inner in interaction.data["components"]]
            fields = {field["custom_id"]: field["value"] for field in inputs}
            self.heard.append({"user": interaction.user.id, "fields": fields})
            await interaction.response.send_message("Thank you", ephemeral=True)
        if interaction.type is not discord.InteractionType.component:
            return
        custom_id, values = interaction.data["custom_id"], interaction.data.get("values")
        self.heard.append({"user": interaction.user.id, "custom_id": custom_id, "values": values})
        if custom_id.startswith("war:flip:"):
            await self._flip(interaction, int(custom_id.rsplit(":", 1)[1]))
        elif custom_id == "whisper":
            await interaction.response.send_message("A secret for you", ephemeral=True)
        elif custom_id == "ask":
            await self._respond(interaction, 9, _modal())
        elif custom_id != "silent":
            await interaction.response.defer()

    async def _flip(self, interaction: discord.Interaction, turn: int) -> None:
        self.ready.add(interaction.user.display_name)
        if len(self.ready) == 2:
            turn += 1
            self.ready.clear()
        names = ", ".join(sorted(self.ready)) or "nobody"
        await self._respond(interaction, 7, {"components": board(turn, names)})

    async def _respond(self, interaction: discord.Interaction, kind: int, data: Json) -> None:
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        await self.http.request(discord.http.Route("POST", path), json={"type": kind, "data": data})

    async def post(self, channel: str, body: Json) -> Json:
        route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        return await self.http.request(route, json=body)

    async def show(self, channel: str, *components: Json) -> Json:
        return await self.post(channel, {"flags": V2, "components": list(components)})


def _modal() -> Json:
    field = {"type": 4, "custom_id": "motto", "style": 1, "max_length": 40}
    return {
        "custom_id": "motto-form",
        "title": "Your motto",
        "components": [{"type": 18, "label": "Motto", "description": "Others read it", "component": field}],
    }


class Table:
    """What a test needs: the playground, its bot, and pages opened as somebody."""

    def __init__(self, playground: Playground, bot: SmallBot, context: BrowserContext) -> None:
        self.playground = playground
        self.bot = bot
        self.context = context
        self.channel = playground.first_channel.id
        self.complaints: list[str] = []

    def user(self, name: str) -> str:
        return next(user.id for user in self.playground.world.users.values() if user.name == name)

    async def open(self, who: str = "Alice", *, hints: bool = False) -> Page:
        """A page as that person, once it has drawn its messages and the event stream is open."""
        page = await self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._watch)
        page.on("console", lambda message: self._heard(message.type, message.text))
        if not hints:
            await page.add_init_script("localStorage.setItem('warbot-hints', '3')")
        async with page.expect_response("**/messages?as=*"):
            await page.goto(f"{self.playground.url}/?as={who}")
        await expect(page.get_by_role("radio", checked=True)).to_have_attribute("title", who)
        return page

    def _watch(self, request: Any) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.playground.url).netloc:
            self.complaints.append(f"The page asked another host: {request.url}")

    def _heard(self, kind: str, words: str) -> None:
        if "Content Security Policy" in words:
            self.complaints.append(words)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(chromium: str) -> AsyncIterator[Browser]:
    """One browser for all tests here, which keep apart by profiles: starting it costs more than most of them."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def table(window: Browser, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    async with Playground(scene=False) as playground, contextlib.AsyncExitStack() as closing:
        monkeypatch.setattr(discord.http.Route, "BASE", f"{playground.url}/api/v10")
        gateway = yarl.URL(playground.gateway.url)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
        bot = await closing.enter_async_context(SmallBot())
        running = asyncio.create_task(bot.start(playground.token))
        closing.callback(running.cancel)
        await playground.until_ready()
        context = await window.new_context(
            viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en-GB"
        )
        closing.push_async_callback(context.close)
        table = Table(playground, bot, context)
        yield table
        assert table.complaints == []


def log_of(page: Page) -> Any:
    return page.get_by_role("log", name="Messages")


async def test_every_component_kind_is_drawn(table: Table) -> None:
    picture = {"media": {"url": "attachment://table.png"}, "description": "The table, seen from above"}
    accessory = {"type": 11, "media": {"url": "attachment://table.png"}, "description": "A small table"}
    components = [
        {
            "type": 17,
            "accent_color": 0xC0392B,
            "components": [
                {"type": 9, "components": [text("### A section")], "accessory": accessory},
                {"type": 14, "divider": True, "spacing": 2},
                {"type": 9, "components": [text("Go on?")], "accessory": button("Go on", "on", 3)},
                {"type": 12, "items": [picture, {**picture, "description": "Hidden", "spoiler": True}]},
                {"type": 13, "file": {"url": "attachment://proof.json"}},
                row({"type": 3, "custom_id": "choose", "placeholder": "Which week", "options": _weeks()}),
                row(
                    button("Off", "off", disabled=True),
                    button("Danger", "danger", 4, emoji={"name": "\N{FIRE}"}),
                    {"type": 2, "style": 5, "label": "Rules", "url": "https://example.com/rules"},
                ),
            ],
        },
    ]
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps({"flags": V2, "components": components}))
    form.add_field("files[0]", PIXEL, filename="table.png", content_type="image/png")
    form.add_field("files[1]", b"{}", filename="proof.json", content_type="application/json")
    url = f"{table.playground.url}/api/v10/channels/{table.channel}/messages"
    headers = {"Authorization": f"Bot {table.playground.token}"}
    async with aiohttp.ClientSession() as http, http.post(url, data=form, headers=headers) as answer:
        assert answer.status == 200, await answer.text()

    page = await table.open()
    log = log_of(page)
    await expect(log.get_by_role("heading", name="A section")).to_be_visible()
    await expect(log.locator(".container")).to_have_css("border-left-color", "rgb(192, 57, 43)")
    await expect(log.locator("hr.separator.large")).to_be_visible()
    await expect(log.get_by_role("img", name="A small table")).to_be_visible()
    shown = log.get_by_role("img", name="The table, seen from above")
    assert await shown.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 1
    await expect(log.get_by_role("img", name="Hidden")).to_have_count(0)
    await log.get_by_role("button", name="Spoiler: reveal picture").click()
    await expect(log.get_by_role("img", name="Hidden")).to_be_visible()
    await expect(log.get_by_role("link", name="proof.json")).to_have_attribute("download", "proof.json")
    await expect(log.get_by_role("button", name="Which week")).to_be_visible()
    await expect(log.get_by_role("button", name="Off")).to_be_disabled()
    await expect(log.get_by_role("button", name="Danger")).to_contain_text("\N{FIRE}")
    await expect(log.get_by_role("link", name="Rules")).to_have_attribute("rel", "noopener noreferrer nofollow")

    await shown.click()
    large = page.get_by_role("dialog", name="Picture")
    await expect(large.get_by_role("img")).to_have_attribute("alt", "The table, seen from above")
    await page.keyboard.press("Escape")
    await expect(large).to_be_hidden()


def _weeks() -> list[Json]:
    return [
        {"label": "This week", "value": "week", "description": "From Monday"},
        {"label": "All time", "value": "all"},
    ]


async def test_embeds_and_content_of_classic_messages_are_drawn(table: Table) -> None:
    embed = {
        "title": "Standings",
        "description": "**Alice** leads",
        "color": 0x3F7D3A,
        "fields": [{"name": "Wins", "value": "12", "inline": True}],
        "footer": {"text": "this week"},
    }
    await table.bot.post(table.channel, {"content": "Look:", "embeds": [embed]})
    log = log_of(await table.open())
    await expect(log.locator(".message-body > .markdown")).to_have_text("Look:")
    await expect(log.locator(".embed strong")).to_have_text("Alice")
    await expect(log.locator(".embed")).to_contain_text("Wins12")
    await expect(log.locator(".embed")).to_have_css("border-left-color", "rgb(63, 125, 58)")


async def test_markdown_is_drawn_as_discord_would(table: Table) -> None:
    await table.bot.show(table.channel, *[text(source) for source, _, _ in MARKDOWN])
    drawn = log_of(await table.open()).locator(".message-body > .markdown")
    for index, (source, selector, words) in enumerate(MARKDOWN):
        found = drawn.nth(index).locator(selector)
        assert await found.all_text_contents() == [words], source


async def test_an_emoji_of_the_application_is_drawn_as_its_picture(table: Table) -> None:
    made = await table.bot.create_application_emoji(name="queen_of_spades", image=PIXEL)
    await table.bot.show(
        table.channel,
        text(f"Alice’s {made} wins\n## WAR {made}"),
        row(
            button("Reveal!", "reveal", emoji={"name": made.name, "id": str(made.id)}),
            button("Gone", "gone", emoji={"name": "card_back", "id": str(made.id + 1)}),
        ),
    )
    page = await table.open()
    log = log_of(page)
    for shown, height in (
        (log.locator(".paragraph img.custom-emoji"), 22),
        (log.locator(".heading-2 img.custom-emoji"), 26),
        (log.get_by_role("button", name="Reveal!").locator("img.custom-emoji"), 16),
    ):
        await expect(shown).to_have_attribute("alt", ":queen_of_spades:")
        assert await shown.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 1
        assert (await shown.bounding_box())["height"] >= height

    unknown = log.get_by_role("button", name="Gone")
    await expect(unknown.locator("span.custom-emoji")).to_have_text(":card_back:")
    await expect(unknown.locator("img")).to_have_count(0)


async def test_mentions_name_people_and_channels(table: Table) -> None:
    other = table.playground.world.channels_in_order()[1]
    words = f"<@{table.user('Alice')}> and <@{table.user('Bob')}> in <#{other.id}>, not <@123>"
    await table.bot.show(table.channel, text(words))
    page = await table.open()
    mentions = log_of(page).locator(".mention")
    await expect(mentions).to_have_text(["@Alice", "@Bob", f"#{other.name}", "@unknown-user"])
    await expect(mentions.first).to_have_class("mention me")
    await mentions.nth(2).click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(other.name)


async def test_a_link_to_a_message_leads_there_within_the_page(table: Table) -> None:
    other = table.playground.world.channels_in_order()[1]
    goal = await table.bot.show(other.id, text("The table is here"))
    url = f"https://discord.com/channels/{table.playground.world.guild_id}/{other.id}/{goal['id']}"
    link = {"type": 2, "style": 5, "label": "Go there", "url": url}
    await table.bot.show(table.channel, text(f"[The board]({url})"), row(link))
    page = await table.open()
    for name in ("The board", "Go there"):
        await log_of(page).get_by_role("link", name=name).click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text(other.name)
        await expect(log_of(page).get_by_role("article").filter(has_text="The table is here")).to_be_focused()
        await page.get_by_role("button", name="the-table").click()


async def test_a_relative_time_counts_while_one_looks(table: Table) -> None:
    page = await table.context.new_page()
    await page.clock.install(time=1_800_000_000)
    await table.bot.show(table.channel, text("Starts <t:1800000090:R>"))
    await page.goto(f"{table.playground.url}/?as=Alice")
    shown = log_of(page).locator("time.timestamp")
    await page.clock.pause_at(1_800_000_030)
    await expect(shown).to_have_text("in 1 minute")
    await page.clock.run_for(50_000)
    await expect(shown).to_have_text("in 10 seconds")
    await page.clock.run_for(13_000)
    await expect(shown).to_have_text("3 seconds ago")


async def test_relative_times_are_rounded_as_discord_rounds_them(table: Table) -> None:
    page = await table.open()
    spans = [
        (899.4, "in 15 minutes"),
        (3_590, "in 1 hour"),
        (3_569, "in 59 minutes"),
        (-59.6, "1 minute ago"),
        (5_399, "in 1 hour"),
        (-5_400, "2 hours ago"),
        (86_000, "in 1 day"),
        (31_000_000, "in 1 year"),
        (0.2, "now"),
    ]
    told = await page.evaluate(
        """async (spans) => {
            const { relative } = await import("/times.js");
            return spans.map((span) => relative(1_800_000_000, 1_800_000_000 - span));
        }""",
        [span for span, _ in spans],
    )
    assert told == [words for _, words in spans]


async def test_hostile_text_stays_text(table: Table) -> None:
    name = "<img src=x onerror=pwned=1>"
    hostile = table.playground.channels.add_user(name)
    await table.bot.show(
        table.channel,
        {"type": 17, "components": [text(HOSTILE), row(button(HOSTILE[:80], "x"))]},
        row({"type": 3, "custom_id": "s", "placeholder": HOSTILE[:100], "options": _weeks()}),
        text(f"<@{hostile['id']}> ||<script>|| `<b>` [<i>](https://example.com)"),
    )
    embed = {"title": HOSTILE, "description": HOSTILE, "fields": [{"name": HOSTILE, "value": HOSTILE}]}
    await table.bot.post(table.channel, {"content": HOSTILE, "embeds": [embed]})
    page = await table.open()
    await page.get_by_role("radio", name=name).click()
    await page.keyboard.press("/")
    await page.keyboard.type("challenge ")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("option", name=name)).to_be_visible()
    await expect(log_of(page).get_by_text("<script>window.pwned=1</script>").first).to_be_visible()
    assert await page.evaluate("window.pwned") is None
    strangers = "#messages script, #messages b, #messages i, #messages img, #people-list img"
    assert await page.locator(strangers).count() == 0


async def test_spoilers_open_by_keyboard_and_hide_their_words_until_then(table: Table) -> None:
    await table.bot.show(
        table.channel,
        text("The winner is ||**Bob**||"),
        {"type": 17, "spoiler": True, "components": [text("By one card")]},
    )
    page = await table.open()
    log = log_of(page)
    assert "Bob" not in await log.locator(".message-body").aria_snapshot()
    await log.get_by_role("button", name="Spoiler, press to reveal").focus()
    await page.keyboard.press("Space")
    await expect(log.locator("strong")).to_have_css("opacity", "1")
    assert "By one card" not in await log.locator(".message-body").aria_snapshot()
    await log.get_by_role("button", name="Spoiler: reveal message").focus()
    await page.keyboard.press("Enter")
    told = await log.locator(".message-body").aria_snapshot()
    assert "Bob" in told
    assert "By one card" in told


async def test_a_command_is_filled_in_by_keyboard_alone(table: Table) -> None:
    page = await table.open()
    await page.keyboard.press("/")
    await expect(page.get_by_role("option", name="/war challenge")).to_be_visible()
    await page.keyboard.type("chal")
    await page.keyboard.press("Tab")
    await page.keyboard.type("bo")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("option", name="rules")).to_be_visible()
    await page.keyboard.type("rul")
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.keyboard.type("rounds")
    await page.keyboard.press("Tab")
    await page.keyboard.type("12")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("rounds: at most 9.")).to_be_visible()
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Tab")
    await page.keyboard.type("loud")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(log_of(page)).to_contain_text("@Bob is challenged")
    await expect(log_of(page)).to_contain_text("Alice used /war challenge")
    await expect(page.get_by_text("answered in")).to_be_visible()
    options = {"opponent": int(table.user("Bob")), "rules": "short", "rounds": 1, "loud": True}
    expected = {"user": int(table.user("Alice")), "command": "war challenge", "options": options}
    assert table.bot.heard == [expected]


async def test_escape_and_backspace_lead_out_of_a_command(table: Table) -> None:
    page = await table.open()
    line = page.get_by_role("combobox", name="Command")
    await page.keyboard.press("/")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("option")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(line).to_have_value("")
    await line.press_sequentially("/war ch")
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer-token")).to_have_text("/war challenge")
    await page.keyboard.press("Enter")
    opponent = page.get_by_role("combobox", name="opponent")
    await expect(opponent).to_have_value("Bob")
    for emptied in ("Bob", ""):
        await page.keyboard.press("Backspace")
        await expect(opponent).to_have_value(emptied)
    await page.keyboard.press("Backspace")
    await expect(page.locator("#composer-token")).to_be_hidden()
    await expect(line).to_be_focused()
    assert table.bot.heard == []


async def test_choices_of_the_bot_complete_what_is_typed(table: Table) -> None:
    page = await table.open()
    await page.keyboard.press("/")
    await page.keyboard.type("card")
    await page.keyboard.press("Enter")
    await page.keyboard.type("ace")
    await expect(page.get_by_role("option")).to_have_text(["ace of spades", "ace of hearts"])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(log_of(page)).to_contain_text("Here is ACE OF HEARTS")


async def test_the_pressed_button_works_keeps_the_focus_and_is_drawn_anew(table: Table) -> None:
    await table.bot.show(table.channel, *board(1))
    page = await table.open("Cleo")
    flip = log_of(page).get_by_role("button", name="Reveal!")
    await flip.focus()
    await page.keyboard.press("Enter")
    await expect(log_of(page)).to_contain_text("Ready: Cleo")
    await expect(flip).to_be_focused()
    other = await table.open("Dan")
    await log_of(other).get_by_role("button", name="Reveal!").click()
    await expect(log_of(page)).to_contain_text("turn 2")
    after = log_of(page).get_by_role("button", name="Next war")
    await expect(after).to_be_focused()
    await expect(after).to_have_attribute("data-custom-id", "war:flip:7:2")
    await expect(page.locator("#announcer")).to_contain_text("Alice against Bob, turn 2")


async def test_an_unanswered_press_fails_for_the_one_who_pressed_only(table: Table) -> None:
    await table.bot.show(table.channel, row(button("Silent", "silent"), button("Quick", "quick")))
    bob, alice = await table.open("Bob"), await table.open("Alice")  # the last one opened is in front
    silent = log_of(alice).get_by_role("button", name="Silent")
    await silent.click()
    await expect(silent).to_have_attribute("aria-busy", "true")
    await expect(log_of(alice).get_by_role("alert")).to_contain_text("This interaction failed")
    await expect(silent).not_to_have_attribute("aria-busy", "true")
    await expect(log_of(bob).get_by_role("button", name="Silent")).to_be_visible()
    await expect(log_of(bob).get_by_role("alert")).to_have_count(0)
    await log_of(alice).get_by_role("button", name="Quick").click()
    await expect(log_of(alice).get_by_role("alert")).to_have_count(0)


async def test_a_private_answer_is_seen_by_its_owner_and_can_be_dismissed(table: Table) -> None:
    await table.bot.show(table.channel, row(button("Whisper", "whisper")))
    bob, alice = await table.open("Bob"), await table.open("Alice")  # the last one opened is in front
    await log_of(alice).get_by_role("button", name="Whisper").click()
    await expect(log_of(alice)).to_contain_text("A secret for you")
    await expect(log_of(alice)).to_contain_text("Only you can see this")
    await table.bot.show(table.channel, text("A word to all"))
    await expect(log_of(bob)).to_contain_text("A word to all")
    await expect(log_of(bob)).not_to_contain_text("A secret for you")
    await alice.get_by_role("radio", name="Bob").click()
    await expect(log_of(alice)).not_to_contain_text("A secret for you")
    await alice.get_by_role("radio", name="Alice").click()
    await expect(log_of(alice)).to_contain_text("A secret for you")
    await log_of(alice).get_by_role("button", name="Dismiss").click()
    await expect(log_of(alice)).not_to_contain_text("A secret for you")


async def test_a_select_is_chosen_by_keyboard(table: Table) -> None:
    several = {"max_values": 2, "placeholder": "Some weeks"}
    one = {"type": 3, "custom_id": "one", "placeholder": "Which week", "options": _weeks()}
    await table.bot.show(table.channel, row(one), row({**one, **several, "custom_id": "some"}))
    page = await table.open()
    anchor = log_of(page).get_by_role("button", name="Which week")
    await anchor.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("listbox", name="Which week")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(anchor).to_be_focused()
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(anchor).to_be_focused()
    await log_of(page).get_by_role("button", name="Some weeks").click()
    await page.keyboard.press("a")
    await page.keyboard.press("Space")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Space")
    await page.get_by_role("button", name="Done").click()
    await expect(page.get_by_role("listbox", name="Some weeks")).to_have_count(0)
    await expect(log_of(page).locator(".working")).to_have_count(0)
    assert [(press["custom_id"], press["values"]) for press in table.bot.heard] == [
        ("one", ["all"]),
        ("some", ["week", "all"]),
    ]


async def test_a_select_opened_in_the_moment_another_closes_keeps_the_focus(table: Table) -> None:
    """The browser says some time later that a menu has closed; that must not take the focus from the next one."""
    one = {"type": 3, "custom_id": "one", "placeholder": "Which week", "options": _weeks()}
    await table.bot.show(table.channel, row(one), row({**one, "custom_id": "two", "placeholder": "Another week"}))
    page = await table.open()
    await log_of(page).get_by_role("button", name="Which week").click()
    await expect(page.get_by_role("listbox", name="Which week")).to_be_focused()
    await page.evaluate(
        """() => {
            document.querySelector('[role=option]').click();
            const next = document.querySelectorAll('#messages [aria-haspopup=listbox]')[1];
            next.focus();
            next.click();
        }"""
    )
    await expect(page.get_by_role("listbox", name="Which week")).to_have_count(0)
    await expect(page.get_by_role("listbox", name="Another week")).to_be_focused()


async def test_a_modal_is_filled_in_and_sent(table: Table) -> None:
    await table.bot.show(table.channel, row(button("Ask me", "ask")))
    page = await table.open()
    await log_of(page).get_by_role("button", name="Ask me").click()
    dialog = page.get_by_role("dialog", name="Your motto")
    await expect(dialog.get_by_label("Motto")).to_be_focused()
    await page.keyboard.type("Cards up")
    await page.keyboard.press("Enter")
    await expect(log_of(page)).to_contain_text("Thank you")
    await expect(dialog).to_have_count(0)
    assert table.bot.heard[-1]["fields"] == {"motto": "Cards up"}


async def test_bob_presses_a_second_after_the_viewer(table: Table) -> None:
    await table.bot.show(table.channel, *board(1))
    page = await table.open("Alice")
    await log_of(page).get_by_role("button", name="Reveal!").click()
    await expect(log_of(page)).to_contain_text("Ready: Alice")
    await expect(log_of(page)).to_contain_text("turn 2")
    pressed = [press["user"] for press in table.bot.heard]
    assert pressed == [int(table.user("Alice")), int(table.user("Bob"))]


async def test_bob_waits_for_a_person_when_one_plays_him(table: Table) -> None:
    await table.bot.show(table.channel, *board(1))
    page = await table.open("Alice")
    await page.clock.install()
    switch = page.get_by_role("switch", name="Bob plays himself")
    await switch.press("Space")
    await expect(page.get_by_role("switch", name="I play Bob")).not_to_be_checked()
    await log_of(page).get_by_role("button", name="Reveal!").click()
    await expect(log_of(page)).to_contain_text("Ready: Alice")
    await page.clock.run_for(10_000)
    await page.get_by_role("radio", name="Bob").click()
    await log_of(page).get_by_role("button", name="Reveal!").click()
    await expect(log_of(page)).to_contain_text("turn 2")
    assert len(table.bot.heard) == 2


async def test_bob_does_not_answer_a_bystander(table: Table) -> None:
    await table.bot.show(table.channel, *board(1))
    page = await table.open("Cleo")
    await page.clock.install()
    await log_of(page).get_by_role("button", name="Reveal!").click()
    await expect(log_of(page)).to_contain_text("Ready: Cleo")
    await page.clock.run_for(10_000)
    await page.get_by_role("radio", name="Dan").click()
    await log_of(page).get_by_role("button", name="Reveal!").click()
    await expect(log_of(page)).to_contain_text("turn 2")
    pressed = [press["user"] for press in table.bot.heard]
    assert pressed == [int(table.user("Cleo")), int(table.user("Dan"))]


async def test_a_tab_opened_as_bob_takes_him_over_everywhere(table: Table) -> None:
    alice = await table.open("Alice")
    await expect(alice.get_by_role("switch", name="Bob plays himself")).to_be_checked()
    bob_link = alice.get_by_role("link", name="Open another tab as Bob")
    await expect(bob_link).to_have_attribute("href", f"?as=Bob#{table.channel}")
    await table.open("Bob")
    await expect(alice.get_by_role("switch", name="I play Bob")).not_to_be_checked()


async def test_people_and_channels_can_be_added(table: Table) -> None:
    page = await table.open()
    await page.get_by_role("button", name="Add a person").click()
    await page.keyboard.type("Greta")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("radio", name="Greta")).to_be_checked()
    await page.get_by_role("button", name="Add a channel").click()
    await page.keyboard.type("cellar")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("cellar")
    names = [user.name for user in table.playground.world.users.values()]
    assert "Greta" in names


async def test_unread_channels_say_so(table: Table) -> None:
    page = await table.open()
    other = table.playground.world.channels_in_order()[1]
    await table.bot.show(other.id, text("Over here"))
    await page.get_by_role("button", name=f"{other.name} unread").click()
    await expect(log_of(page)).to_contain_text("Over here")
    await expect(page.get_by_role("button", name=f"{other.name} unread")).to_have_count(0)


async def test_what_the_playground_refuses_is_said(table: Table) -> None:
    page = await table.open()
    await page.get_by_role("button", name="Start over").click()
    await expect(page.get_by_text("The opening scene does not stand")).to_be_visible()
    await page.goto(f"{table.playground.url}/?as=Nobody")
    await expect(page.get_by_text("Nobody here is called “Nobody”.")).to_be_visible()


async def test_the_theme_follows_the_system_until_one_chooses(table: Table) -> None:
    page = await table.open()
    dark = "getComputedStyle(document.body).backgroundColor"
    await page.emulate_media(color_scheme="dark")
    at_night = await page.evaluate(dark)
    await page.emulate_media(color_scheme="light")
    assert await page.evaluate(dark) != at_night
    await page.get_by_role("button", name="Switch to the dark theme").click()
    assert await page.evaluate(dark) == at_night
    await page.reload()
    await expect(page.get_by_role("button", name="Switch to the light theme")).to_be_visible()
    assert await page.evaluate(dark) == at_night


async def test_hints_follow_what_one_does_and_stay_away_when_closed(table: Table) -> None:
    await table.bot.show(table.channel, *board(1))
    page = await table.open(hints=True)
    hints = page.get_by_role("note")
    await expect(hints).to_contain_text("1 of 3")
    await hints.get_by_role("button", name="Next").click()
    await expect(hints).to_contain_text("2 of 3")
    await hints.get_by_role("button", name="Close the hints").click()
    await page.reload()
    await expect(page.get_by_role("radio", checked=True)).to_be_visible()
    await expect(hints).to_be_hidden()


async def test_the_first_hint_stands_where_the_viewer_can_press_reveal_only(table: Table) -> None:
    page = await table.open(hints=True)
    hints = page.get_by_role("note")
    await expect(hints).to_contain_text("2 of 3")  # an empty channel: a command is what helps
    await table.bot.show(table.channel, *board(1))
    await expect(hints).to_contain_text("1 of 3")
    await table.bot.show(table.channel, row(button("Rematch", "war:rematch:7")))
    await expect(hints).to_contain_text("2 of 3")
    await table.bot.show(table.channel, *board(2))  # no war on this one
    await expect(hints).to_contain_text("2 of 3")
    await table.bot.show(table.channel, *board(3))
    await expect(hints).to_contain_text("1 of 3")
    await page.get_by_role("radio", name="Cleo").click()  # which is the third hint
    await expect(hints).to_contain_text("2 of 3")
    await page.get_by_role("radio", name="Alice").click()
    await log_of(page).get_by_role("button", name="Reveal!").last.click()
    await expect(hints).to_contain_text("2 of 3")
    await expect(hints.get_by_role("button", name="Next")).to_be_hidden()


async def test_a_hint_is_one_line_above_the_messages(table: Table) -> None:
    await table.bot.show(table.channel, *board(1))
    page = await table.open(hints=True)
    hints = page.get_by_role("note")
    for width, height in ((390, 844), (1280, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.locator("#hints-button").evaluate("(button) => button.click()")
        for number in (1, 2, 3):
            await expect(hints.locator("[data-count]")).to_have_text(f"{number} of 3")
            box = await hints.bounding_box()
            assert box["height"] <= 48, (width, number)
            words = hints.locator("[data-text]")
            assert await words.evaluate("(words) => words.scrollWidth <= words.clientWidth"), (width, number)
            assert box["y"] + box["height"] <= (await page.locator("#scroller").bounding_box())["y"]
            if number < 3:
                await hints.get_by_role("button", name="Next").click()


TOP_OF_THE_NEWEST = """() => document.querySelector("#messages > :last-child .message-body").getBoundingClientRect().top
    - document.querySelector("#scroller").getBoundingClientRect().top"""
"""How far below the view's top the newest message begins to speak."""
LEFT_BELOW = """() => {
    const { scrollTop, scrollHeight, clientHeight } = document.querySelector("#scroller");
    return scrollHeight - scrollTop - clientHeight;
}"""


async def test_a_message_taller_than_the_view_is_shown_from_its_top(table: Table) -> None:
    page = await table.open()
    tall = text("\n".join(f"Line {n}" for n in range(80)))
    for n in range(30):
        await table.bot.post(table.channel, {"content": f"Small {n}"})
    await expect(log_of(page)).to_contain_text("Small 29")
    assert abs(await page.evaluate(LEFT_BELOW)) <= 1
    first = await table.bot.show(table.channel, text("A board"), tall)
    await expect(log_of(page)).to_contain_text("Line 79")
    assert 0 <= await page.evaluate(TOP_OF_THE_NEWEST) <= 12

    edit = discord.http.Route(
        "PATCH", "/channels/{channel_id}/messages/{message}", channel_id=table.channel, message=first["id"]
    )
    await table.bot.http.request(edit, json={"components": [text("Turned"), tall, tall]})
    await expect(log_of(page)).to_contain_text("Turned")
    assert 0 <= await page.evaluate(TOP_OF_THE_NEWEST) <= 12

    await page.locator("#scroller").evaluate("(scroller) => scroller.scrollTo(0, scroller.scrollHeight)")
    await page.wait_for_timeout(100)
    await table.bot.http.request(edit, json={"components": [text("Turned again"), tall]})
    await expect(log_of(page)).to_contain_text("Turned again")
    assert abs(await page.evaluate(LEFT_BELOW)) <= 1  # who went to its buttons stays there

    await page.locator("#scroller").evaluate("(scroller) => scroller.scrollTo(0, 40)")
    await page.wait_for_timeout(100)
    await table.bot.show(table.channel, text("Another board"), tall)
    jump = page.get_by_role("button", name="Newest messages")
    await expect(jump).to_be_visible()
    assert await page.locator("#scroller").evaluate("(scroller) => scroller.scrollTop") == 40
    await jump.click()
    await expect(jump).to_be_hidden()
    assert 0 <= await page.evaluate(TOP_OF_THE_NEWEST) <= 12
    await table.bot.post(table.channel, {"content": "Small again"})
    await expect(log_of(page)).to_contain_text("Small again")
    assert abs(await page.evaluate(LEFT_BELOW)) <= 1


async def test_who_pressed_at_the_end_of_a_tall_board_sees_what_comes_of_it_from_its_top(table: Table) -> None:
    page = await table.open()
    await page.set_viewport_size({"width": 1280, "height": 400})
    tall = text("\n".join(f"Line {n}" for n in range(40)))
    shown = await table.bot.show(table.channel, tall, row(button("On", "on")))
    await expect(log_of(page)).to_contain_text("Line 39")
    edit = discord.http.Route(
        "PATCH", "/channels/{channel_id}/messages/{message}", channel_id=table.channel, message=shown["id"]
    )
    await page.locator("#scroller").evaluate("(scroller) => scroller.scrollTo(0, scroller.scrollHeight)")
    await page.wait_for_timeout(100)
    await table.bot.http.request(edit, json={"components": [text("By others"), tall, row(button("On", "on"))]})
    await expect(log_of(page)).to_contain_text("By others")
    assert abs(await page.evaluate(LEFT_BELOW)) <= 1
    await log_of(page).get_by_role("button", name="On").click()
    await expect(log_of(page).locator(".working")).to_have_count(0)
    assert abs(await page.evaluate(LEFT_BELOW)) <= 1
    await table.bot.http.request(edit, json={"components": [text("By me"), tall, row(button("On", "on"))]})
    await expect(log_of(page)).to_contain_text("By me")
    assert 0 <= await page.evaluate(TOP_OF_THE_NEWEST) <= 12


async def test_starting_over_from_another_channel_asks_for_nothing_that_is_gone(table: Table) -> None:
    page = await table.open()
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    await page.get_by_role("button", name="attic").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("attic")
    await page.get_by_role("button", name="Start over").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("the-table")
    await expect(page.get_by_text("The opening scene does not stand")).to_be_visible()
    await expect(page.get_by_text("No channel has the id")).to_have_count(0)
    assert refused == []
    fresh = table.playground.first_channel.id
    assert fresh != table.channel
    await table.bot.show(fresh, text("Here again"))
    await expect(log_of(page)).to_contain_text("Here again")


async def test_a_tab_that_was_away_while_its_channel_went_finds_the_new_one(table: Table) -> None:
    page = await table.open()
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    hide = """(hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    await page.evaluate(hide, True)
    await page.wait_for_timeout(100)
    table.playground.channels.replace(table.playground.first_channel)
    await page.evaluate(hide, False)
    await table.bot.show(table.playground.first_channel.id, text("Here again"))
    await expect(log_of(page)).to_contain_text("Here again")
    await expect(page.get_by_text("No channel has the id")).to_have_count(0)
    assert refused == []


async def test_commands_for_some_are_offered_to_those_only(table: Table) -> None:
    page = await table.open("Alice")  # the owner
    await page.keyboard.press("/")
    option = page.get_by_role("option", name="/war-admin settings")
    await expect(option).to_be_visible()
    await page.keyboard.type("war-admin")
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer-token")).to_have_text("/war-admin settings")
    await page.get_by_role("radio", name="Bob").click()
    await expect(page.locator("#composer-token")).to_be_hidden()
    await page.locator("h1").click()
    await page.keyboard.press("/")
    await expect(page.get_by_role("option", name="/war challenge")).to_be_visible()
    await expect(option).to_have_count(0)
    await page.keyboard.press("Escape")
    command = next(one for one in table.playground.world.commands.values() if one["name"] == "war-admin")
    await table.bot.show(table.channel, text(f"See </war-admin settings:{command['id']}>"))
    await log_of(page).get_by_role("button", name="/war-admin settings").click()
    await expect(page.get_by_text("Bob may not use /war-admin settings")).to_be_visible()


async def test_a_moving_picture_stands_still_for_who_asked_for_it(table: Table) -> None:
    item = {"media": {"url": "attachment://table.gif"}, "description": "The table"}
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps({"flags": V2, "components": [{"type": 12, "items": [item]}]}))
    form.add_field("files[0]", MOVING, filename="table.gif", content_type="image/gif")
    url = f"{table.playground.url}/api/v10/channels/{table.channel}/messages"
    headers = {"Authorization": f"Bot {table.playground.token}"}
    async with aiohttp.ClientSession() as http, http.post(url, data=form, headers=headers) as answer:
        assert answer.status == 200, await answer.text()
    page = await table.open()
    shown = log_of(page).get_by_role("img", name="The table")
    await expect(shown).to_have_attribute("src", re.compile("^data:image/png"))
    colour = """async (image) => {
        await image.decode();
        const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
        pen.drawImage(image, 0, 0);
        return [...pen.getImageData(0, 0, 1, 1).data];
    }"""
    assert await shown.evaluate(colour) == [255, 0, 0, 255]
    await log_of(page).get_by_role("button", name="Play: The table").click()
    await expect(shown).to_have_attribute("src", re.compile("table.gif$"))
    await expect(log_of(page).get_by_role("button", name="Play: The table")).to_have_count(0)
    await page.emulate_media(reduced_motion="no-preference")
    await page.reload()
    await expect(shown).to_have_attribute("src", re.compile("table.gif$"))


async def test_a_phone_shows_all_of_it_with_nothing_over_the_edge(table: Table) -> None:
    wide = "W" * 200
    await table.bot.show(
        table.channel,
        {
            "type": 17,
            "components": [
                text(f"# {wide}\n- {wide}\n> {wide}\n`{wide}`\n```\n{wide}\n```"),
                {"type": 9, "components": [text(wide)], "accessory": button("A button with many words", "b")},
                row(*[button(f"Button number {n}", f"n{n}") for n in range(5)]),
                row({"type": 3, "custom_id": "s", "placeholder": "p" * 100, "options": _weeks()}),
            ],
        },
    )
    await table.bot.post(table.channel, {"embeds": [{"title": wide, "description": wide}]})
    await table.bot.show(table.channel, row(button("Whisper", "whisper")))
    page = await table.open(hints=True)
    await page.set_viewport_size({"width": 390, "height": 844})
    await log_of(page).get_by_role("button", name="Whisper").click()
    await expect(log_of(page)).to_contain_text("Only you can see this")
    over = await page.evaluate("""() => [...document.querySelectorAll("body, body *")]
        .filter((element) => !element.closest("pre, #sidebar, .people-list, .visually-hidden"))
        .filter((element) => element.checkVisibility())
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map((element) => element.outerHTML.slice(0, 100))""")
    assert over == []
    low = await page.evaluate("""() => [...document.querySelectorAll("button, a.button, [role=switch]")]
        .filter((button) => !button.matches(".mention")) // a link within a sentence
        .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 44)
        .map((button) => button.outerHTML.slice(0, 100))""")
    assert low == []


async def test_on_a_phone_the_channels_lie_in_a_drawer(table: Table) -> None:
    page = await table.open()
    await page.set_viewport_size({"width": 390, "height": 844})
    other = table.playground.world.channels_in_order()[1]
    there = page.get_by_role("button", name=other.name, exact=True)
    await expect(there).to_have_count(0)
    opener = page.get_by_role("button", name="Channels")
    await opener.press("Enter")
    await expect(page.get_by_role("navigation", name="Channels")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(opener).to_be_focused()
    await opener.press("Enter")
    await there.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(other.name)
    await expect(page.get_by_role("navigation", name="Channels")).to_have_count(0)


async def test_every_part_of_the_page_has_a_name(table: Table) -> None:
    page = await table.open()
    await expect(page.get_by_role("navigation", name="Channels")).to_be_visible()
    await expect(page.get_by_role("complementary", name="Who you play as")).to_be_visible()
    await expect(page.get_by_role("radiogroup", name="You are")).to_be_visible()
    for role in ("banner", "main"):
        await expect(page.get_by_role(role)).to_be_visible()
    nameless = await page.evaluate("""() => [...document.querySelectorAll("button, a, input")]
        .filter((element) => element.checkVisibility())
        .filter((element) => !(element.ariaLabel || element.innerText || element.labels?.[0]?.innerText))
        .map((element) => element.outerHTML)""")
    assert nameless == []
