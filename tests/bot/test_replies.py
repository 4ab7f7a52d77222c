"""What went wrong becomes one private sentence that says what to do; only our own faults are logged as such."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.i18n import Catalogue
from bot.refusals import ChannelBusy, OldBoard, PlayerBusy, Refusal, StaleTurn
from bot.replies import answer_failure, jump_url, sentence
from db.errors import DatabaseError, DatabaseLocked, DiskFull
from db.people import Person

TEXTS = Catalogue.load().texts(None)
HOSTILE = Person(1, 2, "@everyone **<@1>**")


class Answers:
    """An interaction's two ways to answer, as discord.py has them; nothing else of it is needed here."""

    def __init__(self, *, done: bool = False, failure: Exception | None = None) -> None:
        self.said: list[tuple[str, str, bool]] = []
        self._done = done
        self._failure = failure
        self.response = self.followup = self

    def is_done(self) -> bool:
        return self._done

    async def send_message(self, text: str, *, ephemeral: bool) -> None:
        await self._say("answer", text, ephemeral)

    async def send(self, text: str, *, ephemeral: bool) -> None:
        await self._say("followup", text, ephemeral)

    async def _say(self, how: str, text: str, ephemeral: bool) -> None:
        if self._failure is not None:
            raise self._failure
        self.said.append((how, text, ephemeral))


class Response:
    """As much of an HTTP response as discord.py's exceptions read."""

    status = 400
    reason = "Bad Request"


def http(code: int, kind: type[discord.HTTPException] = discord.HTTPException) -> discord.HTTPException:
    return kind(Response(), {"code": code, "message": "no"})


async def said_about(error: BaseException, **how: Any) -> list[tuple[str, str, bool]]:
    answers: Any = Answers(**how)
    await answer_failure(answers, error, TEXTS)
    return answers.said


async def test_every_refusal_is_a_private_sentence(game: Any) -> None:
    match = await game.deal()
    for error in (
        Refusal("refuse-challenge-self"),
        Refusal("refuse-too-many-yours", most=2),
        Refusal("refuse-not-host", name=HOSTILE),
        ChannelBusy(match),
        PlayerBusy(match, None),
        PlayerBusy(match, HOSTILE),
        OldBoard(match),
        StaleTurn(match),
        app_commands.NoPrivateMessage(),
        app_commands.CommandNotFound("war", []),
        DatabaseLocked.__new__(DatabaseLocked),
        DiskFull.__new__(DiskFull),
    ):
        ((how, text, ephemeral),) = await said_about(error)
        assert (how, ephemeral) == ("answer", True)
        assert re.search(r"[.!]$", text), text
        assert "@everyone" not in text
        assert "**<" not in text


async def test_a_link_to_the_board_where_there_is_one(game: Any) -> None:
    match = await game.deal()
    url = f"https://discord.com/channels/1/10/{match.message_id}"
    assert jump_url(match) == url
    for error in (OldBoard(match), PlayerBusy(match, None), PlayerBusy(match, HOSTILE)):
        assert f"({url})" in (sentence(TEXTS, error) or "")
    await game.db.execute("UPDATE matches SET message_id = NULL")
    unposted = await game.host.match(match.id)
    assert jump_url(unposted) is None
    for error in (OldBoard(unposted), PlayerBusy(unposted, None), PlayerBusy(unposted, HOSTILE)):
        said = sentence(TEXTS, error) or ""
        assert "](" not in said
        assert said


async def test_a_fault_of_ours_tells_nothing_of_itself_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    secret = "token-in-a-message"
    ((_, text, ephemeral),) = await said_about(RuntimeError(secret))
    assert ephemeral
    assert text == TEXTS("error-unexpected")
    assert secret in caplog.text
    assert caplog.records[0].levelname == "ERROR"


async def test_a_refusal_is_no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    await said_about(Refusal("refuse-challenge-self"))
    assert caplog.records == []


async def test_a_database_that_fails_is_said_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    ((_, text, _),) = await said_about(DatabaseError("broken"))
    assert text == TEXTS("error-database")
    assert [record.levelname for record in caplog.records] == ["ERROR"]


async def test_a_command_that_failed_inside_is_looked_into() -> None:
    command: Any = type("Command", (), {"name": "challenge"})()
    error = app_commands.CommandInvokeError(command, Refusal("refuse-challenge-self"))
    ((_, text, _),) = await said_about(error)
    assert text == TEXTS("refuse-challenge-self")


async def test_what_was_answered_already_is_followed_up() -> None:
    ((how, _, ephemeral),) = await said_about(Refusal("refuse-challenge-self"), done=True)
    assert (how, ephemeral) == ("followup", True)


@pytest.mark.parametrize("code", [10062, 40060])
async def test_an_answer_that_came_too_late_or_twice_is_not_answered_again(code: int) -> None:
    assert await said_about(http(code)) == []


@pytest.mark.parametrize("failure", [http(10062), http(0), ConnectionResetError(), TimeoutError()])
async def test_a_reply_that_is_not_delivered_ends_there(failure: Exception, caplog: pytest.LogCaptureFixture) -> None:
    assert await said_about(Refusal("refuse-challenge-self"), failure=failure) == []
    assert "a private reply was not delivered" in caplog.text
