"""Faults of the REST API, met by the real discord.py and by raw requests; afterwards all is as before."""

from __future__ import annotations

import asyncio
import errno
import time

import aiohttp
import discord
import pytest


@pytest.fixture
async def attic(playground):
    return playground.world.channel_named("attic")


@pytest.fixture
def violations(playground):
    """The violations so far; taken away, since what a test sends raw need not be right."""

    def taken():
        found = [str(each) for each in playground.violations]
        playground.violations.clear()
        return found

    return taken


def post(rest, channel, content="hello"):
    return rest("POST", f"/channels/{channel.id}/messages", content=content)


DISCORDS_CODES = [
    (10003, 404),
    (10004, 404),
    (10008, 404),
    (10062, 404),
    (30046, 429),
    (40060, 400),
    (50001, 403),
    (50013, 403),
    (50035, 400),
    (50083, 403),
    (160005, 403),
    (200000, 400),
]


@pytest.mark.parametrize(("code", "status"), DISCORDS_CODES)
async def test_a_code_of_discord_comes_with_its_http_status_once(playground, rest, attic, code, status):
    playground.faults.add("status", route="POST /channels/*/messages", code=code)
    got, body = await post(rest, attic)
    assert (got, body["code"]) == (status, code)
    assert body["message"]
    assert attic.messages == {}, "the work was not done"
    assert (await post(rest, attic))[0] == 200
    assert len(attic.messages) == 1
    assert playground.violations == [], "what a fault says is no violation"


async def test_an_invalid_form_has_a_tree_of_errors_and_it_may_be_another(playground, rest, attic):
    playground.faults.add("status", code=50035)
    assert (await post(rest, attic))[1]["errors"]["components"]["0"]["_errors"]
    tree = {"content": {"_errors": [{"code": "X", "message": "no"}]}}
    playground.faults.add("status", code=50035, errors=tree, message="Nope")
    _, body = await post(rest, attic)
    assert (body["errors"], body["message"]) == (tree, "Nope")


async def test_any_http_status(playground, rest, attic):
    playground.faults.add("status", status=503)
    assert await post(rest, attic) == (503, {"code": 0, "message": "503: Service Unavailable"})
    playground.faults.add("status", status=400, code=99999)
    assert (await post(rest, attic))[1]["code"] == 99999


async def test_discord_py_sees_a_scripted_10062_and_the_person_no_answer(bot, playground, script):
    fault = playground.faults.add("status", route="POST /interactions/*/callback", code=10062)
    bot.gate.set()
    interaction = await script.send("late")
    assert await bot.refusal() == 10062
    playground.faults.add("clock", by=4)
    assert "did not respond" in (await script.result(interaction))["failed"]
    assert playground.faults.hits(fault["id"]) == 1
    assert (await script.run("war challenge", opponent=await script.user("Bob")))["acked"]


# ---- which requests ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("route", "meets"),
    [
        ("*", True),
        ("POST /channels/*/messages", True),
        ("post /channels/*", True),
        ("* /channels/*/messages", True),
        ("/channels/*/messages", True),
        ("POST /api/v10/channels/*/messages", True),
        ("POST re:/channels/[0-9]+/messages", True),
        ("PATCH /channels/*/messages", False),
        ("POST /channels/*/messages/*", False),
        ("POST /channels", False),
        ("POST re:/channels/[a-z]+/messages", False),
    ],
)
async def test_a_route_is_a_method_and_a_path(playground, rest, attic, route, meets):
    playground.faults.add("status", route=route, status=500)
    assert ((await post(rest, attic))[0] == 500) is meets


async def test_times_and_how_often_it_was_hit(playground, script, rest, attic):
    first = await script.post("/faults", do="status", route="POST /channels/*", status=500, times=2)
    for_ever = await script.post("/faults", do="status", route="POST /channels/*", status=501, times=None)
    said = [(await post(rest, attic))[0] for _ in range(5)]
    assert said == [500, 500, 501, 501, 501]
    listed = (await script.get("/faults"))["faults"]
    assert [(each["id"], each["hits"], each["left"]) for each in listed] == [
        (first["id"], 2, 0),
        (for_ever["id"], 3, None),
    ]
    status, gone = await script.call("DELETE", f"/faults/{for_ever['id']}")
    assert (status, gone["removed"][0]["hits"]) == (200, 3)
    assert (await post(rest, attic))[0] == 200
    assert [each["id"] for each in (await script.call("DELETE", "/faults"))[1]["removed"]] == [first["id"]]
    assert (await script.get("/faults"))["faults"] == []


async def test_a_probability_is_a_matter_of_the_seed(playground, rest, attic):
    said = []
    for _ in range(2):
        playground.faults.add("status", route="GET *", status=500, times=None, probability=0.5)
        said.append([(await rest("GET", f"/channels/{attic.id}"))[0] for _ in range(40)])
        playground.faults.remove()
        playground._fault_book._numbers = 0  # the same fault again
    assert said[0] == said[1]
    assert 8 < said[0].count(500) < 32


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"do": "stutter"}, "There is no fault 'stutter'"),
        ({}, 'needs the field "do"'),
        ({"do": "status"}, 'needs "code"'),
        ({"do": "status", "code": 10062, "time": 2}, "no field 'time'"),
        ({"do": "status", "code": 10062, "times": 0}, "1 or more"),
        ({"do": "status", "code": 10062, "probability": 2}, "from 0 to 1"),
        ({"do": "status", "status": 200}, "from 400 to 599"),
        ({"do": "reset", "route": "POST channels"}, "begins with a slash"),
        ({"do": "reset", "route": "re:/(("}, "regular expression"),
        ({"do": "ratelimit", "scope": "user"}, "route, shared, global"),
        ({"do": "delay"}, 'needs the field "seconds"'),
        ({"do": "close", "code": 1006}, "cannot carry"),
        ({"do": "clock", "by": "1"}, "is a number"),
        ({"do": "clock", "by": -1}, "goes back by that at most"),
        ({"do": "replay", "interaction": "7"}, "There is no interaction"),
        ({"do": "down"}, 'needs the field "side"'),
    ],
)
async def test_what_is_no_fault_is_refused_with_a_sentence(script, fields, words):
    status, answer = await script.call("POST", "/faults", **fields)
    assert 400 <= status < 500
    assert words in answer["error"]
    assert (await script.get("/faults"))["faults"] == []


async def test_a_fault_that_is_not_there(script):
    assert (await script.call("DELETE", "/faults/f99"))[0] == 404


# ---- rate limits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["route", "shared", "global"])
async def test_discord_py_waits_for_a_rate_limit_and_tries_again(bot, playground, script, scope):
    fault = playground.faults.add("ratelimit", route="POST /channels/*/messages", scope=scope, retry_after=0.3)
    began = time.perf_counter()
    await bot.get_channel(int(await script.channel("attic"))).send("hello")
    assert time.perf_counter() - began >= 0.3
    assert playground.faults.hits(fault["id"]) == 1
    assert len(await script.messages()) == 1


async def test_the_headers_of_each_scope(playground, rest, attic):
    headers = {"Authorization": f"Bot {playground.token}"}
    url = f"{playground.url}/api/v10/channels/{attic.id}"
    seen = {}
    async with aiohttp.ClientSession(headers=headers) as session:
        for scope in ("route", "shared", "global"):
            playground.faults.add("ratelimit", scope=scope, retry_after=1.5)
            async with session.get(url) as answer:
                seen[scope] = answer.headers["X-RateLimit-Scope"], answer.headers.get("X-RateLimit-Global")
                assert (answer.status, answer.headers["Retry-After"]) == (429, "2")
                body = await answer.json()
                assert (body["retry_after"], body["global"]) == (1.5, scope == "global")
                assert "Via" in answer.headers
    assert seen == {"route": ("user", None), "shared": ("shared", None), "global": ("global", "true")}


async def test_a_rate_limit_without_via_is_a_ban_that_discord_py_does_not_wait_for(bot, playground, script):
    playground.faults.add("ratelimit", via=False, retry_after=60)
    channel = bot.get_channel(int(await script.channel("attic")))
    with pytest.raises(discord.HTTPException) as caught:
        await channel.send("hello")
    assert caught.value.status == 429
    assert "1015" in caught.value.text
    await channel.send("hello")


# ---- connections ------------------------------------------------------------------------------------------------


async def test_reset_cuts_the_connection_before_the_work(playground, rest, attic):
    playground.faults.add("reset", route="POST /channels/*")
    with pytest.raises(aiohttp.ClientOSError) as caught:
        await post(rest, attic)
    assert caught.value.errno == errno.ECONNRESET
    assert attic.messages == {}
    assert (await post(rest, attic))[0] == 200


async def test_lost_does_the_work_and_cuts_the_connection(playground, rest, attic):
    playground.faults.add("lost", route="POST /channels/*")
    with pytest.raises(aiohttp.ClientConnectionError):
        await post(rest, attic)
    assert len(attic.messages) == 1


async def test_late_does_the_work_and_says_502(playground, rest, attic):
    playground.faults.add("late", route="POST /channels/*")
    assert (await post(rest, attic))[0] == 502
    assert len(attic.messages) == 1
    playground.faults.add("late", route="POST /channels/*", status=504)
    assert (await post(rest, attic))[0] == 504


async def test_an_answer_said_502_after_the_work_is_40060_when_discord_py_tries_again(bot, playground, script):
    playground.faults.add("late", route="POST /interactions/*/callback")
    bot.gate.set()
    answer = await script.result(await script.send("late"))
    assert answer["reply"]["content"] == "late"
    assert await bot.refusal() == 40060


# ---- time -------------------------------------------------------------------------------------------------------


async def test_a_delay_before_the_work_and_one_after_it(playground, rest, attic):
    playground.faults.add("delay", route="POST /channels/*", seconds=0.2)
    began = time.perf_counter()
    posting = asyncio.create_task(post(rest, attic))
    await asyncio.sleep(0.05)
    assert attic.messages == {}
    await posting
    assert time.perf_counter() - began >= 0.2

    playground.faults.add("delay", route="POST /channels/*", seconds=0.3, after=True)
    began = time.perf_counter()
    posting = asyncio.create_task(post(rest, attic))
    async with asyncio.timeout(0.25):
        while len(attic.messages) < 2:  # noqa: ASYNC110 (nothing tells of it but the answer, which is delayed)
            await asyncio.sleep(0.01)
    await posting
    assert time.perf_counter() - began >= 0.3


async def test_delays_add_up_with_each_other_and_with_another_fault(playground, rest, attic):
    playground.faults.add("delay", seconds=0.1, times=None)
    playground.faults.add("delay", route="POST *", seconds=0.1)
    playground.faults.add("status", status=500, delay=0.1)
    began = time.perf_counter()
    assert (await post(rest, attic))[0] == 500
    assert time.perf_counter() - began >= 0.3


@pytest.mark.parametrize("how", ["status", "reset"])
async def test_down_refuses_everything_for_a_while(playground, rest, attic, clock, how):
    playground.faults.add("down", side="rest", how=how, lasts=30)
    for method, path in (
        ("GET", f"/channels/{attic.id}"),
        ("GET", "/users/@me"),
        ("DELETE", f"/channels/{attic.id}/messages/1"),
    ):
        if how == "status":
            assert (await rest(method, path))[0] == 503
        else:
            with pytest.raises(aiohttp.ClientConnectionError):
                await rest(method, path)
    clock.move(31)
    assert (await rest("GET", "/users/@me"))[0] == 200


async def test_down_until_it_is_lifted(playground, rest):
    fault = playground.faults.add("down", side="rest")
    assert (await rest("GET", "/users/@me"))[0] == 503
    playground.faults.remove(fault["id"])
    assert (await rest("GET", "/users/@me"))[0] == 200


async def test_the_clock_moves_the_3_seconds_and_the_15_minutes(bot, playground, script):
    bot.gate.clear()
    interaction = await script.send("late")
    await bot.arrival()
    assert (await script.post("/faults", do="clock", by=3.5))["clock"] == 3.5
    assert "did not respond" in (await script.result(interaction))["failed"]
    bot.gate.set()
    assert await bot.refusal() == 10062

    bot.gate.clear()
    bot.reached.clear()
    interaction = await script.send("slow", private=False)
    await bot.arrival()
    await script.post("/faults", do="clock", by=901)
    bot.gate.set()
    assert await bot.refusal() == 50027
    assert "15 minutes" in (await script.result(interaction))["failed"]
    await script.post("/faults", do="clock", by=-904.5)
    assert (await script.get("/faults"))["clock"] == 0


async def test_who_waits_for_an_answer_hears_at_once_when_the_clock_has_moved_past_it(bot, playground, script):
    bot.gate.clear()
    interaction = await script.send("late")
    waiting = asyncio.create_task(script.result(interaction, wait=15))
    await bot.arrival()
    began = time.perf_counter()
    playground.faults.add("clock", by=5)
    assert "did not respond" in (await waiting)["failed"]
    assert time.perf_counter() - began < 2, "three true seconds need not pass"


async def test_a_request_that_was_not_answered_is_still_held_against_the_description(
    playground, rest, attic, violations
):
    if playground.rest._description is None:
        pytest.skip("Discord's description is not here")
    playground.faults.add("reset", route="POST *")
    with pytest.raises(aiohttp.ClientConnectionError):
        await rest("POST", f"/channels/{attic.id}/messages", {"content": "x", "nonsense": 1})
    assert any("nonsense" in each for each in violations())
