"""Run as a script: `tether.py PARENT-PID COMMAND...` becomes COMMAND, and dies when its parent does.

The kernel is asked (Linux, PR_SET_PDEATHSIG, kept over exec) to kill this process once the parent
is gone, so that even a playground that was killed leaves no bot behind.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent = int(sys.argv[1])
    command = sys.argv[2:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the kernel was asked
        sys.exit(1)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"The bot cannot be run: {command[0]}: {error.strerror}.")


if __name__ == "__main__":
    main()
