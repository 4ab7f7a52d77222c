"""Who may talk to the server."""

import aiohttp
import pytest

from playground.guards import host_is_loopback, origin_is_own


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1:8470", True),
        ("localhost:9000", True),
        ("LOCALHOST", True),
        ("[::1]:80", True),
        ("[::1]", True),
        ("evil.example:8470", False),
        ("127.0.0.1.evil.example", False),
        ("localhost:80:80", False),
        ("localhost:x", False),
        ("", False),
    ],
)
def test_only_names_of_this_machine_are_hosts(host, ours):
    assert host_is_loopback(host) is ours


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        (None, True),
        ("http://127.0.0.1:8470", True),
        ("http://127.0.0.1:9999", False),
        ("https://evil.example", False),
        ("null", False),
        ("file://127.0.0.1:8470", False),
    ],
)
def test_only_the_servers_own_page_is_an_origin(origin, own):
    assert origin_is_own(origin, "127.0.0.1:8470") is own


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/playground/users"),
        ("GET", "/playground/world"),
        ("GET", "/gateway"),
        ("GET", "/api/v10/gateway"),
    ],
)
async def test_a_foreign_page_is_refused_everywhere(playground, headers, method, path):
    async with (
        aiohttp.ClientSession(playground.url) as session,
        session.request(method, path, headers=headers) as response,
    ):
        assert response.status == 403
        assert "answers only" in (await response.json())["error"]


async def test_the_server_listens_on_loopback_alone(playground):
    addresses = [name[0] for name in playground._runner.addresses]
    assert addresses == ["127.0.0.1"]
