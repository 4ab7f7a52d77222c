"""Running the bot: what it opens and starts, it ends."""

from __future__ import annotations

import asyncio

import pytest

from bot import run

pytestmark = pytest.mark.asyncio


async def test_a_task_that_loses_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `asyncio.wait_for` does before Python 3.12, when it comes in the wrong moment: SIGTERM would be unheard."""
    monkeypatch.setattr(run, "CANCEL_AGAIN", 0.01)
    lost = 0

    async def deaf() -> None:
        nonlocal lost
        while lost < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost += 1
        await asyncio.Event().wait()

    async with asyncio.timeout(10), run._running(deaf()) as task:
        await asyncio.sleep(0)
    assert task.cancelled()
    assert lost == 2


async def test_what_goes_wrong_in_a_task_is_not_hidden_by_its_end() -> None:
    async def breaks() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        async with run._running(breaks()):
            await asyncio.sleep(0)
