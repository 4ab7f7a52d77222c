"""The docs move with the code: a command, a setting or a dependency that nobody has written down fails here."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot.__main__ import app
from bot.settings import Settings
from tests.cogs.conftest import game, war_bot

__all__ = ["game", "war_bot"]

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


async def test_every_command_in_discord_is_in_the_readme(war_bot: Any) -> None:
    commands = [command for command in war_bot.tree.walk_commands() if isinstance(command, app_commands.Command)]
    assert len(commands) >= 8
    for command in commands:
        assert f"`/{command.qualified_name}" in README, command.qualified_name
        for parameter in command.parameters:
            documented = re.search(rf"`/{command.qualified_name}[^`]*\[{parameter.name}\]", README)
            assert documented, f"{command.qualified_name} {parameter.name}"


def test_every_command_of_the_command_line_is_in_the_readme() -> None:
    names = [command.name for command in app.registered_commands]
    assert "run" in names
    for name in names:
        assert f"`warbot {name}" in README, name


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_is_in_the_hosting_guide(name: str) -> None:
    assert f"| `{name.upper()}` |" in HOSTING


def test_every_dependency_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        name = re.split(r"[<>=\[]", requirement)[0]
        assert re.search(rf"^\| .*\b{re.escape(name)}\b", ARCHITECTURE, re.MULTILINE | re.IGNORECASE), name


@pytest.mark.parametrize("target", ["play", "test"])
def test_the_two_commands_that_do_all_the_set_up_exist(target: str) -> None:
    assert f"`make {target}`" in README or f"make {target}" in README
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}: setup", makefile, re.MULTILINE)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_the_lock_files_pin_by_hash_and_name_no_index(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "index-url" not in text
    assert "://" not in text
    for pin in re.findall(r"^[a-z][^\n]*==[^\n]*", text, re.MULTILINE):
        assert pin.rstrip().endswith("\\"), pin


def test_links_between_documents_lead_somewhere() -> None:
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path.name}: {target}"
