"""Many clicks at once, every answer delayed by 100 ms, pictures on: all are answered and none is lost.

How fast that is, and with a thousand, is measured by `benchmarks/burst.py`; here it is few enough for a machine that
runs other tests beside.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks._crowd import crowd
from benchmarks.burst import burst, steady

pytestmark = pytest.mark.asyncio(loop_scope="function")


async def test_of_many_clicks_at_once_all_are_answered_and_painted_after(tmp_path: Path) -> None:
    async with crowd(tmp_path) as people:
        result = await burst(people, await people.lay(60))
    assert (result.unanswered, result.lost) == (0, 0)


async def test_a_steady_stream_of_clicks_is_answered_whole(tmp_path: Path) -> None:
    async with crowd(tmp_path) as people:
        result = await steady(people, await people.lay(20), seconds=3)
    assert (result.unanswered, result.lost) == (0, 0)
