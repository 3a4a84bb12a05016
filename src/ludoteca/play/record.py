"""The record of a match. Ratings, replays, reviews and reports are functions of records.

All matches share one JSON form; `record.schema.json` describes it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from ludoteca.agents.identity import PERSON, Identity
from ludoteca.errors import InvalidPosition, LudotecaError
from ludoteca.games import game as game_of
from ludoteca.messages import from_json, say, to_json
from ludoteca.play.display import match_html
from ludoteca.players.decisions import json_fields
from ludoteca.players.faults import Ending, Usage
from ludoteca.protocols import Action, CustomStart, Decision, Game, Reason, Seat, State

VERSION = 5
"""Of the JSON form. Records of any other version are refused."""
LONGEST_NICKNAME = 20
MARKS = re.compile("([\u0300-\u036f]{2})[\u0300-\u036f]+")
"""Accents upon accents, which would cover the lines above and below."""


def score_of(returns: tuple[float, float]) -> float:
    """The score of seat 0: 1 for a win, a half for a draw, 0 for a loss.

    >>> score_of((0.25, -0.25)), score_of((0.0, 0.0))
    (1.0, 0.5)
    """
    first, second = returns
    return 0.5 if first == second else float(first > second)


@dataclass(frozen=True)
class Who:
    """Who sits in a seat: an agent by its identity, or a person."""

    identity: Identity = PERSON
    """What results are counted by."""
    seed: int | None = None
    """The agent's own seed."""
    nickname: str = ""
    """What a person calls themselves; empty for an agent, and for a person who did not say. Results do not depend on
    it."""

    @property
    def person(self) -> bool:
        """Whether this is a person."""
        return self.identity == PERSON

    @property
    def agent(self) -> str:
        """The agent's spec, such as ``astar:depth=4``; empty for a person."""
        return "" if self.person else self.identity.spec

    @property
    def name(self) -> str:
        """The agent's spec, the person's nickname, or ``a person``."""
        return self.nickname or say("a person") if self.person else self.agent

    def to_json(self) -> dict[str, Any]:
        """As a dictionary that JSON can hold."""
        if self.person:
            return {"person": True} | ({"nickname": self.nickname} if self.nickname else {})
        seed = {} if self.seed is None else {"seed": self.seed}
        return {**self.identity.to_json(), **seed}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Who:
        """What `to_json` made. Raises ValueError."""
        if fields.get("person") is True:
            nickname = _text(fields.get("nickname", ""))
            if nickname != clean_nickname(nickname):
                raise ValueError(f"{nickname[:40]!r} is no name of a person")
            return cls(nickname=nickname)
        seed = fields.get("seed")
        if not isinstance(seed, int | None):
            raise ValueError(f"a seat is a person or an agent, not {str(fields)[:80]}")
        return cls(Identity.from_json(fields), seed)


def clean_nickname(text: str) -> str:
    r"""A name that a person typed, as everybody may see it: short, on one line, without invisible characters.

    >>> clean_nickname("  Ana\u202e \n María ")
    'Ana María'
    """
    text = unicodedata.normalize("NFC", text[: 10 * LONGEST_NICKNAME])
    text = "".join(each if each.isprintable() else " " if each.isspace() else "" for each in text)
    text = MARKS.sub(r"\1", text)
    return " ".join(text.split())[:LONGEST_NICKNAME].strip()


@dataclass(frozen=True)
class Record:
    """One match. Game, seed, start and actions replay it; the rest says who played, how long and why.

    >>> import ludoteca
    >>> result = ludoteca.series("hex:size=3", "random", "random", 2, seed=1, store=":memory:", workers=1)
    >>> record = result.records[0]
    >>> ludoteca.Record.from_json(record.to_json()) == record
    True
    """

    game: str
    """The spec of the game."""
    seed: int
    """The seed of the deal."""
    seats: tuple[Who, Who]
    """Who sat where at the end."""
    actions: tuple[Action, ...] = ()
    movers: tuple[Seat, ...] = ()
    """For each action the seat that played it."""
    start: str = ""
    """The start position if it was set up by hand; see `CustomStart`."""
    opening: int = 0
    """How many of the first actions are an opening that no player chose."""
    side_swaps: tuple[int, ...] = ()
    """Plies before which the two players swapped sides, as people may do on the page."""
    limit: str = ""
    """The limit of each agent, as on the command line."""
    person_limit: str = ""
    """The limit of each person; empty: people have no clock."""
    seconds: tuple[float, ...] = ()
    """For each action the time it took, by the referee's clock."""
    decisions: tuple[Decision | None, ...] = ()
    """For each action the agent's decision; None for a person or an opening. Empty if no decision says more than its
    action."""
    returns: tuple[float, float] = (0.0, 0.0)
    """By seat, in [-1, 1]; after a fault or a resignation -1 for that seat and 1 for the other."""
    ending: Ending = Ending.finished
    fault: Seat | None = None
    """The seat at fault, or the one that resigned."""
    message: str = ""
    """What the fault was."""
    digest: str = ""
    """16 hexadecimal digits, equal for equal matches; see `Match.digest`."""
    usage: tuple[Usage | None, ...] = ()
    """By seat what the agent's process used; None for an agent without one. Empty if neither has one."""
    before: Record | None = None
    """The first try of a match that was replayed because the machine may have caused its time-out; see `Referee`."""
    helped: bool = False
    """Whether an agent helped a person, or something was undone."""

    @property
    def agents(self) -> tuple[Identity, Identity]:
        """The identities by seat; results are counted by them."""
        return self.seats[0].identity, self.seats[1].identity

    @property
    def score(self) -> float:
        """The score of seat 0: 1 for a win, a half for a draw, 0 for a loss."""
        return score_of(self.returns)

    @property
    def finished(self) -> bool:
        """Whether it has a result."""
        return self.ending is not Ending.unfinished

    def who(self, ply: int) -> Who:
        """Who played the action at this ply; an action of the opening counts for its seat."""
        return self.seats[self.final_seat(ply)]

    def final_seat(self, ply: int) -> Seat:
        """The seat in which the player of the action at this ply sits at the end, after all swaps of sides."""
        later = sum(at > ply for at in self.side_swaps)
        return self.movers[ply] ^ (later % 2)

    def decision(self, ply: int) -> Decision | None:
        """The decision behind the action at this ply, if it is known."""
        return self.decisions[ply] if ply < len(self.decisions) else None

    def without_clock(self) -> Record:
        """The record without times, which differ when the same match is played again."""
        return replace(self, seconds=(), usage=(), before=None)

    def __repr__(self) -> str:
        names = " – ".join(str(who.name) for who in self.seats)
        first, second = self.returns
        result = f"{first:+g} {second:+g}" if self.finished else "unfinished"
        return f"<Record of {self.game}: {names}, {len(self.actions)} actions, {result}>"

    def _repr_html_(self) -> str:
        """For a notebook: who played, the result, and the last position if the game is installed."""
        try:
            game = game_of(self.game)
            state = first_state(game, self.seed, self.start)
            for action in self.actions:
                state.apply(action)
        except (LudotecaError, OverflowError):
            return f"<pre>{escape(repr(self))}</pre>"
        names = [who.name for who in self.seats]
        return match_html(game, state, names, self.actions, returns=self.returns, ending=self.ending)

    def to_json(self) -> str:
        """One line of JSON without empty fields; `from_json` reads it back."""
        fields: dict[str, Any] = {
            "version": VERSION,
            "game": self.game,
            "seed": self.seed,
            "seats": [who.to_json() for who in self.seats],
            "limit": self.limit,
            "actions": self.actions,
            "movers": self.movers,
            "seconds": self.seconds,
            "returns": self.returns,
            "ending": self.ending,
            "digest": self.digest,
        }
        for name in ("start", "opening", "side_swaps", "person_limit", "helped"):
            if value := getattr(self, name):
                fields[name] = value
        if self.fault is not None:
            fields["fault"] = self.fault
        if self.message:
            fields["message"] = to_json(self.message)
        if self.decisions:
            fields["decisions"] = [None if each is None else decision_to(each) for each in self.decisions]
        if self.usage:
            fields["usage"] = self.usage
        if self.before is not None:
            fields["before"] = json.loads(self.before.to_json())
        return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record that `to_json` wrote. Raises ValueError for anything else."""
        try:
            fields = json.loads(text)
            if not isinstance(fields, dict):
                raise ValueError("not an object")
            if "\\ud" in text.lower():  # perhaps a lone surrogate, which no store can hold
                json.dumps(fields, ensure_ascii=False).encode()
            return _read(fields)
        except (TypeError, KeyError, AttributeError, ValueError, RecursionError) as error:
            raise ValueError(f"this is not a record of a match: {text[:80]!r} ({error})") from error


def first_state(game: Game, seed: int, start: str = "") -> State:
    """The state that a match begins with: dealt, or set up as `start` says. Raises InvalidPosition."""
    if not start:
        return game.deal(seed)
    if not isinstance(game, CustomStart):
        raise InvalidPosition(
            "{game} begins with a deal: the start {start!r} means nothing to it", game=game.name, start=start[:40]
        )
    return game.deal_from(start, seed)


def _read(fields: dict[str, Any]) -> Record:
    if fields["version"] != VERSION:
        raise ValueError(f"its version is {fields['version']!r}, not {VERSION}")
    first, second = (Who.from_json(each) for each in fields["seats"])
    actions = _whole(fields["actions"])
    decisions = tuple(
        None if each is None else decision_from(each, action)
        for each, action in zip(fields.get("decisions", ()), actions, strict=False)
    )
    fault = fields.get("fault")
    if fault not in (None, 0, 1):
        raise ValueError(f"the fault {fault!r} is not a seat")
    low, high = fields["returns"]
    return Record(
        game=_text(fields["game"]),
        seed=_whole([fields["seed"]])[0],
        seats=(first, second),
        actions=actions,
        movers=_whole(fields["movers"]),
        start=_text(fields.get("start", "")),
        opening=_whole([fields.get("opening", 0)])[0],
        side_swaps=_whole(fields.get("side_swaps", ())),
        limit=_text(fields.get("limit", "")),
        person_limit=_text(fields.get("person_limit", "")),
        seconds=tuple(map(float, fields.get("seconds", ()))),
        decisions=decisions,
        returns=(float(low), float(high)),
        ending=Ending(fields["ending"]),
        fault=fault,
        message=from_json(fields.get("message", "")),
        digest=_text(fields.get("digest", "")),
        usage=tuple(None if each is None else Usage(*map(float, each)) for each in fields.get("usage", ())),
        before=_read(fields["before"]) if "before" in fields else None,
        helped=fields.get("helped", False) is True,
    )


def _whole(values: Any) -> tuple[int, ...]:
    if values and not (set(map(type, values)) == {int} and min(values) >= 0 and max(values) < 2**63):
        wrong = next(each for each in values if type(each) is not int or not 0 <= each < 2**63)
        raise ValueError(f"{wrong!r} is not a whole number of at least 0")
    return tuple(values)


def _scores(fields: Mapping[str, Any]) -> dict[Action, float]:
    # Checked before the first is stored: Python's hashes of larger numbers can be made to collide, and a dictionary
    # of 12,000 such keys takes seconds to build.
    if wrong := next((each for each in fields if not (each.isascii() and each.isdigit() and len(each) < 10)), None):
        raise ValueError(f"{wrong[:40]!r} has a score, but is not an action")
    return {int(each): float(score) for each, score in fields.items()}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def decision_to(decision: Decision) -> dict[str, Any]:
    """A decision without its action, as a dictionary for JSON without empty fields.

    There may be hundreds of scores; they are rounded to four digits.
    """
    scores = {str(action): float(f"{score:.4g}") for action, score in decision.scores.items()}
    return json_fields(decision, scores)


def decision_from(fields: Mapping[str, Any], action: Action) -> Decision:
    """The decision that `decision_to` wrote, with its action. Raises TypeError or ValueError."""
    value = fields.get("value")
    return Decision(
        action,
        value=None if value is None else float(value),
        scores=_scores(fields.get("scores", {})),
        line=_whole(fields.get("line", ())),
        note=from_json(fields.get("note", "")),
        nodes=_whole([fields.get("nodes", 0)])[0],
        depth=_whole([fields.get("depth", 0)])[0],
        proven=fields.get("proven") is True,
        reasons=tuple(Reason(from_json(text), _whole(places)) for text, *places in fields.get("reasons", ())),
    )
