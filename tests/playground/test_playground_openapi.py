"""What passes is held against Discord's OpenAPI description, where it is to be found."""

import json

import pytest

from playground.openapi import BESIDE, Description

pytestmark = pytest.mark.skipif(
    Description.load() is None, reason="Discord's OpenAPI description is not here (WARBOT_OPENAPI names it)"
)


@pytest.fixture
def attic(playground):
    return playground.world.channel_named("attic")


def taken(playground):
    found = list(playground.violations)
    playground.violations.clear()
    return found


async def test_a_field_that_discord_does_not_know_is_found(playground, rest, attic):
    status, _ = await rest("POST", f"/channels/{attic.id}/messages", content="x", colour="red")
    (violation,) = taken(playground)
    assert status == 200
    assert (violation.operation, violation.side) == ("create_message", "request")
    assert "'colour' was unexpected" in violation.detail


async def test_a_fault_deep_in_the_components_is_found_where_it_is(playground, rest, attic):
    button = {"type": 2, "style": 77, "label": "x", "custom_id": "a"}
    await rest(
        "POST",
        f"/channels/{attic.id}/messages",
        content="x",
        components=[{"type": 1, "components": [button]}],
    )
    details = [violation.detail for violation in taken(playground) if violation.side == "request"]
    assert details
    assert all(detail.startswith("components/0/components/0/style: 77") for detail in details), details


async def test_an_unknown_query_is_found(playground, rest, attic):
    await rest("GET", f"/channels/{attic.id}/messages?limits=5")
    (violation,) = taken(playground)
    assert violation.detail == "unknown query 'limits'"


async def test_an_operation_that_discord_has_not_is_found(playground, rest):
    await rest("GET", "/channels/everything")
    await rest("GET", "/everything")
    assert [v.detail for v in taken(playground)] == ["no such operation in the description"]


def test_a_wrong_answer_is_found():
    description = Description.load()
    found = description.check("GET", "/users/@me", {}, None, 200, {"id": "1"})
    assert {violation.side for violation in found} == {"answer"}
    assert any('"username" is a required property' in violation.detail for violation in found)
    (violation,) = description.check("GET", "/users/@me", {}, None, 302, None)
    assert violation.detail == "status 302 is not in the description"
    assert description.check("GET", "/users/@me", {}, None, 502, None) == []


@pytest.mark.parametrize(
    ("method", "path", "body", "forgiven"),
    [
        ("PUT", "/applications/1/commands", [{"name": "a", "description": "a", "nsfw": False}], True),
        ("PATCH", "/channels/1/messages/1", {"content": "x", "tts": False}, True),
        ("POST", "/channels/1/messages", {"attachments": [{"id": 0, "filename": "x"}]}, True),
        ("POST", "/channels/1/messages", {"content": "x", "allowed_mentions": {"users": [5]}}, True),
        ("POST", "/channels/1/messages", {"content": "x", "message_reference": {"message_id": 5}}, True),
        ("POST", "/channels/1/messages", {"content": "x", "nsfw": False}, False),
        ("POST", "/channels/1/messages", {"content": "x", "allowed_mentions": {"users": ["x"]}}, False),
        ("POST", "/channels/1/messages", {"attachments": [{"id": "x", "filename": 5}]}, False),
    ],
)
def test_discord_pys_own_oddities_and_no_others_are_forgiven(method, path, body, forgiven):
    found = Description.load().check(method, path, {}, body, 500, None)
    assert (found == []) is forgiven, found


def test_without_the_file_nothing_is_checked(monkeypatch, tmp_path):
    monkeypatch.setenv("WARBOT_OPENAPI", str(tmp_path / "nowhere.json"))
    assert Description.load() is None


def test_the_environment_names_the_file(monkeypatch, tmp_path):
    path = tmp_path / "small.json"
    document = {
        "paths": {"/a/{b}": {"get": {"operationId": "get_a", "responses": {"200": {"description": ""}}}}},
        "components": {"schemas": {}},
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setenv("WARBOT_OPENAPI", str(path))
    description = Description.load()
    assert description.check("GET", "/a/1", {}, None, 200, None) == []
    assert len(description.check("GET", "/users/@me", {}, None, 200, None)) == 1
    assert path != BESIDE


async def test_the_permissions_of_a_command_come_back_as_text(playground, rest):
    """discord.py sends a number."""
    commands = [{"name": "stop", "description": "Stops", "type": 1, "default_member_permissions": 32}]
    path = f"/applications/{playground.world.bot.id}/commands"
    status, body = await rest("PUT", path, commands)
    assert (status, body[0]["default_member_permissions"]) == (200, "32")
    assert (await rest("PUT", path, commands))[1] == body, "the same again is no change"
