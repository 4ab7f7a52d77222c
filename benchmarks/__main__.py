"""`make bench`: every figure that docs/architecture.md promises, one benchmark after the other in a process of its own."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

HELPERS = {"bare_bot"}


def main() -> int:
    """Run all; the exit code is that of the worst."""
    worst = 0
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name in HELPERS or module.name.startswith("_"):
            continue
        sys.stdout.write(f"\n{module.name}\n")
        sys.stdout.flush()
        worst = max(worst, subprocess.run([sys.executable, "-m", f"benchmarks.{module.name}"], check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
