"""The process and what it stands on: stopped in mid-click, a Discord that fails while it starts, a sweeper that meets
an error, and a database that is locked, full, or cannot be brought up to date."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.exits import Exit
from db.sqlite import APPLICATION_ID

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def forgive(game, *words):
    """Errors that the log must tell of in this test: each of the words, and their tracebacks."""

    async def told():
        return True if all(any(each in line for line in game.log) for each in words) else None

    await game.until(told)
    game._told.update(line for line in game.log if "Traceback" in line or any(each in line for each in words))


async def test_stopped_in_mid_click_it_finishes_the_answer(own_game, own_faults, looks):
    game = own_game
    match = await looks.text_match(game)
    board = await match.board()
    await match.dealer.click(board, board.main)
    slow = await own_faults.add("delay", "answer", seconds=1.2)
    click = await game.send_click(match.other, board, board.main)
    await own_faults.met(slow)
    os.kill(game.playground.bot.pid, signal.SIGTERM)
    assert (await game.answer(click)).acked
    assert (await game.bot("stop"))["exit_code"] == Exit.OK
    await looks.newest(match, turn=1)


async def test_a_click_while_the_bot_is_down_is_lost_and_the_same_click_afterwards_is_not(own_game):
    game = own_game
    match = await game.match(*await game.people("Alice", "Bob"))
    board = await match.turn()
    await game.bot("stop")
    unheard = await game.answer_so_far(await game.send_click(match.dealer, board, board.main))
    assert not unheard.record["delivered"]
    await game.bot("start")
    assert match.stored()["ready"] == 0
    await match.turn()
    assert match.stored()["turn"] == 2


async def test_a_discord_that_fails_while_the_bot_looks_for_the_gateway(own_game, own_faults):
    game = own_game
    await game.bot("stop")
    failing = await own_faults.game.call("POST", "/faults", do="status", status=503, route="GET /gateway/bot", times=1)
    broken = await own_faults.game.call("POST", "/faults", do="reset", route="GET /gateway/bot", times=1)
    assert (await game.bot("start"))["connected"]
    assert [await own_faults.hits(each["id"]) for each in (failing, broken)] == [1, 1]


async def test_a_sweeper_that_meets_an_error_goes_on(own_game, looks):
    game = own_game
    broken, fine = [await game.match(*await game.people("Alice", "Bob")) for _ in range(2)]
    await game.clock_runs()
    game.write("UPDATE matches SET acts = '[[', deadline_at = 1 WHERE id = ?", broken.id)
    await game.time_is_up(fine.id)
    await looks.newest(fine, turn=1)
    game.write("UPDATE matches SET acts = '[]' WHERE id = ?", broken.id)
    await looks.newest(broken, turn=1)
    await forgive(game, f"match {broken.id} could not be moved on by the clock")


async def test_a_database_locked_for_two_seconds_says_so_and_loses_nothing(own_game, looks):
    game = own_game
    match = await game.match(*await game.people("Alice", "Bob"))
    board = await match.board()
    with contextlib.closing(sqlite3.connect(game.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        asked = asyncio.get_running_loop().time()
        refused = await match.dealer.click(board, board.main)
        assert asyncio.get_running_loop().time() - asked < 3
        other.execute("ROLLBACK")
    assert refused.private
    assert "could not be saved just now, so nothing was changed" in refused.text
    assert match.stored()["ready"] == 0
    await match.turn()
    await forgive(game, "an interaction failed")


@pytest.fixture(scope="module")
def small_disk():
    """The words before a command that runs it with a file system of 4 MiB at the folder named after them."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], capture_output=True).returncode:
        pytest.skip("needs a mount namespace of its own (unshare -rm), which is not allowed here")
    return (unshare, "-rm", "sh", "-c", 'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"')


async def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path, new_game, small_disk):
    command = (*small_disk, str(tmp_path), sys.executable, "-m", "bot", "run")
    async with new_game(tmp_path, command=command, TURN_SECONDS="3600") as game:
        disk = Path(f"/proc/{game.playground.bot.pid}/root{tmp_path}")

        def stored():
            for name in ("warbot.db", "warbot.db-wal"):  # SQLite itself does not find the way to that file system
                shutil.copy(disk / name, tmp_path / name)
            return dict(match.stored())

        match = await game.match(*await game.people("Alice", "Bob"), turns=1)  # how long it takes cannot be read there
        board = await match.turn()
        before = stored()
        with contextlib.suppress(OSError), (disk / "ballast").open("wb", buffering=0) as ballast:
            while True:
                ballast.write(bytes(4096))
        for person in (match.dealer, match.other):
            refused = await person.click(board, board.main)
            assert refused.private
            assert "There is no room left to save anything" in refused.text
        quick = await match.dealer.command(match.channel, "war quick")
        assert "There is no room left to save anything" in quick.text
        watching = await (await game.person("Cleo")).command(match.channel, "war board")
        assert match.message in str(watching.record), "what is there can still be read"
        assert stored() == before
        (disk / "ballast").unlink()
        await match.turn()
        assert stored()["turn"] == 2
        await forgive(game, "an interaction failed")
        game.nothing_went_wrong()


async def test_a_failed_migration_leaves_the_file_as_it_was(tmp_path, run_warbot):
    database = tmp_path / "warbot.db"
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE matches (in_the_way TEXT)")
    before = database.read_bytes()
    code, out, err = await run_warbot("run", DISCORD_TOKEN="token", DATABASE_URL=f"sqlite:///{database}")
    assert code == Exit.MIGRATION_FAILED
    assert len(err.splitlines()) == 1, err
    assert "0001_matches.sql" in err
    assert out == ""
    assert database.read_bytes() == before
