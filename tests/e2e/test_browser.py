"""`warbot playground` as people start it, and two of them in two tabs of a real browser."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import expect

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
EXPECT_MS = 15_000
"""How long the browser may take to show something; nothing waits that long where all is well."""

expect.set_options(timeout=EXPECT_MS)


class Tab:
    """The page as one person sees it."""

    def __init__(self, page, who: str) -> None:
        self.page = page
        self.who = who

    @property
    def messages(self):
        return self.page.get_by_role("log", name="Messages").get_by_role("listitem")

    @property
    def newest(self):
        """The last message that this person sees."""
        return self.page.locator("#messages > li").last

    async def open_channel(self, name: str) -> None:
        await self.look()
        await self.page.get_by_role("navigation", name="Channels").get_by_text(name, exact=True).click()
        await expect(self.page.get_by_role("heading", level=1)).to_contain_text(name)

    async def command(self, name: str, **options: str) -> None:
        """Types a command into the composer, with options picked from the lists, and sends it."""
        await self.look()
        line = self.page.get_by_role("combobox", name="Command")
        await line.click()
        await line.fill(f"/{name}")
        await self.page.get_by_role("option", name=f"/{name}").first.click()
        await expect(self.page.locator("#composer-token")).to_have_text(f"/{name}")
        for option, value in options.items():
            field = self.page.get_by_role("combobox", name=f"{option}:")
            if not await field.count():
                await line.fill(option)
                await self.page.get_by_role("option", name=option).first.click()
            await field.fill(value)
            await self.page.get_by_role("option", name=value).first.click()
        await line.press("Escape")  # the list of further options
        await line.press("Enter")
        await expect(self.page.locator("#composer-token")).to_be_hidden()

    async def look(self) -> None:
        """Brings this tab to the front: the browser draws the others once a second only, and a click waits for that."""
        await self.page.bring_to_front()

    async def press(self, label: str, within=None) -> None:
        await self.look()
        await (within or self.page.locator("#messages")).get_by_role("button", name=label, exact=True).last.click()


class Place:
    """`warbot playground`, running."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def get(self, path: str):
        async with aiohttp.ClientSession() as session, session.get(f"{self.url}/playground{path}") as response:
            return await response.json()

    async def post(self, path: str, **body: object):
        url = f"{self.url}/playground{path}"
        async with aiohttp.ClientSession() as session, session.post(url, json=body) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def until_ready(self) -> None:
        events = f"{self.url}/playground/events"
        async with asyncio.timeout(PATIENCE), aiohttp.ClientSession() as session, session.get(events) as stream:
            while not (await self.get("/world"))["ready"]:
                await stream.content.readline()


@pytest_asyncio.fixture
async def place(tmp_path):
    """The command of `make play`, on a free port, until SIGTERM; it must end well."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "playground", "--port", str(port)),
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            opened = (await process.stdout.readline()).decode()
            tunnel = (await process.stdout.readline()).decode()
        url = f"http://127.0.0.1:{port}"
        assert opened == f"The playground is open: {url}\n"
        assert f"ssh -L {port}:127.0.0.1:{port}" in tunnel
        place = Place(url)
        await place.until_ready()
        yield place
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            _, errors = await process.communicate()
        assert process.returncode == 0
        assert b"Traceback" not in errors, errors.decode()
        assert list(tmp_path.iterdir()) == [], "nothing is left behind"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest_asyncio.fixture
async def tabs(browser, place):
    """Alice and Bob, each in a tab; Bob is played by hand."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    complaints = []
    both = []
    for who in ("Alice", "Bob"):
        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(f"{place.url}/?as={who}")
        await expect(page.get_by_role("radio", checked=True)).to_have_attribute("title", who)
        both.append(Tab(page, who))
    # The tab that was opened as Bob takes him over: Alice's no longer presses for him.
    await expect(both[0].page.get_by_role("switch")).not_to_be_checked()
    yield both
    assert complaints == []
    await context.close()


async def turn_of(board) -> int:
    """The turn that a board shows, as its last line says."""
    return int(re.search(r"Turn (\d+)", await board.inner_text())[1])


async def play_out(alice: Tab, bob: Tab) -> None:
    """Both press the main button of the newest board, each in their own tab, until the result is there."""
    main = re.compile("Deal|Next war|Next card|Reveal!")
    over = re.compile(r"wins the War|A draw between|A draw among")
    for _ in range(200):
        for tab in (alice, bob):
            button = tab.newest.get_by_role("button", name=main)
            result = tab.newest.get_by_text(over)
            await expect(button.or_(result).first).to_be_visible()
            if await result.count():
                return
            turn = await turn_of(tab.newest)
            await tab.look()
            await button.click()
            if tab is alice:
                ready = tab.newest.get_by_text("Ready: Alice.")
                await expect(ready.or_(result).first).to_be_visible()
        for tab in (alice, bob):
            here = tab.newest.get_by_text(f"Turn {turn + 1} ")
            await expect(here.or_(tab.newest.get_by_text(over)).first).to_be_visible()
    raise AssertionError("the match did not end within 200 turns")


async def test_the_opening_scene_stands_at_war_and_two_tabs_go_on_from_there(tabs):
    alice, bob = tabs
    for tab in tabs:
        await expect(tab.newest.get_by_role("heading", name="WAR!")).to_be_visible()
        await expect(tab.newest.get_by_role("button", name="Reveal!")).to_be_visible()
    turn = await turn_of(alice.newest)
    await alice.press("Reveal!")
    await expect(bob.newest).to_contain_text("Ready: Alice.")
    await expect(bob.newest).to_contain_text("Waiting for Bob")
    await bob.press("Reveal!")
    for tab in tabs:
        await expect(tab.newest).to_contain_text(re.compile(rf"Turn {turn + 1} |wins the War"))
        await expect(tab.newest).to_contain_text(re.compile("The war is decided|WAR ON TOP OF WAR|wins the War"))
    await expect(alice.page.locator("#answer-time")).to_contain_text("ms")


async def test_a_whole_evening_challenge_match_quick_match_and_leaderboard(tabs):
    alice, bob = tabs
    await alice.press("Finish")  # the scene's match: while it is on neither of them can play another
    await bob.press("Finish")
    for tab in tabs:
        await expect(tab.newest).to_contain_text("wins the War")
        await tab.open_channel("attic")
    await alice.command("war challenge", opponent="Bob")
    await expect(bob.newest).to_contain_text("Alice challenges Bob to War")
    await bob.press("Accept")
    for tab in tabs:
        await expect(tab.newest.get_by_role("button", name="Deal")).to_be_visible()
    await play_out(alice, bob)
    for tab in tabs:
        await expect(tab.newest).to_contain_text("wins the War")
        await expect(tab.newest.get_by_role("button", name="Proof")).to_be_visible()

    await alice.command("war quick")
    await expect(alice.newest).to_contain_text("A quick match: Alice against House")
    await expect(alice.newest).to_contain_text("Only you can see this")
    await expect(bob.newest).to_contain_text("wins the War")
    first = await alice.newest.inner_text()
    await alice.press("Again")
    await expect(alice.newest).not_to_have_text(first)
    await alice.press("Share")
    await expect(bob.newest).to_contain_text("Shared by Alice")

    await alice.press("Proof", alice.page.locator("#messages > li").nth(-2))
    await expect(alice.newest).to_contain_text("Proof of match")
    link = alice.newest.get_by_role("link", name=re.compile("proof.json"))
    async with alice.page.expect_download() as download:
        await link.press("Enter")
    assert (await (await download.value).path()).stat().st_size > 500

    await bob.command("war leaderboard")
    for tab in tabs:
        await expect(tab.newest).to_contain_text("Leaderboard")
        for name in ("Alice", "Bob"):
            await expect(tab.newest.get_by_text(name, exact=True).first).to_be_visible()
    await expect(bob.newest).to_contain_text("Your row:")


async def test_killed_in_mid_match_from_the_pages_menu_it_goes_on_from_the_same_turn(tabs, place):
    alice, bob = tabs
    await alice.press("Reveal!")
    await expect(bob.newest).to_contain_text("Ready: Alice.")
    turn = await turn_of(bob.newest)
    pid = (await place.get("/world"))["bot"]["pid"]
    status = alice.page.locator("#bot-status")

    await alice.page.get_by_role("button", name="Bot…").click()
    await alice.page.get_by_role("button", name="Kill it").click()
    await expect(status).to_have_text("Ended (code -9)")
    await bob.press("Reveal!")
    await expect(bob.newest).to_contain_text("The bot is not connected")

    await alice.page.get_by_role("button", name="Bot…").click()
    await alice.page.get_by_role("button", name="Start it").click()
    await expect(status).to_have_text("Connected")
    assert (await place.get("/world"))["bot"]["pid"] != pid
    for tab in tabs:
        assert await turn_of(tab.newest) == turn
    await bob.press("Reveal!")  # Alice's press from before the kill still counts
    for tab in tabs:
        await expect(tab.newest).to_contain_text(re.compile(rf"Turn {turn + 1} |wins the War"))


async def test_what_is_refused_is_told_to_one_person_only(tabs, place, browser):
    alice, bob = tabs
    page = await alice.page.context.new_page()
    await page.goto(f"{place.url}/?as=Cleo")
    cleo = Tab(page, "Cleo")
    await expect(cleo.newest.get_by_role("button", name="Reveal!")).to_be_visible()
    shown = await bob.newest.inner_text()
    await cleo.press("Reveal!")
    await expect(cleo.newest).to_contain_text("You are not playing in this match")
    await expect(cleo.newest).to_contain_text("Only you can see this")
    assert await bob.newest.inner_text() == shown
    await cleo.command("war challenge", opponent="Dan")
    await expect(cleo.newest).to_contain_text("are playing here")
    await expect(cleo.newest.get_by_role("link", name="Watch")).to_be_visible()
