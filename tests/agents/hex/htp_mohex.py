"""A program that talks as MoHex does: its commands, its errors, its clock. It fills the board row by row.

``htp_mohex.py [--old] [--config=FILE]``: FILE holds commands; the old version reads only whole seconds. It imports
nothing of ours.
"""

from __future__ import annotations

import sys
import time

PARAMETERS = {
    "max_time": "10", "use_time_management": "0", "ponder": "0", "reuse_subtree": "1", "num_threads": "1",
    "max_games": "99999999", "max_memory": "2147483648", "use_parallel_solver": "0",
}  # fmt: skip
COMMANDS = [
    "all_legal_moves", "board_id", "boardsize", "clear_board", "final_score", "genmove", "known_command",
    "list_commands", "name", "param_game", "param_mohex", "play", "quit", "reg_genmove", "showboard", "time_left",
    "undo", "version",
]  # fmt: skip
COLOURS = {"b": "black", "black": "black", "w": "white", "white": "white"}


class Failure(Exception):
    """The text after the question mark."""


class MoHex:
    def __init__(self, old: bool) -> None:
        self.old = old
        self.size, self.swap, self.game_time = 11, False, 1800.0
        self.parameters = dict(PARAMETERS)
        self.new_game()

    def new_game(self) -> None:
        self.stones: dict[str, str] = {}
        self.moves = 0
        self.left = dict.fromkeys(("black", "white"), self.game_time)

    def answer(self, line: str) -> str:
        name, *words = line.split()
        if name not in COMMANDS:
            raise Failure(f"unknown command: {name}")
        return str(getattr(self, f"do_{name}")(words) or "")

    def do_list_commands(self, words: list[str]) -> str:
        return "\n".join(COMMANDS)

    def do_name(self, words: list[str]) -> str:
        return "MoHex"

    def do_boardsize(self, words: list[str]) -> None:
        at_most(words, 2)
        if not words:
            raise Failure("Must specify board dimensions!")
        self.size = whole(words, 0)
        self.new_game()

    def do_clear_board(self, words: list[str]) -> None:
        exactly(words, 0)
        self.new_game()

    def do_param_game(self, words: list[str]) -> str | None:
        if not words:
            return f"\n[bool] allow_swap {int(self.swap)}\n[string] game_time {self.game_time:g}"
        if len(words) != 2:
            raise Failure("Expected 0 or 2 arguments")
        if words[0] == "allow_swap":
            if words[1] not in ("0", "1"):
                raise Failure("argument 2 must be 0 or 1")
            self.swap = words[1] == "1"
        else:
            raise Failure(f"Unknown parameter: {words[0]}")
        return None

    def do_param_mohex(self, words: list[str]) -> str | None:
        if not words:
            return "\n" + "\n".join(f"[string] {name} {value}" for name, value in self.parameters.items())
        if len(words) != 2:
            raise Failure("Expected 0 or 2 arguments")
        if words[0] not in self.parameters:
            raise Failure(f"Unknown parameter: {words[0]}")
        self.parameters[words[0]] = words[1]
        return None

    def do_time_left(self, words: list[str]) -> str | None:
        at_most(words, 2)
        if len(words) < 2:
            return " ".join(f"{self.left[each]:g}" for each in ([colour(words, 0)] if words else self.left))
        self.left[colour(words, 0)] = float(whole(words, 1)) if self.old else decimal(words, 1)
        return None

    def do_play(self, words: list[str]) -> None:
        exactly(words, 2)
        self.play(colour(words, 0), words[1].lower())

    def play(self, seat: str, cell: str) -> None:
        if cell == "resign":
            return
        if cell == "swap-pieces":
            if not self.swap or self.moves != 1:
                raise Failure(f"illegal move:  {seat} swap-pieces (invalid)")
            ((first, _),) = self.stones.items()
            mirrored = f"{chr(ord('a') + int(first[1:]) - 1)}{ord(first[0]) - ord('a') + 1}"
            self.stones = {mirrored: seat}
        elif cell not in self.cells():
            raise Failure(f"illegal move:  {seat} {cell} (invalid)")
        elif cell in self.stones:
            raise Failure(f"illegal move:  {seat} {cell} (occupied)")
        else:
            self.stones[cell] = seat
        self.moves += 1

    def cells(self) -> list[str]:
        return [f"{chr(ord('a') + column)}{row + 1}" for row in range(self.size) for column in range(self.size)]

    def do_genmove(self, words: list[str]) -> str:
        exactly(words, 1)
        seat = colour(words, 0)
        free = [cell for cell in self.cells() if cell not in self.stones]
        if self.swap and self.moves == 1 and seat == "white":
            move = "swap-pieces"
        elif len(free) <= self.size:  # it sees that it has lost
            return "resign"
        else:
            managed = self.parameters["use_time_management"] == "1"
            seconds = self.left[seat] * 0.12 if managed else float(self.parameters["max_time"])
            time.sleep(seconds)
            self.left[seat] -= seconds
            move = free[0]
        self.play(seat, move)
        return move


def exactly(words: list[str], count: int) -> None:
    if len(words) != count:
        raise Failure(
            {0: "no arguments allowed", 1: "command needs one argument"}.get(count, f"command needs {count} arguments")
        )


def at_most(words: list[str], count: int) -> None:
    if len(words) > count:
        raise Failure(f"command needs at most {count} arguments")


def colour(words: list[str], index: int) -> str:
    try:
        return COLOURS[words[index].lower()]
    except KeyError:
        raise Failure(f"argument {index + 1} must be color") from None


def whole(words: list[str], index: int) -> int:
    try:
        return int(words[index])
    except ValueError:
        raise Failure(f"argument {index + 1} must be a number") from None


def decimal(words: list[str], index: int) -> float:
    try:
        return float(words[index])
    except ValueError:
        raise Failure(f"argument {index + 1} must be a float") from None


def main(arguments: list[str]) -> None:
    mohex = MoHex("--old" in arguments)
    for argument in arguments:
        if argument.startswith("--config="):
            with open(argument.partition("=")[2]) as config:
                for line in filter(str.strip, config):
                    mohex.answer(line)
    for line in sys.stdin:
        if line.strip():
            try:
                print(f"= {mohex.answer(line)}\n", flush=True)
            except Failure as failure:
                print(f"? {failure}\n", flush=True)
            if line.strip() == "quit":
                return


main(sys.argv[1:])
