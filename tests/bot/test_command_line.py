"""The command line as people call it: real processes, one sentence for whatever is wrong, and its exit code."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.exits import Exit
from bot.settings import Settings
from engine.facts import Act
from engine.proof import Proof
from engine.rules import Rules
from engine.war import War

ROOT = Path(__file__).parents[2]
SEED = "00" * 31 + "01"
SETTINGS = [name.upper() for name in Settings.model_fields]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """``run("check", "x.db", LOG_LEVEL="INFO")``: `python -m bot` in an empty folder without settings of ours."""
    clean = {name: value for name, value in os.environ.items() if name not in SETTINGS}

    def run(*arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bot", *map(str, arguments)],
            cwd=tmp_path,
            env={**clean, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **settings},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def call(empty_folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The same in this process, for what is tried in many ways: a process takes a second to start."""

    def call(*arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
        for name in SETTINGS:
            monkeypatch.delenv(name, raising=False)
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["warbot", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), out, err)

    return call


def one_sentence(result: subprocess.CompletedProcess[str], code: int = Exit.BAD_INPUT) -> str:
    """What was said on stderr: one line, without a traceback, and nothing on stdout."""
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].endswith("."), lines[0]
    return lines[0]


# ---- play -------------------------------------------------------------------------------------------------


def test_play_prints_a_json_line_per_battle_and_one_for_the_outcome(run: Run) -> None:
    result = run("play", "--seed", SEED, "--client", "42", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    *battles, outcome = [json.loads(line) for line in result.stdout.splitlines()]
    war = War.deal(Rules(), 2, bytes.fromhex(SEED), "42")
    expected = list(war.play())
    assert war.outcome is not None
    assert len(battles) == len(expected) == outcome["steps"]
    for line, battle in zip(battles, expected, strict=True):
        assert line["type"] == "battle"
        assert line["turned"] == [[seat, card.code] for seat, card in battle.turned]
        assert (line["step"], line["round"], line["depth"]) == (battle.step, battle.round, battle.depth)
        assert (line["winner"], line["taken"], line["pot"]) == (battle.winner, battle.taken, battle.pot)
        assert (tuple(line["counts"]), tuple(line["tied"])) == (battle.counts, battle.tied)
    assert outcome["type"] == "outcome"
    assert outcome["termination"] == war.outcome.termination
    assert (outcome["winner"], tuple(outcome["placings"])) == (war.outcome.winner, war.outcome.placings)


def test_play_without_json_is_for_a_person(run: Run) -> None:
    result = run("play", "--seed", SEED, "--client", "42")
    assert result.returncode == 0
    assert "takes 2; held: " in result.stdout
    assert result.stdout.splitlines()[-1].startswith("seat ")


def test_play_into_a_pipe_that_closes_early_says_nothing(run: Run, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "play", "--seed", SEED, "--client", "42", "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    process.wait(timeout=60)
    assert said == ""


BAD_INPUT = [
    ("play",),
    ("play", "--seed", SEED),
    ("play", "--client", "42"),
    ("play", "--seed", "12", "--client", "42"),
    ("play", "--seed", SEED + "00", "--client", "42"),
    ("play", "--seed", "zz" * 32, "--client", "42"),
    ("play", "--seed", " ".join(SEED[at : at + 2] for at in range(0, 64, 2)), "--client", "42"),
    ("play", "--seed", "٣" * 64, "--client", "42"),
    ("play", "--seed", SEED, "--client", ""),
    ("play", "--seed", SEED, "--client", "x" * 201),
    ("play", "--seed", SEED, "--client", "\ud800"),
    ("play", "--seed", SEED, "--client", "42", "--loud"),
    ("play", "--seed", SEED, "--client", "42", "more"),
    ("play", "--seed", SEED, "--client", "42", "--deal", "x.json"),
    ("play", "--deal", "nosuch.json"),
    ("nosuch",),
    ("playground", "--port", "0"),
    ("playground", "--port", "65536"),
    ("playground", "--port", "eighty"),
    ("verify",),
    ("verify", "nosuch.json"),
    ("verify", "."),
    ("check", "nosuch.db"),
    ("check", "sqlite:///no/such/folder/x.db"),
    ("check", "mysql://somewhere/x"),
    ("check", "postgresql://somewhere/x"),
    ("check", "a.db", "b.db"),
    ("simulate", "--games", "0"),
    ("simulate", "--games", "-1"),
    ("simulate", "--players", "7"),
    ("simulate", "--players", "3", "--shortage", "equal"),
    ("simulate", "--max-rounds", "-1"),
    ("simulate", "--order", "sideways"),
]


@pytest.mark.parametrize("arguments", BAD_INPUT, ids=" ".join)
def test_bad_input_is_one_sentence_and_exit_code_2(call: Run, arguments: tuple[str, ...], empty_folder: Path) -> None:
    one_sentence(call(*arguments))
    assert list(empty_folder.iterdir()) == []


@pytest.mark.parametrize("arguments", [BAD_INPUT[3], ("playground", "--port", "eighty")])
def test_a_process_with_bad_input_ends_with_one_sentence(run: Run, arguments: tuple[str, ...]) -> None:
    one_sentence(run(*arguments))


def test_without_a_command_there_is_help(call: Run) -> None:
    result = call("--help")
    assert result.returncode == 0
    for command in ("run", "playground", "play", "verify", "check"):
        assert command in result.stdout


# ---- verify -----------------------------------------------------------------------------------------------


def proof(*, before: bool = True) -> bytes:
    acts = (Act(12, 0, "forfeit"),)
    return Proof.of(Rules(), 2, bytes.fromhex(SEED), "42", acts, 12, committed_before=before).to_bytes()


@pytest.mark.parametrize(("before", "said"), [(True, "was shown before"), (False, "No commitment was shown before")])
def test_a_proof_that_holds(call: Run, tmp_path: Path, before: bool, said: str) -> None:
    (tmp_path / "proof.json").write_bytes(proof(before=before))
    result = call("verify", "proof.json")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("The proof holds: seat 1 wins (forfeit) after")
    assert said in result.stdout


@pytest.mark.parametrize(
    "data",
    [
        proof().replace(b'"42"', b'"43"'),
        proof()[:-1],
        proof() + b"\n",
        b"",
        b"no JSON",
        b"[]",
        b"{}",
        b"[" * 60_000,
        b"\xff\xfe",
        b" " * 70_000,
    ],
    ids=["another client seed", "cut", "longer", "empty", "text", "list", "object", "deep", "bytes", "too big"],
)
def test_a_proof_that_does_not_hold_says_why(call: Run, empty_folder: Path, data: bytes) -> None:
    (empty_folder / "proof.json").write_bytes(data)
    assert one_sentence(call("verify", "proof.json"), Exit.FAILED).startswith("The proof does not hold: ")


def test_a_process_ends_with_1_for_a_broken_proof(run: Run, tmp_path: Path) -> None:
    (tmp_path / "proof.json").write_bytes(proof().replace(b'"42"', b'"43"'))
    assert one_sentence(run("verify", "proof.json"), Exit.FAILED).startswith("The proof does not hold: ")


# ---- check ------------------------------------------------------------------------------------------------


async def stored(game: Any, tmp_path: Path) -> Path:
    await game.to_end(await game.deal())
    await game.turn(await game.deal())
    await game.quick()
    return tmp_path / "warbot.db"


async def test_a_whole_database_is_well_also_while_a_bot_uses_it(run: Run, game: Any, tmp_path: Path) -> None:
    path = await stored(game, tmp_path)
    result = run("check", path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "All is well: pages, keys, every match, every standing.\n"
    (tmp_path / ".env").write_text("DATABASE_URL=sqlite:///warbot.db\n")
    assert run("check").returncode == 0


async def test_what_is_wrong_is_a_line_each_and_exit_code_1(run: Run, game: Any, tmp_path: Path) -> None:
    path = await stored(game, tmp_path)
    await game.db.execute("UPDATE standings SET wins = wins + 1, played = played + 1")
    await game.db.execute("UPDATE matches SET rounds = rounds + 1 WHERE id = 1")
    result = run("check", path)
    assert (result.returncode, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("Match 1 is stored as all-cards after ")
    assert all("recount gives" in line for line in lines[1:])


@pytest.mark.parametrize(
    "data", [b"", b"no database at all, but long enough" * 100, b"SQLite format 3\0" + b"\0" * 4096]
)
def test_a_file_that_is_no_database_is_exit_code_1(call: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.db").write_bytes(data)
    result = call("check", "x.db")
    assert "Traceback" not in result.stderr
    assert result.returncode in (Exit.FAILED, Exit.NOT_OUR_DATABASE)
    assert len(result.stderr.splitlines()) == 1
    assert (tmp_path / "x.db").read_bytes() == data


def test_a_database_of_another_program_is_named_and_left_alone(call: Run, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE recipes (id INTEGER PRIMARY KEY)")
    other.commit()
    other.close()
    before = (tmp_path / "other.db").read_bytes()
    one_sentence(call("check", "other.db"), Exit.NOT_OUR_DATABASE)
    assert (tmp_path / "other.db").read_bytes() == before


def test_check_of_a_missing_database_makes_none(call: Run, tmp_path: Path) -> None:
    one_sentence(call("check", "nosuch.db"))
    assert list(tmp_path.iterdir()) == []


# ---- run and playground -----------------------------------------------------------------------------------


def test_run_without_a_token_says_what_to_do(run: Run) -> None:
    assert one_sentence(run("run")).startswith("DISCORD_TOKEN is not set.")


@pytest.mark.parametrize(
    ("name", "value"),
    [("TURN_SECONDS", "soon"), ("LOG_LEVEL", "loud"), ("DISCORD_API_URL", "nowhere"), ("DISCORD_TOKEN", "a b")],
)
def test_run_with_a_setting_that_makes_no_sense_names_it(call: Run, name: str, value: str) -> None:
    sentence = one_sentence(call("run", **{"DISCORD_TOKEN": "secret-token", name: value}))
    assert sentence.startswith(f"{name} cannot be used: ")
    assert "secret-token" not in sentence


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("sqlite:///no/such/folder/x.db", Exit.BAD_INPUT),
        ("postgresql://somewhere/x", Exit.BAD_INPUT),
        ("warbot.db", Exit.BAD_INPUT),
        ("sqlite:///empty.db", Exit.DATABASE_EMPTY_FILE),
        ("sqlite:///damaged.db", Exit.DATABASE_DAMAGED),
    ],
)
def test_run_with_a_database_that_cannot_be_used(call: Run, tmp_path: Path, url: str, code: Exit) -> None:
    (tmp_path / "empty.db").touch()
    (tmp_path / "damaged.db").write_bytes(b"no database at all, but long enough" * 100)
    one_sentence(call("run", DISCORD_TOKEN="t", DATABASE_URL=url), code)


def test_a_second_bot_on_a_database_stays_out(run: Run, game: Any, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'warbot.db'}"
    one_sentence(run("run", DISCORD_TOKEN="t", DATABASE_URL=url), Exit.DATABASE_IN_USE)


def test_a_playground_on_a_taken_port_says_so(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert str(port) in one_sentence(run("playground", "--port", port))


def test_a_playground_whose_state_is_a_file_says_so(call: Run, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    one_sentence(call("playground", "--port", port, "--state", "state"))
