"""The fault that lets people press what is not there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Forge:
    """While it stands, clicks need no component behind them: any custom_id, disabled buttons, any values."""
