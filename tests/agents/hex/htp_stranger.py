"""A small program that speaks HTP, or does not: ``htp_stranger.py HOW``. It imports nothing of ours."""

from __future__ import annotations

import os
import sys
import time


def main(how: str, counter: str = "") -> None:
    size = 11
    stones: set[str] = set()
    for line in sys.stdin:
        name, *words = line.split()
        said = "="
        if name == "list_commands":
            said = "= genmove\nplay" + ("\ntime_left" if how == "clocked" else "")
            if how == "reticent":
                said = "? unknown command"
        elif name == "known_command":
            said = f"= {'true' if words[0] == 'time_left' else 'false'}"
        elif name == "boardsize":
            size = int(words[0])
            if how == "square" and len(words) == 1:
                said = "? say it twice"
        elif name == "clear_board":
            stones = set()
        elif name == "play":
            if words[1] in stones or how == "stubborn":
                said = f"? I do not like {words[1]}"
            stones.add(words[1])
        elif name == "time_left":
            print(f"{words[1]} seconds for {words[2]}", file=sys.stderr, flush=True)
        elif name == "genmove":
            said = genmove(how, counter, size, stones)
        print(f"{said}\n", flush=True)


def genmove(how: str, counter: str, size: int, stones: set[str]) -> str:
    if (how == "mortal" and (born(counter) <= 2)) or how == "dying":
        print("out of  luck", file=sys.stderr, flush=True)
        os._exit(3)
    if how == "hanging":
        time.sleep(1000)
    if how == "late":
        time.sleep(0.05)
    if how == "hungry":
        bytearray(256 << 20)
    if how == "endless":
        while True:
            print("x" * 10_000, flush=True)
    if how in ANSWERS:
        return ANSWERS[how]
    if how == "swapping" and len(stones) == 1:
        return "= swap-pieces"
    cell = next(
        f"{chr(ord('a') + column)}{row + 1}"
        for row in range(size)
        for column in range(size)
        if f"{chr(ord('a') + column)}{row + 1}" not in stones
    )
    stones.add(cell)
    return f"= {cell.upper()}"


ANSWERS = {
    "silly": "hello", "elsewhere": "= z99", "wordy": "= I play b2", "resigning": "= resign", "taking": "= a1",
    "passing": "= pass", "silent": "=",
}  # fmt: skip


def born(counter: str) -> int:
    """How many times it has been asked to move, over all its lives."""
    with open(counter, "a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())


main(*sys.argv[1:])
