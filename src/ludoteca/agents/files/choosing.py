"""Which class of a file is the player, and why that one.

The same rules serve the loader, which knows the classes, and `outline`, which has only read the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ludoteca.agents.files.submission import Submission
from ludoteca.errors import InvalidAgent
from ludoteca.messages import Message, joined, say

__all__ = ["Candidate", "Choice", "choose"]

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


class Choice(NamedTuple):
    """The player of a file."""

    player: Candidate
    why: Message


def choose(classes: Sequence[Candidate], submission: Submission) -> Choice:
    """The class that is meant, of those in the file. Raises InvalidAgent, naming those that could be."""
    players = [each for each in classes if each.is_player]
    if submission.player:
        return _by_name(classes, players, submission)
    by_name = {each.name: each for each in players}
    if SMART in by_name:
        return Choice(by_name[SMART], say("it is called {name}", name=SMART))
    extended = {name for each in players for name in each.ancestors}
    last = [each for each in players if each.name not in extended]
    extending = [each for each in last if any("player" in name.lower() for name in each.ancestors)]
    serious = [each for each in last if not SPARRING.search(each.name)]
    if len(players) == 1:
        return Choice(players[0], say("it is the only player in the file"))
    if len(last) == 1:
        others = [each.name for each in players if each is not last[0]]
        return Choice(last[0], say("it extends {others}", others=others))
    if len(extending) == 1:
        return Choice(extending[0], say("it is the only one that extends Player"))
    if len(serious) == 1:
        others = [each.name for each in last if each is not serious[0]]
        return Choice(serious[0], say("it is the only one besides {others}", others=others))
    if not players:
        raise InvalidAgent(_none(classes, submission))
    raise InvalidAgent(
        say(
            "{path}: which of {names}? Say {typed}, or call one {smart}",
            path=submission.path,
            names=[each.name for each in last],
            typed=submission.typed((serious or last)[-1].name),
            smart=SMART,
        )
    )


def _by_name(classes: Iterable[Candidate], players: Sequence[Candidate], submission: Submission) -> Choice:
    chosen = next((each for each in classes if each.name == submission.player), None)
    if chosen is not None and chosen.is_player:
        return Choice(chosen, say("you named it"))
    if chosen is None:
        wrong = say("{path}: the class {name} is not there", path=submission.path, name=submission.player)
    elif chosen.abstract:
        wrong = say(
            "{path}: the class {name} is abstract, a base for players and none itself",
            path=submission.path,
            name=chosen.name,
        )
    else:
        wrong = say("{path}: the class {name} has no method play(board)", path=submission.path, name=chosen.name)
    names = [each.name for each in players]
    known = say("the players in it are {names}", names=names) if names else say("there are no players in it")
    raise InvalidAgent(joined([wrong, known], "; "))


def _none(classes: Iterable[Candidate], submission: Submission) -> Message:
    """Why no class of the file can play, and which comes nearest."""
    wrong: Message = say("{path}: no class in it has a method play(board) or act(view, limit)", path=submission.path)
    for each in classes:
        found = next((name for name in OTHER_METHODS if name in each.methods), "")
        if found:
            near = say("{name} has {found}, which is not called: its name must be play", name=each.name, found=found)
            return joined([wrong, near], "; ")
        if each.abstract and each.line:
            near = say("{name} (line {line}) leaves its method to a subclass", name=each.name, line=each.line)
            return joined([wrong, near], "; ")
    return wrong
