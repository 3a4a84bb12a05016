"""One match on the page: its seats, its actions with what the agents thought of them, and how it may be seen.

A table is the fold of its journal: a head that says what is played by whom, then one event per line. Whoever has the
lines has the table, so that writing an event is all it takes to survive a reload, a lost connection or a crash.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ludoteca.errors import InvalidAction, LudotecaError
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Decision, Game, Seat
from ludoteca.web.asked import LONGEST_SPEC, asked_agent, asked_game, rules

__all__ = ["PERSON", "Cleared", "Head", "InvalidTable", "Table", "Thought", "check_head", "understand"]

PERSON = "person"
"""In place of an agent: whoever sits at the screen."""
MOST_SCORES, LONGEST_LINE, LONGEST_NOTE = 128, 16, 400  # of what an agent says, so much is kept
MOST_SECONDS = 60.0


class InvalidTable(LudotecaError, ValueError):
    """A table that does not exist, cannot be read, or cannot do what was asked of it now."""


@dataclass(frozen=True)
class Head:
    """What is played, by whom, and how long an agent may think."""

    game: str
    """The spec of the game."""
    seats: tuple[str, str]
    """By seat PERSON or the spec of an agent."""
    seed: int
    limit: str = "1s"
    """What an agent may use for an action, as on the command line."""
    start: str = ""
    """What was set up by hand, in a game of hidden hands: see `ludoteca.protocols.Arrangeable`."""

    @property
    def persons(self) -> list[Seat]:
        """The seats in which a person sits."""
        return [seat for seat, who in enumerate(self.seats) if who == PERSON]

    @property
    def seconds(self) -> float:
        """How long an agent may think about an action."""
        return MatchLimit.parse(self.limit).seconds or MOST_SECONDS


@dataclass(frozen=True)
class Thought:
    """A decision as it is kept and shown: with the clock, and no longer than a page needs."""

    agent: str
    value: float | None = None
    """Expected return for the seat that moved."""
    scores: Mapping[Action, float] = field(default_factory=dict)
    line: tuple[Action, ...] = ()
    note: str = ""
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, spec: str, decision: Decision, seconds: float) -> Thought:
        """What is worth keeping of an agent's decision; numbers that are none are left out."""
        finite = {int(a): round(float(s), 4) for a, s in decision.scores.items() if math.isfinite(s)}
        best = sorted(finite, key=lambda action: -finite[action])[:MOST_SCORES]
        value = decision.value
        return cls(
            spec,
            None if value is None or not math.isfinite(value) else max(-1.0, min(1.0, float(value))),
            {action: finite[action] for action in best},
            tuple(int(action) for action in list(decision.line)[:LONGEST_LINE]),
            decision.note[:LONGEST_NOTE],
            int(decision.nodes),
            int(decision.depth),
            round(seconds, 4),
        )

    def to_json(self) -> dict[str, Any]:
        """As a dictionary that JSON can hold; what is empty is left out."""
        return {key: value for key, value in asdict(self).items() if value or (key == "value" and value is not None)}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Thought:
        """What `to_json` made. Raises TypeError or ValueError."""
        scores = {int(action): float(score) for action, score in fields.get("scores", {}).items()}
        return cls(**fields | {"scores": scores, "line": tuple(map(int, fields.get("line", ())))})


class Cleared(InvalidTable):
    """Somebody has cleared the table away, here or in another tab: nothing of it is kept any more."""


def check_head(head: Head) -> Head:
    """The same with its specs in their shortest form. Raises LudotecaError for what cannot be played."""
    if len(head.start) > LONGEST_SPEC:
        raise InvalidTable(say("a start is written in at most {most} characters", most=LONGEST_SPEC))
    played = asked_game(head.game)
    seats = tuple(who if who == PERSON else asked_agent(who, played.name) for who in head.seats)
    limit = MatchLimit.parse(head.limit)
    if limit.seconds is None or limit.seconds > MOST_SECONDS:
        raise InvalidTable(f"the limit {head.limit!r} must give at most {MOST_SECONDS:g} seconds for an action")
    if not 0 <= head.seed < 2**63:
        raise InvalidTable(f"the seed {head.seed} must be a whole number from 0 to {2**63 - 1}")
    return replace(head, game=played.spec, seats=(seats[0], seats[1]))


class Table:
    """A match and what is around it. Every change is one event, told to `write` before anybody else learns of it."""

    def __init__(self, head: Head, write: Callable[[str], None] = lambda line: None) -> None:
        self.head = head
        self.game: Game = rules(head.game)
        self.match = Match(self.game, head.seed, start=head.start)
        self.movers: list[Seat] = []
        """For each action, who played it."""
        self.thoughts: list[Thought | None] = []
        """For each action, what the agent thought that chose it."""
        self.resigned: Seat | None = None
        self._write = write

    @classmethod
    def from_lines(cls, lines: Iterable[str], write: Callable[[str], None] = lambda line: None) -> Table:
        """The table whose journal this is. Raises InvalidTable; a last line that was cut off is forgotten."""
        kept = [line for line in lines if line.strip()]
        try:
            head = json.loads(kept[0])
            table = cls(Head(**head | {"seats": tuple(head["seats"])}))
            for at, line in enumerate(kept[1:], start=1):
                try:
                    event = json.loads(line)
                except ValueError:
                    if at == len(kept) - 1:
                        break
                    raise
                table._apply(event)
        except (LudotecaError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise InvalidTable(f"this table cannot be read: {str(error).splitlines()[0][:200]}") from error
        table._write = write
        return table

    def head_line(self) -> str:
        """The first line of the journal."""
        return json.dumps(asdict(self.head), ensure_ascii=False)

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over or given up."""
        return None if self.resigned is not None else self.match.turn

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.turn is None

    @property
    def secrets(self) -> bool:
        """Whether the game hides anything from a seat."""
        return bool(getattr(self.game, "secrets", True))

    @property
    def may_undo(self) -> bool:
        """Whether an action can be taken back: not once every hand has been shown."""
        return bool(self.movers) and not (self.over and self.secrets and self.head.persons)

    @property
    def may_change_seats(self) -> bool:
        """Whether seats can be changed: not where a person would see the other hand."""
        return not self.over and not (self.secrets and self.head.persons)

    @property
    def agent_on_turn(self) -> str | None:
        """The agent that is to think now, if one is."""
        turn = self.turn
        return None if turn is None or self.head.seats[turn] == PERSON else self.head.seats[turn]

    def returns(self) -> tuple[float, ...]:
        """The result per seat; giving up loses."""
        if self.resigned is None:
            return self.match.returns()
        return tuple(-1.0 if seat == self.resigned else 1.0 for seat in range(self.game.seats))

    def play(self, action: Action, thought: Thought | None = None) -> None:
        """Plays for the seat on turn. Raises IllegalAction, or InvalidTable when the match was given up."""
        if self.resigned is not None:
            raise InvalidTable("this match is over: a seat has resigned")
        event: dict[str, Any] = {"play": action}
        if thought is not None:
            event["thought"] = thought.to_json()
        self._tell(event)

    def undo(self) -> None:
        """Takes back everything since a person last chose, that choice included. Raises InvalidTable."""
        persons = self.head.persons
        if self.over and self.secrets and persons:
            raise InvalidTable("every hand has been shown: nothing of this match can be taken back")
        back = max((ply for ply, seat in enumerate(self.movers) if seat in persons or not persons), default=None)
        if self.resigned is None and back is None:
            raise InvalidTable("there is nothing to take back")
        self._tell({"back": len(self.movers) if self.resigned is not None or back is None else back})

    def resign(self, seat: Seat) -> None:
        """Gives the match up for a person's seat. Raises InvalidTable."""
        if self.over or seat not in self.head.persons:
            raise InvalidTable(f"seat {seat} cannot resign now")
        self._tell({"resign": seat})

    def change_seats(self) -> None:
        """Whoever sat in seat 0 goes on in seat 1 and the other way round. Raises InvalidTable where it would cheat."""
        if not self.may_change_seats:
            raise InvalidTable("seats cannot be changed in a match with hidden hands, nor after its end")
        self._tell({"seats": list(self.head.seats[::-1])})

    def _tell(self, event: dict[str, Any]) -> None:
        self._apply(event)
        self._write(json.dumps(event, ensure_ascii=False))

    def _apply(self, event: dict[str, Any]) -> None:
        """One event of the journal. Raises, having changed nothing, if it cannot be."""
        if "play" in event:
            mover, thought = self.match.turn, event.get("thought")
            thought = None if thought is None else Thought.from_json(thought)
            self.match.play(event["play"])
            self.movers.append(0 if mover is None else mover)
            self.thoughts.append(thought)
        elif "back" in event:
            ply = event["back"]
            self.match = self.match.before(ply)
            del self.movers[ply:], self.thoughts[ply:]
            self.resigned = None
        elif "resign" in event:
            self.resigned = int(event["resign"])
        elif "seats" in event:
            first, second = event["seats"]
            self.head = replace(self.head, seats=(str(first), str(second)))
        else:
            raise InvalidTable(f"unknown event {list(event)[:3]}")


def understand(played: Game, text: str, legal: list[Action]) -> Action:
    """The legal action that a person means, by its name or its unmistakable beginning. Raises InvalidAction."""
    text = text.strip()[:80]
    names = {played.action_name(each): each for each in legal}
    try:
        action: Action | None = played.parse_action(text)
    except InvalidAction:
        action = None
    if action is not None and action in legal:
        return action
    meant = [name for name in names if text and name.lower().startswith(text.lower())]
    if len(meant) == 1:
        return names[meant[0]]
    if meant:
        raise InvalidAction(f"{text!r} could be {', '.join(meant[:6])}")
    if action is None:
        return played.parse_action(text)  # raises, and tells what the game's actions are
    raise InvalidAction(f"{text!r} is not legal now")
