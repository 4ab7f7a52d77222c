"""Players who change their name in mid-match to something hostile: nobody is pinged, nothing is formatted, and the
match goes on to its end and into the standings."""

from __future__ import annotations

import re
import unicodedata

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAMES = {
    "everyone": "@everyone",
    "Markdown": "**b** ~~s~~ ||p|| `c` # h",
    "mention": "<@1>",
    "timestamp": "<t:0>",
    "right to left": "\u202egnp.exe",
    "zalgo": "z" + "\u0301\u0323\u0489" * 30,
    "32 emoji": "👩‍👩‍👧‍👦" * 4 + "🎴" * 4,
    "blank": "\u3164\u2800 \u200b",
    "lone surrogate": "A\ud800B",
    "NUL": "A\0B",
}


def harmless(message):
    """Nothing in the message does what a hostile name would have it do. Labels are not read for Markdown or mentions,
    but directions and marks work there too."""
    raw = message.raw
    assert raw["mention_everyone"] is False
    words = "\n".join([message.text, *message.buttons, *message.links])
    assert not re.search(r"@everyone|<@1>|<t:0>", message.text), message.text
    assert not re.search(r"(?<!\\)\*\*b(?<!\\)\*\*|(?<!\\)\|\|p|(?<!\\)`c", message.text), message.text
    assert not any(unicodedata.category(each) == "Cs" or each in "\u202e\0" for each in words)
    marks = [unicodedata.category(each) in ("Mn", "Me") and each != "\ufe0f" for each in words]
    assert not any(all(marks[at : at + 3]) for at in range(len(marks) - 2)), "at most two marks on a letter"


@pytest.mark.parametrize("kind", NAMES)
async def test_a_name_changed_in_mid_match(game, faults, kind):
    alice, bob = await game.people("Alice", "Bob")
    match = await game.match(alice, bob)
    await match.turn()
    for nick in (False, True):
        await faults.add("rename", user=bob.id, name=NAMES[kind], nick=nick)
    board = await match.board()
    said = [await bob.click(board, "More")]
    said.append(await alice.command(match.channel, "war board"))
    match.message = said[-1].message.id
    question = await bob.click(said[0].message, "Forfeit")
    await bob.click(question.message, "Yes, forfeit")
    result = await match.shows("forfeited")
    rematch = await bob.command(await game.channel(), "war challenge", opponent=alice)
    accepted = await alice.click(rematch.message, "Accept")
    turned = await bob.click(accepted.message, accepted.message.main)
    again = await alice.command(await game.channel(), "war challenge", opponent=bob)
    leaders = await bob.command(match.channel, "war leaderboard")
    for answer in (*said, rematch, accepted, turned, again, leaders):
        assert answer.failed is None
        for message in (answer.message, *answer.followups):
            if message is not None:
                harmless(message)
    harmless(result)
    for message in await game.messages(match.channel):
        harmless(message)
