"""The command line: `warbot`, or `python -m bot`.

discord.py and the playground take most of a second to import, so only the commands that need them do.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import tempfile
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from bot import deals, records, simulation
from bot import settings as settings_module
from bot.exits import Exit, for_database
from db.check import problems, repair
from db.database import connect
from db.errors import DatabaseCorrupt, DatabaseEmptyFile, DatabaseError, DatabaseMissing
from engine.errors import EngineError, ProofError
from engine.facts import Act
from engine.proof import MAX_PROOF_BYTES, Proof
from engine.rules import Rules
from engine.war import War

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
    from bot.logs import set_up
    from bot.run import Stopped, run

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
    from bot.logs import set_up
    from playground import PortTaken, StateBroken

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
    from playground import BotCommand, Playground

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
    seed: Annotated[str | None, typer.Option(help="The server seed: 64 hexadecimal digits.")] = None,
    client: Annotated[str | None, typer.Option(help="The client seed: any text.")] = None,
    deal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A deal of your own as JSON (docs/rules.md), instead of seeds.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON line per battle and one for the outcome.")] = False,
) -> None:
    """Play a whole match: for two by the default rules as the seeds decide it, or a deal of your own."""
    acts: list[Act] = []
    if deal is not None:
        if seed is not None or client is not None:
            raise BadInput("--deal brings its own seeds: leave --seed and --client out.")
        try:
            war, acts = deals.read(deal)
        except OSError as error:
            raise BadInput(f"{deal} cannot be read: {error.strerror}.") from error
    elif seed is None or client is None:
        raise BadInput("play needs --seed and --client, or --deal with a file.")
    else:
        war = War.deal(Rules(), 2, deals.seed_of(seed, "--seed"), client)
    battles = list(war.play(acts))
    assert war.outcome is not None, "played to the end"
    for battle in battles:
        say(json.dumps(records.battle(battle)) if as_json else records.battle_line(battle))
    say(json.dumps(records.outcome(war.outcome)) if as_json else records.outcome_line(war.outcome))


@app.command("simulate")
def simulate_command(
    games: Annotated[int, typer.Option(help="How many matches.")] = 1000,
    players: Annotated[int, typer.Option(help="Seats, 2 to 6.")] = 2,
    face_down: Annotated[int, typer.Option(help="Cards laid face-down in a war, 0 to 5.")] = Rules().face_down,
    shortage: Annotated[str, typer.Option(help="last, lose, equal or keep.")] = Rules().shortage,
    order: Annotated[str, typer.Option(help="random, winner-first, loser-first or table.")] = Rules().order,
    low_rank: Annotated[int, typer.Option(help="Lowest rank in the deck, 2 to 13.")] = Rules().low_rank,
    leftover: Annotated[str, typer.Option(help="first-pot or aside.")] = Rules().leftover,
    max_rounds: Annotated[int, typer.Option(help="After so many rounds the most cards win.")] = Rules().max_rounds,
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures, whatever --jobs is.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Processes.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Play many matches at once and count. docs/rules.md explains the choices."""
    if not 1 <= games <= simulation.MOST_GAMES:
        raise BadInput(f"--games must be from 1 to {simulation.MOST_GAMES:,}, not {games}.")
    rules = Rules.from_dict(
        {
            "face_down": face_down,
            "shortage": shortage,
            "order": order,
            "low_rank": low_rank,
            "leftover": leftover,
            "max_rounds": max_rounds,
        },
        partial=True,
    )
    rules.check(players)
    # To a terminal only: a file or a pipe gets the figures alone.
    with typer.progressbar(length=games, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        tally = simulation.run(rules, players, games, seed, jobs=jobs, progress=lambda done: bar.update(done - bar.pos))
    if as_json:
        say(json.dumps(records.simulation(tally)))
    else:
        say("\n".join(records.simulation_lines(tally)))


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
    say(f"The proof holds: {records.outcome_line(held.outcome)}. {before}")


@app.command("check")
def check_command(
    database: Annotated[
        str | None, typer.Argument(help="A file or a DATABASE_URL; without it the one that the bot uses.")
    ] = None,
    repair_standings: Annotated[
        bool, typer.Option("--repair", help="Set the standings to what a recount gives; stop the bot first.")
    ] = False,
) -> None:
    """Look through the database: pages, keys, a replay of every match, and a recount of the standings."""
    try:
        url = database or settings_module.database_url()
    except settings_module.SettingsError as error:
        raise BadInput(str(error)) from error
    if "://" not in url:
        url = f"sqlite:///{url}"
    try:
        if repair_standings:
            for change in asyncio.run(_repair(url)):
                say(change)
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


async def _repair(url: str) -> list[str]:
    async with connect(url, migrate=False, create=False) as db:
        return await repair(db)


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
        said = " ".join(error.format_message().split())
        typer.echo(said if said.endswith(".") else f"{said}.", err=True)
        code = error.exit_code
    except typer.Abort:
        code = 130
    except EngineError as error:
        typer.echo(str(error), err=True)
        code = Exit.BAD_INPUT
    sys.exit(code if isinstance(code, int) else Exit.OK)


if __name__ == "__main__":
    main()
