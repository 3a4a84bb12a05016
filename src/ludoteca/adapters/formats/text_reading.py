"""Reads matches as text; `text` describes the format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ludoteca.adapters.formats.format import after_white
from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidFile, LudotecaError
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Record, Who, clean_nickname
from ludoteca.players.faults import Ending, Fault

RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
"""By the score of seat 0."""
HEADER = re.compile(r'[ \t]*\[[ \t]*([A-Za-z]\w*)[ \t]+"([^"\\\n]*(?:\\.[^"\\\n]*)*)"[ \t]*\][ \t]*(?=\r?\n|\Z)')
NUMBER = re.compile(r"(\d{1,6})(\.\.\.|\.)\s*")
RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)(?=\s|\Z)")
BETWEEN = re.compile(r"(?<!\s)\s++(?=\d+\.|\{|\[|(?:1-0|0-1|1/2-1/2|\*)(?:\s|\Z))")
"""What ends the name of an action: white space before a number, a comment, a header or the result."""
COMMENT = re.compile(r"\{([^}\\]*(?:\\.[^}\\]*)*)\}", re.DOTALL)
MOST = 2**63


def read(text: str) -> list[Record]:
    """The records of a text, without their comments. Raises InvalidFile, with the line and the reason."""
    return [tree.record for tree in read_trees(text)]


def read_trees(text: str) -> list[MatchTree]:
    """The matches with comments; the format has no variations."""
    trees, at = [], after_white(text, 0)
    while at < len(text):
        found = _Found(text, at)
        at = found.read_headers(at)
        at = found.read_actions(at)
        trees.append(found.tree())
        at = after_white(text, at)
    if not trees:
        raise InvalidFile.at(text, 0, say('there is no match here; one begins with a line such as [Game "horses"]'))
    return trees


@dataclass
class _Found:
    """One match while it is read."""

    text: str
    begins: int
    headers: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By name its offset and its value."""
    comments: dict[int, str] = field(default_factory=dict)
    comment: str = ""
    result: tuple[int, str] = (0, "")
    match: Match | None = None

    def read_headers(self, at: int) -> int:
        """Reads the lines in brackets; returns where they end."""
        while self.text[at : at + 1] == "[":
            header = HEADER.match(self.text, at)
            if header is None:
                line = self.text[at:].split("\n", 1)[0][:40]
                raise self._wrong(at, '{line!r} is no header; one looks like [Seed "7"]', line=line)
            if header[1] in self.headers:
                raise self._wrong(at, "the header {name} stands here a second time", name=header[1])
            self.headers[header[1]] = at, _unquoted(header[2])
            at = after_white(self.text, header.end())
        self.match = self._begun()
        return at

    def read_actions(self, at: int) -> int:
        """Plays the actions; returns the offset after the result."""
        assert self.match is not None
        while True:
            at = after_white(self.text, at)
            if result := RESULT.match(self.text, at):
                self.result = at, result[0]
                return result.end()
            if self.text[at : at + 1] == "{":
                at = self._read_comment(at)
            elif number := NUMBER.match(self.text, at):
                at = self._play(number)
            elif at >= len(self.text) or self.text[at] == "[":
                why = say("the match has no result at its end: 1-0, 0-1, 1/2-1/2, or * when it is not over")
                raise self._wrong(at, why)
            else:
                word = self.text[at:].split(maxsplit=1)[0][:20]
                raise self._wrong(
                    at,
                    "{word!r} stands where action {number} should, as in {number}.",
                    word=word,
                    number=len(self.match.actions) + 1,
                )

    def tree(self) -> MatchTree:
        """The match, once it is read; checks that its parts agree."""
        match = self.match
        assert match is not None
        self._end(match)
        record = match.record()
        at, given = self.result
        for place, result in ((at, given), self.headers.get("Result", (at, given))):
            right = RESULTS[record.score] if record.finished else "*"
            if result != right:
                raise self._wrong(
                    place, "the result is {given}, and the actions lead to {right}", given=result, right=right
                )
        return MatchTree.of(record, self.comments, comment=self.comment)

    def _begun(self) -> Match:
        game, seed = self._header("Game"), self._number("Seed")
        start, limit, clock = (self._header(name, "") for name in ("Start", "Limit", "PersonLimit"))
        seats = self._who(0), self._who(1)
        for name, made in (
            ("Game", lambda: game_of(game)),
            ("Limit", lambda: MatchLimit.parse(limit)),
            ("PersonLimit", lambda: MatchLimit.parse(clock)),
        ):
            try:
                made()
            except LudotecaError as error:
                raise self._wrong(self._place(name), error) from error
        try:
            match = Match(
                game_of(game),
                seed,
                start=start,
                seats=seats,
                limit=MatchLimit.parse(limit),
                person_limit=MatchLimit.parse(clock),
            )
        except (LudotecaError, OverflowError) as error:
            raise self._wrong(self._place("Start" if start else "Seed"), error) from error
        match.opening = self._number("Opening", 0)
        return match

    def _play(self, number: re.Match[str]) -> int:
        """Plays the action after this number; returns where its name ends."""
        match, at = self.match, number.start()
        assert match is not None
        right = len(match.actions) + 1
        if int(number[1]) != right:
            raise self._wrong(at, "number {given} stands where {right} should", given=number[1], right=right)
        turn = match.turn
        end = BETWEEN.search(self.text, number.end())
        name = self.text[number.end() : end.start() if end else len(self.text)].strip()
        dots = "." if turn == 0 else "..."
        if turn is not None and number[2] != dots:
            given = number[0].strip()
            raise self._wrong(
                at,
                "{given} is for the other seat; seat {seat} is on turn: {right}",
                given=given,
                seat=turn,
                right=f"{right}{dots}",
            )
        try:
            match.play(match.game.parse_action(name))
        except LudotecaError as error:
            why = say("action {number}, {name!r}: {why}", number=right, name=name[:40], why=error)
            raise self._wrong(number.end(), why) from error
        return end.start() if end else len(self.text)

    def _read_comment(self, at: int) -> int:
        comment = COMMENT.match(self.text, at)
        if comment is None:
            raise self._wrong(at, say("this {{ has no }}: the file ends before"))
        assert self.match is not None
        said, ply = re.sub(r"\\(.)", r"\1", comment[1], flags=re.DOTALL), len(self.match.actions) - 1
        if ply < 0:
            self.comment = f"{self.comment}\n{said}" if self.comment else said
        else:
            self.comments[ply] = f"{self.comments[ply]}\n{said}" if ply in self.comments else said
        return comment.end()

    def _end(self, match: Match) -> None:
        """Applies the headers about the end and about swapped sides."""
        played = len(match.actions)
        if match.opening > played:
            raise self._wrong(self._place("Opening"), say("the opening is longer than the match"))
        for word in self._header("SideSwaps", "").split():
            if not (word.isascii() and word.isdigit() and len(word) < 8 and int(word) <= played):
                raise self._wrong(self._place("SideSwaps"), "{word!r} is the number of no action", word=word[:20])
            match.side_swaps.append(int(word))
        ending = self._header("Ending", "")
        if not ending:
            return
        known = [str(each) for each in Ending if each not in (Ending.finished, Ending.unfinished)]
        if ending not in known:
            raise self._wrong(
                self._place("Ending"), "{ending!r} is no ending; endings are {known}", ending=ending[:20], known=known
            )
        if ending == str(Ending.agreed):
            match.agree_draw()
            return
        seat = self._number("Fault")
        if seat not in (0, 1):
            raise self._wrong(self._place("Fault"), "the fault is that of seat 0 or 1, not {seat}", seat=seat)
        match.end_by(seat, Fault(Ending(ending), self._header("Message", "")))

    def _who(self, seat: int) -> Who:
        agent = self._header(f"Seat{seat}", "person")
        if agent in ("person", ""):
            return Who(nickname=clean_nickname(self._header(f"Name{seat}", "")))
        own = self._number(f"Seed{seat}") if f"Seed{seat}" in self.headers else None
        return Who(Identity(agent, self._header(f"Digest{seat}", "")), own)

    def _header(self, name: str, default: str | None = None) -> str:
        if name in self.headers:
            return self.headers[name][1]
        if default is None:
            raise self._wrong(self.begins, 'the match lacks a header [{name} "…"]', name=name)
        return default

    def _number(self, name: str, default: int | None = None) -> int:
        text = self._header(name, None if default is None else str(default)).strip()
        if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < MOST):
            why = say("{name} is a whole number from 0 on, not {text!r}", name=name, text=text[:40])
            raise self._wrong(self._place(name), why)
        return int(text)

    def _place(self, name: str) -> int:
        return self.headers[name][0] if name in self.headers else self.begins

    def _wrong(self, at: int, why: object, /, **fields: object) -> InvalidFile:
        return InvalidFile.at(self.text, at, why, **fields)


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), value)
