"""Courses for tests, with as little said as possible."""

from __future__ import annotations

from pathlib import Path

FIRST = """
from player import Player

class Mine(Player):
    def play(self, board):
        return board.get_possible_moves()[0]
"""
LAST = FIRST.replace("[0]", "[-1]")
GOOD = """
from player import Player

class Mine(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        for player in (self.player_id, 3 - self.player_id):
            for move in moves:
                trial = board.clone()
                trial.place_piece(*move, player)
                if trial.check_connection(player):
                    return move
        return min(moves, key=lambda move: abs(move[0] - 1) + abs(move[1] - 1))
"""
TOML = """
title = "Test"
game = "hex"
time = 20.0
packages = ["numpy"]
[options]
size = 3
"""


def course(folder: Path, toml: str = TOML, **submissions: str) -> Path:
    """A folder with a course and these submissions, each a folder with its solution."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "course.toml").write_text(toml, encoding="utf-8")
    for name, text in submissions.items():
        hand_in(folder, name, text)
    return folder


def hand_in(folder: Path, name: str, text: str) -> None:
    """A submission, for the first time or again."""
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "solution.py").write_text(text, encoding="utf-8")
