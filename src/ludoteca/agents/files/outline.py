"""What a file's text says of its player. Nothing of it runs."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ludoteca.agents.files.choosing import Choice, choose
from ludoteca.agents.files.classes import Body, candidate, classes, lineage, methods
from ludoteca.agents.files.submission import Submission


@dataclass(frozen=True)
class Outline:
    """A player as its text shows it."""

    choice: Choice
    constructor: str
    """The parameters of its constructor, as they are written; empty where it writes none itself."""
    method: str
    """``play(board, seconds)``, as it is written."""
    line: int
    """Where the class stands."""


def games(submission: Submission) -> frozenset[str] | None:
    """The games that the player of a file plays, as far as its text shows; None for all.

    A course's player plays Hex; any other agent, and a file whose game is unknown before it runs, may play any.
    """
    candidates = [candidate(each, known) for each, known in classes(submission.places)]
    if any(each.is_agent for each in candidates) or not any("play" in each.methods for each in candidates):
        return None
    return frozenset({"hex"})


def outline(submission: Submission) -> Outline:
    """The player of a file. Raises InvalidAgent where its text shows none; it may still have one when it runs."""
    found = [*classes(submission.places)]
    choice = choose([candidate(each, known) for each, known in found], submission)
    body, known = next((each, known) for each, known in found if each.name == choice.player.name)
    line = lineage(body, known)
    asked = "play" if choice.player.plays_course else "act" if "act" in choice.player.methods else "think"
    return Outline(choice, _signature(line, "__init__"), asked + _signature(line, asked), body.lineno)


def _signature(line: list[Body], name: str) -> str:
    for each in line:
        if (method := methods(each).get(name)) is not None:
            rest = [*method.args.posonlyargs, *method.args.args][1:]
            shown = ast.arguments(
                [], rest, method.args.vararg, method.args.kwonlyargs,
                method.args.kw_defaults, method.args.kwarg, method.args.defaults,
            )  # fmt: skip
            return f"({ast.unparse(shown)})"
    return ""
