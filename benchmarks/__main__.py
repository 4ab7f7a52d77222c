"""`make bench`: every figure that is promised, one benchmark after the other, each in a process of its own."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

APART = {"bare_bot", "contact_sheet", "odds", "rarity"}
"""Parts of others, and what derives the tables that the engine holds: minutes long, run by hand."""


def main() -> int:
    """Run all; the exit code is that of the worst."""
    worst = 0
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name in APART or module.name.startswith("_"):
            continue
        sys.stdout.write(f"\n{module.name}\n")
        sys.stdout.flush()
        worst = max(worst, subprocess.run([sys.executable, "-m", f"benchmarks.{module.name}"], check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
