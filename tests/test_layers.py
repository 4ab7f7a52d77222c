"""Who may import whom: cogs -> bot -> db -> engine; the playground stands alone."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = ("engine", "db", "bot", "cogs", "playground")

MAY_LOAD = {
    "engine": {"engine"},
    "db": {"db", "engine"},
    "bot": {"bot", "db", "engine"},
    "cogs": {"cogs", "bot", "db", "engine"},
    "playground": {"playground"},
}
"""The command line starts the playground: bot.__main__ alone may load it too, when it is asked to."""


def modules_of(package: str) -> list[str]:
    names = [package]
    for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
        names.append(module.name)
    return names


def loaded_by(names: list[str]) -> set[str]:
    """Top-level names in sys.modules of a fresh interpreter that has imported these."""
    code = (
        "import importlib, json, sys; before = set(sys.modules)\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("package", OURS)
def test_each_package_loads_only_the_layers_below_it(package: str) -> None:
    names = [name for name in modules_of(package) if name != "bot.__main__"]
    assert loaded_by(names) & set(OURS) <= MAY_LOAD[package]


def test_the_command_line_loads_neither_discord_nor_the_playground_before_it_is_asked_to() -> None:
    loaded = loaded_by(["bot.__main__"])
    assert loaded & set(OURS) == {"bot", "db", "engine"}
    assert "discord" not in loaded


def test_the_engine_needs_the_standard_library_only() -> None:
    others = loaded_by(modules_of("engine")) - {"engine"} - set(sys.stdlib_module_names)
    assert others == set()


@pytest.mark.parametrize("names", [modules_of("db"), ["bot.host"], ["bot.telling", "bot.names", "bot.i18n"]], ids=str)
def test_storage_host_and_telling_know_nothing_of_discord(names: list[str]) -> None:
    assert "discord" not in loaded_by(names)
