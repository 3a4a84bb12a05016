"""Which class of a file is the player, and why that one.

The same rules serve the loader, which knows the classes, and `outline`, which has only read the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ludoteca.agents.files.candidate import OTHER_METHODS, SMART, Candidate, last_ones, preferred, serious_ones
from ludoteca.agents.files.submission import Submission
from ludoteca.errors import InvalidAgent
from ludoteca.messages import Message, joined, say


class Choice(NamedTuple):
    """The player of a file."""

    player: Candidate
    why: Message


def choose(classes: Sequence[Candidate], submission: Submission) -> Choice:
    """The class that is meant, of those in the file. Raises InvalidAgent, naming those that could be."""
    players = [each for each in classes if each.is_player]
    if submission.player:
        return _by_name(classes, players, submission.player, submission, say("you named it"))
    if submission.found is not None:
        return _by_name(classes, players, submission.found.player, submission, submission.found.why)
    players = [each for each in players if each.takes_board] or players
    chosen = preferred(players)
    if chosen is not None:
        return Choice(*chosen)
    if not players:
        raise InvalidAgent(_none(classes, submission))
    last = last_ones(players)
    raise InvalidAgent(
        "{path}: which of {names}? Say {typed}, or call one {smart}",
        path=submission.path,
        names=[each.name for each in last],
        typed=submission.typed((serious_ones(last) or last)[-1].name),
        smart=SMART,
    )


def _by_name(
    classes: Iterable[Candidate], players: Sequence[Candidate], name: str, submission: Submission, why: Message
) -> Choice:
    chosen = next((each for each in classes if each.name == name), None)
    if chosen is not None and chosen.is_player:
        return Choice(chosen, why)
    if chosen is None:
        wrong = say("{path}: the class {name} is not there", path=submission.path, name=name)
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
