"""The command line: `warbot`, or `python -m bot`."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import tempfile
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from bot import settings as settings_module
from bot.exits import Exit, for_database
from bot.logs import set_up
from bot.run import Stopped, run
from db.check import problems
from db.database import connect
from db.errors import DatabaseCorrupt, DatabaseEmptyFile, DatabaseError, DatabaseMissing
from engine.errors import EngineError, ProofError
from engine.facts import Battle, Outcome
from engine.proof import MAX_PROOF_BYTES, Proof
from engine.rules import Rules
from engine.war import War
from playground import BotCommand, Playground, PortTaken, StateBroken

PORT = 8470

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Host the card game War on Discord, or try it here without an account.",
)


class BadInput(typer.TyperException):
    """Something on the command line makes no sense; the text is one sentence."""

    exit_code = Exit.BAD_INPUT


@app.command("run")
def run_command() -> None:
    """Run the bot against Discord. Settings come from the environment and .env (see .env.example)."""
    try:
        settings = settings_module.load()
    except settings_module.SettingsError as error:
        raise BadInput(str(error)) from error
    set_up(settings.log_level)
    try:
        asyncio.run(run(settings, say))
    except Stopped as stopped:
        _fail(stopped.code, str(stopped))


@app.command("playground")
def playground_command(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = PORT,
    state: Annotated[
        Path | None, typer.Option(help="Folder that keeps channels, matches and standings between runs.")
    ] = None,
) -> None:
    """Play in the browser: a Discord of our own with the real bot in it. Needs no account."""
    set_up("WARNING")
    try:
        if state is not None:
            state.mkdir(parents=True, exist_ok=True)
            asyncio.run(_playground(port, state, state))
        else:
            with tempfile.TemporaryDirectory(prefix="warbot-playground-") as folder:
                asyncio.run(_playground(port, None, Path(folder)))
    except (PortTaken, StateBroken) as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        raise BadInput(f"The playground cannot use {error.filename or state}: {error.strerror}.") from error


async def _playground(port: int, state: Path | None, folder: Path) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    database = (folder / "warbot.db").resolve()

    def bot(url: str) -> BotCommand:
        env = {
            "DISCORD_TOKEN": place.token,
            "DISCORD_API_URL": url,
            "DATABASE_URL": f"sqlite:///{database}",
            "LOG_LEVEL": "WARNING",
            # Nobody is absent here: the table waits for whoever opens the page, and hurries once somebody plays.
            "TURN_SECONDS": "3600",
        }
        return BotCommand((sys.executable, "-m", "bot", "run"), env)

    place = Playground(port=port, state=state, bot=bot)
    async with place:
        say(f"The playground is open: {place.url}")
        say(f"On a remote machine, first run at home: ssh -L {port}:127.0.0.1:{port} <that machine>")
        say("Ctrl-C closes it.")
        await stop.wait()


@app.command("play")
def play_command(
    seed: Annotated[str, typer.Option(help="The server seed: 64 hexadecimal digits.")],
    client: Annotated[str, typer.Option(help="The client seed: any text.")],
    as_json: Annotated[bool, typer.Option("--json", help="A JSON line per battle and one for the outcome.")] = False,
) -> None:
    """Play a match for two by the default rules, as the seeds decide it."""
    war = War.deal(Rules(), 2, _seed(seed), client)
    for battle in war.play():
        typer.echo(json.dumps(_battle(battle)) if as_json else _battle_line(battle))
    assert war.outcome is not None, "played to the end"
    typer.echo(json.dumps(_outcome(war.outcome)) if as_json else _outcome_line(war.outcome))


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32 or len(text) != 64:
        raise BadInput("--seed takes 64 hexadecimal digits, for example the server_seed of a proof.")
    return seed


def _battle(battle: Battle) -> dict[str, object]:
    return {
        "type": "battle",
        "step": battle.step,
        "round": battle.round,
        "depth": battle.depth,
        "turned": [[seat, card.code] for seat, card in battle.turned],
        "face_down": [list(laid) for laid in battle.face_down],
        "tied": list(battle.tied),
        "winner": battle.winner,
        "pot": battle.pot,
        "taken": battle.taken,
        "counts": list(battle.counts),
        "dropped": [[drop.seat, drop.reason] for drop in battle.dropped],
        "out": list(battle.out),
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "type": "outcome",
        "termination": outcome.termination,
        "placings": list(outcome.placings),
        "winner": outcome.winner,
        "counts": list(outcome.counts),
        "rounds": outcome.rounds,
        "steps": outcome.steps,
    }


def _battle_line(battle: Battle) -> str:
    cards = "  ".join(f"{seat}: {card}" for seat, card in battle.turned)
    if battle.tied:
        what = f"WAR of seats {', '.join(map(str, battle.tied))}, {battle.pot} cards on the table"
    elif battle.winner is None:
        what = f"nobody takes the {battle.pot} cards on the table"
    else:
        what = f"seat {battle.winner} takes {battle.taken}"
    return f"{battle.round:>5}  {cards:<16} {what}; held: {' '.join(map(str, battle.counts))}"


def _outcome_line(outcome: Outcome) -> str:
    won = "a draw" if outcome.winner is None else f"seat {outcome.winner} wins"
    return f"{won} ({outcome.termination}) after {outcome.rounds} rounds and {outcome.steps} battles"


@app.command("verify")
def verify_command(
    proof: Annotated[Path, typer.Argument(metavar="PROOF.json", help="The file that *Proof* gave.")],
) -> None:
    """Check a match: its deal follows from its seeds and its result from its deal."""
    try:
        with proof.open("rb") as file:
            data = file.read(MAX_PROOF_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{proof} cannot be read: {error.strerror}.") from error
    try:
        held = Proof.from_bytes(data)
        held.verify()
    except ProofError as error:
        _fail(Exit.FAILED, f"The proof does not hold: {error}")
    before = (
        "The commitment was shown before the match began."
        if held.committed_before
        else "No commitment was shown before this match: it follows its seed, but the seed may have been chosen."
    )
    say(f"The proof holds: {_outcome_line(held.outcome)}. {before}")


@app.command("check")
def check_command(
    database: Annotated[
        str | None, typer.Argument(help="A file or a DATABASE_URL; without it the one that the bot uses.")
    ] = None,
) -> None:
    """Look through the database: pages, keys, a replay of every match, and a recount of the standings."""
    url = database or settings_module.database_url()
    if "://" not in url:
        url = f"sqlite:///{url}"
    try:
        found = asyncio.run(_check(url))
    except DatabaseMissing as error:
        raise BadInput(str(error)) from error
    except (DatabaseCorrupt, DatabaseEmptyFile) as error:
        _fail(Exit.FAILED, str(error))
    except DatabaseError as error:
        _fail(for_database(error), str(error))
    if found:
        for problem in found:
            typer.echo(problem, err=True)
        raise typer.Exit(Exit.FAILED)
    say("All is well: pages, keys, every match, every standing.")


async def _check(url: str) -> list[str]:
    async with connect(url, hold_lock=False, migrate=False, create=False) as db:
        return [problem async for problem in problems(db)]


def say(text: str) -> None:
    """A line on stdout."""
    typer.echo(text)


def _fail(code: Exit, sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(code)


def main() -> None:
    """Entry point: one sentence on stderr and an exit code for whatever is wrong, never a traceback for bad input."""
    try:
        code = app(standalone_mode=False)
    except typer.TyperException as error:
        typer.echo(" ".join(error.format_message().split()), err=True)
        code = error.exit_code
    except typer.Abort:
        code = 130
    except EngineError as error:
        typer.echo(str(error), err=True)
        code = Exit.BAD_INPUT
    sys.exit(code if isinstance(code, int) else Exit.OK)


if __name__ == "__main__":
    main()
