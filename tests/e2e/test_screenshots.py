"""Pictures of every kind of message, light and dark, on a phone and on a desk, to be looked at.

They go to the folder that SCREENSHOTS names, else to a temporary one; the test itself sees to what a program can see:
nothing is cut off, every picture has loaded and has a text for who cannot see it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.test_browser import Place, Tab, place

__all__ = ["place"]

pytestmark = pytest.mark.browser

SCREENS = [(390, 1600), (1280, 1600)]
"""As wide as a phone and a desk, and so high that every message is whole."""
THEMES = ["light", "dark"]

WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
ALT_TEXTS = """() => Promise.all([...document.querySelectorAll('#messages img')].map(
    async image => { await image.decode(); return image.alt; }))"""
"""Waits until every picture has loaded; fails for one that does not."""


async def stage(tab: Tab) -> None:
    """Bring about one message of every kind that Alice can see."""
    await tab.press("More")
    await expect(tab.newest.get_by_role("button", name="Forfeit")).to_be_visible()
    await tab.command("war challenge", opponent="Cleo")  # refused: a match is on here
    await expect(tab.newest).to_contain_text("One match at a time")
    await tab.command("war rules")
    await tab.command("war help")
    await tab.command("war flair")
    await expect(tab.newest.get_by_role("img")).to_be_visible()
    await tab.open_channel("side-room")
    await tab.page.get_by_role("radio", name="Cleo").click()
    await tab.command("war challenge", opponent="Dan")
    await expect(tab.newest.get_by_role("button", name="Accept")).to_be_visible()
    await tab.command("war challenge", rules="Blitz")
    await expect(tab.newest.get_by_role("button", name="Join")).to_be_visible()
    await tab.page.get_by_role("radio", name="Alice").click()
    await tab.command("war quick", rules="Short")
    await expect(tab.newest.get_by_role("button", name="Again")).to_be_visible()
    await tab.press("Share")
    await tab.press("Replay")
    await expect(tab.newest).to_contain_text("Looking back")
    await tab.press("Proof")
    await expect(tab.newest).to_contain_text("warbot verify")
    await tab.open_channel("the-table")
    board = tab.page.locator("#messages > li").filter(has_text="War: Alice and Bob").last
    await tab.press("Finish", within=board)
    await tab.page.get_by_role("radio", name="Bob").click()
    await tab.press("Finish", within=board)
    await tab.page.get_by_role("radio", name="Alice").click()
    await expect(tab.messages.filter(has_text="wins the War").last).to_be_visible()
    await tab.command("war leaderboard")
    await expect(tab.newest).to_contain_text("Leaderboard of")


@pytest.fixture
def folder(tmp_path_factory) -> Path:
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Camera:
    """Takes every message of a channel, on every screen, as Alice sees it."""

    def __init__(self, browser: Browser, place: Place, folder: Path) -> None:
        self.browser = browser
        self.place = place
        self.folder = folder
        self.taken = 0

    async def take(self, channel: str, title: str) -> None:
        world = await self.place.get("/world")
        [channel_id] = [each["id"] for each in world["channels"] if each["name"] == channel]
        for width, height in SCREENS:
            for theme in THEMES:
                context = await self.browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=theme, locale="en-GB"
                )
                await context.add_init_script("localStorage.setItem('warbot-hints', '3')")
                page = await context.new_page()
                await page.goto(f"{self.place.url}/?as=Alice#{channel_id}")
                items = page.locator("#messages > li")
                await expect(items.first).to_be_visible()
                assert all(alt.strip() for alt in await page.evaluate(ALT_TEXTS)), "every picture has an alt text"
                assert not await page.evaluate(WIDER_THAN_THE_SCREEN), f"{channel} at {width} px"
                for number in range(await items.count()):
                    item = items.nth(number)
                    await item.scroll_into_view_if_needed()
                    await item.screenshot(path=self.folder / f"{width}-{theme}-{title}-{number:02}.png")
                    self.taken += 1
                await context.close()


async def text_board(tab: Tab, place: Place, camera: Camera) -> None:
    """Takes a board in a server that reads text; pictures are back in the end."""
    world = await place.get("/world")
    [channel] = [each["id"] for each in world["channels"] if each["name"] == "attic"]
    owner = world["server"]["owner_id"]

    async def set_text_mode(on: bool) -> None:
        options = {"text_mode": on}
        await place.post("/commands", user=owner, channel=channel, command="war-admin settings", options=options)

    await set_text_mode(True)
    await tab.open_channel("attic")
    await tab.page.get_by_role("radio", name="Esther").click()
    await tab.command("war challenge", opponent="Finn")
    await tab.page.get_by_role("radio", name="Finn").click()
    await tab.press("Accept")
    await expect(tab.newest.get_by_role("button", name="Deal")).to_be_visible()
    await tab.press("Deal")
    await expect(tab.newest).to_contain_text("Ready: Finn.")
    await expect(tab.newest.get_by_role("img")).to_have_count(0)
    await camera.take("attic", "attic")
    await set_text_mode(False)


async def test_every_kind_of_message_on_every_screen(browser, place, folder) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    await context.add_init_script("localStorage.setItem('warbot-hints', '3')")
    page = await context.new_page()
    await page.goto(f"{place.url}/?as=Alice")
    await page.get_by_role("switch").set_checked(False)
    tab = Tab(page, "Alice")
    await expect(tab.newest.get_by_role("button", name="Reveal!")).to_be_visible()
    camera = Camera(browser, place, folder)
    await camera.take("the-table", "opening")
    await stage(tab)
    await text_board(tab, place, camera)
    await context.close()
    for channel in ("the-table", "side-room"):
        await camera.take(channel, channel)
    assert camera.taken >= 4 * 18
