"""A file format from nothing: one match of Kuhn poker per line, such as ``QJ pass bet bet``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludoteca import InvalidGame, Match, game
from ludoteca.adapters.formats.format import Format
from ludoteca.errors import InvalidFile, LudotecaError
from ludoteca.play.match_tree import MatchTree
from ludoteca_kuhn import cards_of

__all__ = ["FORMAT"]


SEEDS = {cards_of(seed): seed for seed in reversed(range(100))}
"""For each deal a seed that deals it."""


def read(text: str) -> list[MatchTree]:
    """The matches, one per line. Raises InvalidFile with the line and the reason."""
    rules, trees = game("kuhn"), []
    for number, line in enumerate(text.splitlines(), start=1):
        cards, *names = line.split() or [""]
        try:
            if cards not in SEEDS:
                raise InvalidFile("{cards!r} are not two different cards out of J, Q, K", cards=cards)
            match = Match(rules, SEEDS[cards], [rules.parse_action(name) for name in names])
        except LudotecaError as error:
            raise InvalidFile("line {number}: {why}", number=number, why=error) from error
        trees.append(MatchTree.of(match.record()))
    return trees


def write(trees: Sequence[MatchTree]) -> str:
    """A line for each match. Raises InvalidGame for another game."""
    rules, lines = game("kuhn"), []
    for tree in trees:
        if tree.record.game != "kuhn":
            raise InvalidGame("only kuhn is written as lines, not {game}", game=tree.record.game)
        names = [rules.action_name(action) for action in tree.record.actions]
        lines.append(" ".join([cards_of(tree.record.seed), *names]) + "\n")
    return "".join(lines)


FORMAT = Format(
    "kuhn",
    (".kuhn",),
    looks_like=lambda text: re.match(r"[JQK][JQK](?=\s|$)", text) is not None,
    read=lambda text, _: read(text),
    write=lambda trees, _: write(trees),
)
