"""A table of six in a real browser: opened, filled, dealt and played to its end by one visitor who is everybody."""

from __future__ import annotations

import re

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.e2e.test_browser import Tab, place

__all__ = ["place"]

pytestmark = pytest.mark.browser

PEOPLE = ("Alice", "Bob", "Cleo", "Dan", "Esther", "Finn")
OVER = re.compile(r"wins the War|A draw between")
MAIN = re.compile("Deal|Next war|Reveal!")


@pytest_asyncio.fixture
async def tab(browser, place):
    context = await browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    page = await context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(f"{place.url}/?as=Alice")
    tab = Tab(page, "Alice")
    await page.get_by_role("switch").set_checked(False)
    yield tab
    assert complaints == []
    await context.close()


async def be(tab: Tab, who: str) -> None:
    await tab.page.get_by_role("radio", name=who).click()
    await expect(tab.page.get_by_role("radio", checked=True)).to_have_attribute("title", who)


def public(tab: Tab):
    """The newest message that everybody sees: the table."""
    return tab.page.locator("#messages > li").filter(has_text=re.compile(r"War: |wins the War|A draw between")).last


async def free_the_scene(tab: Tab) -> None:
    """Alice and Bob play in the opening scene, and nobody plays two matches at once."""
    await tab.press("More")
    await tab.press("Forfeit")
    await tab.press("Yes, forfeit")
    await expect(tab.messages.filter(has_text="Bob wins the War").last).to_be_visible()


async def test_rule_01_six_people_play_a_match_to_its_end(tab: Tab) -> None:
    await expect(tab.newest.get_by_role("button", name="Reveal!")).to_be_visible()
    await free_the_scene(tab)
    await tab.open_channel("attic")
    await tab.command("war challenge", rules="Blitz")
    table = tab.page.locator("#messages > li").filter(has_text="A table for War").last
    await expect(table).to_contain_text("At the table: Alice (1 of 6)")
    for number, who in enumerate(PEOPLE[1:], 2):
        await be(tab, who)
        await table.get_by_role("button", name="Join").click()
        await expect(table).to_contain_text(f"({number} of 6)")
    await be(tab, "Alice")
    await table.get_by_role("button", name="Start").click()
    board = public(tab)
    await expect(board.get_by_role("button", name="Deal")).to_be_visible()
    await expect(board.get_by_role("img").first).to_have_attribute("alt", re.compile("Finn holds 4 cards"))

    for _ in range(60):
        over = board.get_by_text(OVER)
        if await over.count():
            break
        text = await board.inner_text()
        turn = int(re.search(r"Turn (\d+)", text)[1])
        for who in PEOPLE:
            if f"{who} · out" in text:
                continue
            await be(tab, who)
            await board.get_by_role("button", name=MAIN).click()
            moved = board.get_by_text(f"Turn {turn + 1} ").or_(board.get_by_text(OVER))
            ready = board.get_by_text(re.compile(rf"Ready: .*{who}"))
            await expect(moved.or_(ready).first).to_be_visible()
    await expect(board).to_contain_text(OVER)
    for who in PEOPLE:
        await expect(board).to_contain_text(who)
    await expect(board.get_by_role("button", name="Rematch")).to_be_visible()
