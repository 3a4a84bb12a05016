"""A match with comments and variations, as SGF files hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludoteca.play.record import Record
from ludoteca.protocols import Action


@dataclass(frozen=True)
class Step:
    """One action of a tree."""

    before: int
    """The index, among the tree's steps, of the action before it; -1 for the first action."""
    action: Action
    comment: str = ""


@dataclass(frozen=True)
class MatchTree:
    """A record whose actions have comments and variations.

    Of the steps after the same one, the first belongs to the main line, which is the record; the others begin
    variations. A step comes after the one before it.

    >>> from ludoteca import Match
    >>> tree = MatchTree.of(Match.of_spec("hex:size=3", 0, [4, 0, 8]).record(), variations={1: [(2, 6)]})
    >>> [[step.action for step in line] for line in tree.lines()]
    [[4, 0, 8], [4, 2, 6]]
    """

    record: Record
    steps: tuple[Step, ...]
    comment: str = ""
    """A comment on the whole match."""

    @classmethod
    def of(
        cls,
        record: Record,
        comments: Mapping[int, str] | None = None,
        variations: Mapping[int, Sequence[Sequence[Action]]] | None = None,
        comment: str = "",
    ) -> MatchTree:
        """The tree of a record.

        comments: by ply. variations: by ply, the lines that could have been played instead from there on.
        """
        said, others = comments or {}, variations or {}
        steps = [Step(ply - 1, action, said.get(ply, "")) for ply, action in enumerate(record.actions)]
        for ply, lines in others.items():
            for line in lines:
                before = ply - 1
                for action in line:
                    steps.append(Step(before, action))
                    before = len(steps) - 1
        return cls(record, tuple(steps), comment)

    @property
    def variations(self) -> int:
        """How many steps begin a variation."""
        return len(self.steps) - len({step.before for step in self.steps})

    def following(self) -> dict[int, list[int]]:
        """By the index of a step, or -1 for the start, the indexes of the steps after it, the main line first."""
        found: dict[int, list[int]] = {}
        for place, step in enumerate(self.steps):
            found.setdefault(step.before, []).append(place)
        return found

    def main(self) -> list[Step]:
        """The steps of the main line."""
        return next(iter(self.lines()), [])

    def lines(self) -> Iterator[list[Step]]:
        """Every line from start to end, the main line first; lines of one variation follow each other."""
        following = self.following()
        waiting = list(reversed(following.get(-1, [])))
        while waiting:
            place = waiting.pop()
            if after := following.get(place):
                waiting += reversed(after)
            else:
                yield self._line(place)

    def _line(self, place: int) -> list[Step]:
        line = []
        while place >= 0:
            line.append(self.steps[place])
            place = line[-1].before
        return line[::-1]
