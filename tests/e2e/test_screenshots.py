"""Pictures of every kind of message, light and dark, on a phone and on a desk, to be looked at.

They go to the folder that SCREENSHOTS names, else to a temporary one; the test itself sees to what a program can see:
nothing is cut off, every picture has loaded and has a text for who cannot see it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.test_browser import Tab, place

__all__ = ["place"]

pytestmark = pytest.mark.browser

SCREENS = [(390, 844), (1280, 900)]
THEMES = ["light", "dark"]

WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
PICTURES = """() => [...document.querySelectorAll('#messages img')].map(
    image => [image.complete && image.naturalWidth > 0, image.alt])"""


async def stage(tab: Tab) -> None:
    """Bring about one message of every kind that Alice can see."""
    await expect(tab.newest.get_by_role("button", name="Reveal!")).to_be_visible()
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


async def test_every_kind_of_message_on_every_screen(browser, place, folder) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    await context.add_init_script("localStorage.setItem('warbot-hints', '3')")
    page = await context.new_page()
    await page.goto(f"{place.url}/?as=Alice")
    await page.get_by_role("switch").set_checked(False)
    await stage(Tab(page, "Alice"))
    world = await place.get("/world")
    channels = {channel["name"]: channel["id"] for channel in world["channels"]}
    await context.close()

    taken = 0
    for width, height in SCREENS:
        for theme in THEMES:
            context = await browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, locale="en-GB"
            )
            await context.add_init_script("localStorage.setItem('warbot-hints', '3')")
            page = await context.new_page()
            for name in ("the-table", "side-room"):
                await page.goto("about:blank")
                await page.goto(f"{place.url}/?as=Alice#{channels[name]}")
                items = page.locator("#messages > li")
                await expect(items.first).to_be_visible()
                await page.wait_for_function(f"({PICTURES})().every(([loaded]) => loaded)")
                assert all(alt.strip() for _, alt in await page.evaluate(PICTURES)), "every picture has an alt text"
                assert not await page.evaluate(WIDER_THAN_THE_SCREEN), f"{name} at {width} px"
                for number in range(await items.count()):
                    await items.nth(number).scroll_into_view_if_needed()
                    await items.nth(number).screenshot(path=folder / f"{width}-{theme}-{name}-{number:02}.png")
                    taken += 1
            await context.close()
    assert taken >= 4 * 14
