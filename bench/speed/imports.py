"""How long a stranger waits before anything happens: ``python -m bench.speed.imports [ROUNDS]``.

CPU time of a fresh process each, the best of the rounds, beside Python itself and its own parser of arguments. A busy
machine changes little of it; the files are in the system's memory from the second round on.
"""

from __future__ import annotations

import os
import subprocess
import sys

WHAT = {
    "Python itself": ("-c", "pass", None),
    "`import argparse`": ("-c", "import argparse", None),
    "`import numpy`": ("-c", "import numpy", None),
    "`import ludoteca`": ("-c", "import ludoteca", 150),
    "`ludoteca --help`": ("-m", "ludoteca.cli --help", 300),
    "`ludoteca --version`": ("-m", "ludoteca.cli --version", None),
    "`ludoteca games`": ("-m", "ludoteca.cli games", None),
    "a deal of Hex, as text": (
        "-c", "import ludoteca; g = ludoteca.game('hex'); g.text(g.deal(seed=1).view(0))", None,
    ),
    "`ludoteca.series`, ready to play": ("-c", "import ludoteca; ludoteca.series", None),
}  # fmt: skip
"""What is measured, how, and what it may take in milliseconds."""


def milliseconds(kind: str, what: str) -> float:
    """CPU time of a process, in the kernel too."""
    words = what.split() if kind == "-m" else [what]
    child = subprocess.Popen([sys.executable, kind, *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{what!r} ended with status {child.returncode}")
    return 1000 * (used.ru_utime + used.ru_stime)


def main(rounds: int) -> None:
    best = dict.fromkeys(WHAT, float("inf"))
    for _ in range(rounds):  # in turns, so that a busy minute slows all of them
        for name, (kind, what, _) in WHAT.items():
            best[name] = min(best[name], milliseconds(kind, what))
    print("| what | CPU time | allowed |\n|---|---:|---:|")
    for name, (_, _, allowed) in WHAT.items():
        print(f"| {name} | {best[name]:.0f} ms | {f'{allowed} ms' if allowed else ''} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
