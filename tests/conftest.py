"""What every test may use."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.async_api import Browser, async_playwright

# The same cases every time, and no deadline: these machines are shared.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


LONGEST = (
    "test_faults_gateway",
    "test_browser",
    "test_crash",
    "test_page_rendering",
    "test_figures",
    "test_startup",
    "test_screenshots",
    "test_faults_places",
)
"""Files of tests that take longest, by what they take: they begin first, so that no process is left with one in the end
while the others have nothing to do."""


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: the tests wait for other processes for a good part of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole processes first, and of those the longest."""

    def place(item: pytest.Item) -> tuple[int, int]:
        name = item.path.stem
        return LONGEST.index(name) if name in LONGEST else len(LONGEST), "e2e" not in item.path.parts

    items.sort(key=place)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path. Without one the test is skipped, unless CI=true: there it must run."""
    for name in CHROMIUM:
        path = shutil.which(name)
        if path is not None:
            return path
    reason = "needs Chromium (on Debian: apt install chromium)"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
async def browser(chromium: str) -> AsyncGenerator[Browser, None]:
    """A fresh headless Chromium with a profile of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        await browser.close()


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that no .env of the developer's is read."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
