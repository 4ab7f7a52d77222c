"""Settings of the bot, from the environment and a `.env` file; see `.env.example` for what each is for."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsError(Exception):
    """A setting is missing or makes no sense; the text says which and what to do."""


class Settings(BaseSettings):
    """Frozen; the token is a `SecretStr`, so that it shows in no repr and no log."""

    # A setting that is there but empty is not set: compose files and the example file have such lines.
    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    discord_token: SecretStr
    """The bot's token. The only setting that must be given."""

    database_url: str = "sqlite:///warbot.db"
    """Where matches and standings live: `sqlite:///relative/path` or `sqlite:////absolute/path`."""

    discord_api_url: str = ""
    """Base address of another server that speaks Discord's API; empty means Discord."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much the bot says on stderr."""

    turn_seconds: float = Field(default=45, ge=1, le=3600)
    """How long a table waits when nobody has pressed."""

    nudge_seconds: float = Field(default=10, ge=1, le=3600)
    """How long the others have once one player has pressed."""

    challenge_seconds: float = Field(default=900, ge=10, le=86_400)
    """How long a challenge stays open."""

    @field_validator("discord_token")
    @classmethod
    def _token_is_given(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value().strip()
        if not token:
            raise ValueError("it is empty")
        if any(character.isspace() for character in token):
            raise ValueError("it has a space in it")
        return SecretStr(token)

    @field_validator("discord_api_url")
    @classmethod
    def _api_url_is_http(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("it must begin with http:// or https://")
        return value.rstrip("/")


def load(env_file: str | None = ".env") -> Settings:
    """The settings of this process. Raises `SettingsError` with one sentence for the first that is wrong."""
    try:
        return Settings(_env_file=env_file)  # pyright: ignore[reportCallIssue] - the required ones come from outside
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(_unreadable(error)) from error


class _DatabaseSettings(BaseSettings):
    """What `check` needs: it runs without a token."""

    model_config = Settings.model_config
    database_url: str = Settings.model_fields["database_url"].default


def database_url() -> str:
    """The database's address alone. Raises `SettingsError` when `.env` cannot be read."""
    try:
        return _DatabaseSettings().database_url
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(_unreadable(error)) from error


def _unreadable(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return f"The file .env cannot be read: {error.strerror}."
    return "The file .env is not UTF-8 text. Save it again as UTF-8."


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    name = str(first["loc"][0]).upper() if first["loc"] else "A setting"
    if first["type"] == "missing":
        return f"{name} is not set. Put a line {name}=... into the file .env (copy .env.example) or the environment."
    return f"{name} cannot be used: {first['msg'].removeprefix('Value error, ')}. See .env.example."
