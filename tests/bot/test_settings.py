"""Settings: from the environment and .env, checked, described in .env.example, and never showing the token."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot import settings as settings_module
from bot.settings import Settings, SettingsError, database_url, load

EXAMPLE = (Path(__file__).parents[2] / ".env.example").read_text(encoding="utf-8")
TOKEN = "AbC.dEf-GhI_jkl"
NAMES = [name.upper() for name in Settings.model_fields]


@pytest.fixture(autouse=True)
def _nothing_set(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def write(text: str | bytes) -> None:
    Path(".env").write_bytes(text if isinstance(text, bytes) else text.encode())


def refused(text: str = "") -> str:
    """The sentence with which these settings are refused."""
    write(f"DISCORD_TOKEN={TOKEN}\n{text}" if "DISCORD_TOKEN" not in text else text)
    with pytest.raises(SettingsError) as caught:
        load()
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_the_example_names_every_setting_and_no_other() -> None:
    named = re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.MULTILINE)
    assert sorted(named) == sorted(NAMES)


def test_the_example_shows_the_defaults() -> None:
    for name, value in re.findall(r"^#([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE):
        default = Settings.model_fields[name.lower()].default
        assert type(default)(value) == default, name


def test_exactly_one_setting_is_required_and_it_is_the_only_line_that_is_no_comment() -> None:
    required = [name.upper() for name, field in Settings.model_fields.items() if field.is_required()]
    assert required == ["DISCORD_TOKEN"]
    assert re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE) == required


def test_the_example_as_it_stands_asks_for_the_token() -> None:
    assert refused(EXAMPLE).startswith("DISCORD_TOKEN is not set. Put a line DISCORD_TOKEN=... into the file .env")


def test_the_example_with_a_token_is_the_default_settings() -> None:
    write(EXAMPLE.replace("DISCORD_TOKEN=", f"DISCORD_TOKEN={TOKEN}"))
    settings = load()
    assert settings == Settings(discord_token=settings.discord_token, _env_file=None)
    assert settings.discord_token.get_secret_value() == TOKEN


def test_the_token_shows_in_no_text() -> None:
    write(f"DISCORD_TOKEN={TOKEN}")
    settings = load()
    for text in (repr(settings), str(settings), str(settings.model_dump()), settings.model_dump_json(), f"{settings}"):
        assert TOKEN not in text


@pytest.mark.parametrize("token", [f"'{TOKEN} {TOKEN}'", f'"{TOKEN}\\n{TOKEN}"'])
def test_a_token_that_is_refused_shows_in_no_text(token: str) -> None:
    sentence = refused(f"DISCORD_TOKEN={token}")
    assert sentence.startswith("DISCORD_TOKEN cannot be used: it has a space in it")
    assert TOKEN not in sentence


def test_spaces_around_the_token_do_not_matter() -> None:
    write(f"DISCORD_TOKEN='  {TOKEN} '")
    assert load().discord_token.get_secret_value() == TOKEN


@pytest.mark.parametrize("text", ["", "DISCORD_TOKEN=", "DISCORD_TOKEN='  '"])
def test_without_a_token_the_sentence_says_what_to_do(text: str) -> None:
    write(text)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN .*\.env"):
        load()


def test_the_environment_goes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write(f"DISCORD_TOKEN={TOKEN}\nTURN_SECONDS=20")
    monkeypatch.setenv("TURN_SECONDS", "30")
    assert load().turn_seconds == 30


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    write(f"DISCORD_TOKEN={TOKEN}\nTURN_SECONDS=\nDATABASE_URL=")
    monkeypatch.setenv("DISCORD_TOKEN", "")
    settings = load()
    assert (settings.turn_seconds, settings.database_url) == (45, "sqlite:///warbot.db")
    assert settings.discord_token.get_secret_value() == TOKEN


@pytest.mark.parametrize(
    "line",
    [
        "TURN_SECONDS=soon",
        "TURN_SECONDS=0",
        "TURN_SECONDS=-5",
        "TURN_SECONDS=nan",
        "TURN_SECONDS=inf",
        "NUDGE_SECONDS=99999",
        "CHALLENGE_SECONDS=1",
        "LOG_LEVEL=loud",
        "DISCORD_API_URL=ftp://example.org",
        "DISCORD_API_URL=localhost:8470",
    ],
)
def test_a_value_that_makes_no_sense_is_named(line: str) -> None:
    assert refused(line).startswith(f"{line.partition('=')[0]} cannot be used: ")


def test_a_file_that_is_no_utf_8_is_named() -> None:
    write(f"DISCORD_TOKEN={TOKEN}".encode("utf-16"))
    for read in (load, database_url):
        with pytest.raises(SettingsError, match=r"^The file \.env is not UTF-8"):
            read()


def test_settings_cannot_be_changed() -> None:
    write(f"DISCORD_TOKEN={TOKEN}")
    with pytest.raises(ValueError, match="frozen"):
        load().turn_seconds = 1


def test_the_address_of_the_database_needs_no_token() -> None:
    assert database_url() == "sqlite:///warbot.db"
    write("DATABASE_URL=sqlite:///other.db\nSOMETHING_ELSE=1")
    assert database_url() == "sqlite:///other.db"


def test_a_slash_at_the_end_of_the_api_address_does_not_matter() -> None:
    write(f"DISCORD_TOKEN={TOKEN}\nDISCORD_API_URL=http://127.0.0.1:8470/")
    assert load().discord_api_url == "http://127.0.0.1:8470"


def test_the_module_reads_nothing_when_it_is_imported() -> None:
    assert not any(isinstance(value, Settings) for value in vars(settings_module).values())
