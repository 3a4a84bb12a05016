"""A class that may be a player, and the rules by which one is preferred to others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ludoteca.messages import Message, say

SMART = "SmartPlayer"
"""The class that the course asks for."""
SPARRING = re.compile(r"(random|human|dummy|manual|aleatori|humano|console|test|mock)", re.IGNORECASE)
"""A class with such a word in its name was written to be played against."""
OTHER_METHODS = ("get_move", "make_move", "choose_move", "best_move", "move", "jugar", "next_move")
"""Names of the method in other programs; they are not called here."""


@dataclass(frozen=True)
class Candidate:
    """A class of the file, with what the choice depends on."""

    name: str
    methods: frozenset[str]
    """Its own and inherited ones, without those that a subclass must override."""
    ancestors: frozenset[str] = frozenset()
    """The names of the classes that it extends, directly or not."""
    abstract: bool = False
    line: int = 0
    takes_board: bool = True
    """Whether its method can be given something: the ``play()`` of a game's main loop cannot."""
    file: Path | None = None
    """Where it is written, if it was looked for in a folder."""

    @property
    def plays_course(self) -> bool:
        """Whether it is a course's player."""
        return "play" in self.methods

    @property
    def is_agent(self) -> bool:
        """Whether it is an agent as our games define them."""
        return not self.plays_course and not self.methods.isdisjoint(("act", "think"))

    @property
    def is_player(self) -> bool:
        """Whether it can play at all."""
        return not self.abstract and (self.plays_course or self.is_agent)


def last_ones(players: Sequence[Candidate]) -> list[Candidate]:
    """Those that no other one extends."""
    extended = {name for each in players for name in each.ancestors}
    return [each for each in players if each.name not in extended]


def serious_ones(players: Sequence[Candidate]) -> list[Candidate]:
    """Those whose names do not say that they were written to be played against."""
    return [each for each in players if not SPARRING.search(each.name)]


def preferred(players: Sequence[Candidate]) -> tuple[Candidate, Message] | None:
    """The player that is meant, of several, and why; None where the rules leave more than one, or none."""
    smart = [each for each in players if each.name == SMART]
    if len(smart) == 1:
        return smart[0], say("it is called {name}", name=SMART)
    if len(players) == 1:
        return players[0], say("it is the only player in the file")
    last = last_ones(players)
    if len(last) == 1:
        return last[0], say("it extends {others}", others=[each.name for each in players if each is not last[0]])
    extending = [each for each in last if any("player" in name.lower() for name in each.ancestors)]
    if len(extending) == 1:
        return extending[0], say("it is the only one that extends Player")
    serious = serious_ones(last)
    if len(serious) == 1:
        others = [each.name for each in last if each is not serious[0]]
        return serious[0], say("it is the only one besides {others}", others=others)
    return None
