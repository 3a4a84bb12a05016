"""Tournaments: round-robin, Swiss, gauntlet and knock-out, each as rounds of pairs of matches."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from ludoteca.agents.identity import Identity
from ludoteca.arena.pairing import Pairing, against_references, bracket, gauntlet, round_robin, swiss
from ludoteca.arena.plan import Fixture, Openings, Rounds, even, pairs, result_of_match, unreadable
from ludoteca.errors import InvalidOption
from ludoteca.messages import Message, say
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Outcome, Run
from ludoteca.players.faults import FaultTally
from ludoteca.ratings.pairs import DistinctPairs, Score
from ludoteca.ratings.returns import MeanReturn
from ludoteca.spec import one_of, with_suggestion

Format = Literal["round-robin", "swiss", "gauntlet", "knockout", "references"]
FORMATS: tuple[Format, ...] = tuple(each for each in get_args(Format) if each != "references")
"""The formats of the command line; ``references`` is for courses, which name the references."""
EXTRA = 3
"""Extra pairs for a level knock-out pairing; then the agent named first wins it."""

ONE = {1.0: Score(1, 0, 0), 0.5: Score(0, 1, 0), 0.0: Score(0, 0, 1)}
"""The score of one match."""


@dataclass
class TournamentTally:
    """A tournament so far: each agent's results, byes and faults, and its round in a knock-out."""

    agents: tuple[Identity, ...]
    bye: int = 0
    """The matches that a bye counts as, each of them won; 0 where it gives no points, as in a knock-out."""
    scores: dict[Identity, Score] = field(default_factory=dict)
    """Of all matches, equal ones too."""
    byes: dict[Identity, int] = field(default_factory=dict)
    """The rounds in which an agent had no opponent; only of those that had one."""
    faults: dict[Identity, FaultTally] = field(default_factory=dict)
    pairs: DistinctPairs[Identity] = field(default_factory=DistinctPairs)
    """For ratings: pairs of equal matches count once here, while points are given for all matches."""
    reached: dict[Identity, int] = field(default_factory=dict)
    """Knock-out rounds survived."""
    stake: float | None = None
    """What a return of 1 stands for; None if only wins, draws and losses count."""
    _points: dict[Identity, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for agent in self.agents:
            self.scores[agent], self.faults[agent], self._points[agent] = Score(), FaultTally(), 0.0

    @property
    def points(self) -> dict[Identity, float]:
        """1 for a win, a half for a draw (see `points_of` for stakes), and what byes give."""
        won = 1.0 if self.stake is None else 0.5
        return {agent: self._points[agent] + won * self.bye * self.byes.get(agent, 0) for agent in self.agents}

    @property
    def matches(self) -> dict[Identity, int]:
        """What the points are out of: the matches played, and those that byes count as."""
        return {agent: self.scores[agent].matches + self.bye * self.byes.get(agent, 0) for agent in self.agents}

    def add(self, fixture: Fixture, outcome: Outcome) -> bool:
        """Count a match; a tournament never ends early."""
        self.pairs.add(result_of_match(fixture, outcome))
        points = points_of(outcome, self.stake)
        for seat, score in enumerate((outcome.score, 1 - outcome.score)):
            agent = fixture.agents[seat]
            self.scores[agent] += ONE[score]
            self._points[agent] += 1 - points if seat else points
            if outcome.fault == seat:
                self.faults[agent].add(outcome.ending, outcome.message)
        return False

    @property
    def mean_returns(self) -> dict[Identity, MeanReturn]:
        """Each agent's mean return per match, in the game's amounts; empty in a game without stakes."""
        if self.stake is None:
            return {}
        return {agent: self.pairs.returns_of(agent).estimate.scaled(self.stake) for agent in self.agents}

    def ranking(self) -> list[Identity]:
        """The agents from first to last: by knock-out rounds survived, then points, then the order given."""
        points = self.points
        return sorted(self.agents, key=lambda agent: (-self.reached.get(agent, 0), -points[agent]))

    def give_bye(self, agent: Identity) -> None:
        """Count a round in which this agent had no opponent."""
        self.byes[agent] = self.byes.get(agent, 0) + 1


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament: each pairing plays `matches` matches, every deal twice with sides swapped."""

    conditions: Conditions
    agents: tuple[Identity, ...]
    format: Format = "round-robin"
    matches: int = 2
    rounds: int = 1
    """Rounds of a Swiss tournament; 1 for other formats."""
    seed: int | None = None
    openings: str = "none"
    trust: tuple[str, ...] = ()
    excluded: tuple[tuple[str, str], ...] = ()
    """Agents that could not be built and take no part, each with the reason."""
    references: int = 0
    """In the format ``references``: how many agents, at the end of the list, are references."""
    same_deals: bool = False
    """Whether all pairings play the same deals and openings, as in a course."""

    @classmethod
    def of(
        cls,
        conditions: Conditions,
        agents: Sequence[Identity],
        format: str = "round-robin",  # noqa: A002 - the word of the command line
        matches: int = 2,
        rounds: int | None = None,
        **others: Any,
    ) -> TournamentPlan:
        """The plan in canonical form. Raises InvalidOption."""
        if len(agents) < 2:
            raise InvalidOption("a tournament needs at least two agents, not {count}", count=len(agents))
        for agent in agents:
            if list(agents).count(agent) > 1:
                raise InvalidOption("the tournament names {agent} twice; every agent takes part once", agent=agent.spec)
        kind: Any = format if format == "references" else one_of("tournament", "format", format, FORMATS)
        if rounds is not None and kind != "swiss":
            raise InvalidOption(
                "rounds={rounds}: only a Swiss tournament has rounds, not {kind}", rounds=rounds, kind=kind
            )
        if rounds is not None and rounds < 1:
            raise InvalidOption("rounds={rounds}: at least one", rounds=rounds)
        usual = max(1, math.ceil(math.log2(len(agents)))) if kind == "swiss" else 1
        count = usual if rounds is None else rounds
        return cls(conditions, tuple(agents), kind, even("matches", matches), count, **others)

    @property
    def total(self) -> int:
        """How many matches there will be, without the extra ones of a knock-out."""
        count = len(self.agents)
        pairings = {
            "round-robin": count * (count - 1) // 2,
            "gauntlet": count - 1,
            "swiss": self.rounds * (count // 2),
            "knockout": count - 1,
            "references": (count - self.references) * self.references,
        }
        return self.matches * pairings[self.format]

    def key(self) -> dict[str, Any]:
        """Everything: one more agent or match makes another tournament."""
        own = {name: getattr(self, name) for name in ("format", "matches", "rounds", "seed", "openings")}
        more: dict[str, Any] = {"trust": list(self.trust)} if self.trust else {}
        more |= {name: value for name in ("references", "same_deals") if (value := getattr(self, name))}
        agents = [agent.to_json() for agent in self.agents]
        return {"kind": "tournament", **vars(self.conditions), "agents": agents, **own} | more

    def goal(self) -> dict[str, Any]:
        """Only who could not take part: a tournament is always played to its end."""
        return {"excluded": [list(each) for each in self.excluded]} if self.excluded else {}

    @classmethod
    def from_run(cls, run: Run) -> TournamentPlan:
        """The plan of a stored run. Raises InvalidStore."""
        key = run.key
        try:
            excluded = tuple((str(agent), str(why)) for agent, why in run.goal.get("excluded", ()))
            agents = tuple(map(Identity.from_json, key["agents"]))
            return cls(
                Conditions.from_key(key), agents, key["format"], key["matches"], key["rounds"],
                key.get("seed"), key.get("openings", "none"), tuple(key.get("trust", ())), excluded,
                key.get("references", 0), key.get("same_deals", False),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(run) from error

    def start(self, secret: str, openings: Openings = ()) -> tuple[TournamentTally, Rounds]:
        """An empty tally, and the rounds; a Swiss or knock-out round depends on the results before it."""
        tally = TournamentTally(self.agents, self.matches if self.format == "swiss" else 0, stake=self.conditions.stake)
        ways = {
            "round-robin": self._all_at_once,
            "gauntlet": self._all_at_once,
            "references": self._all_at_once,
            "swiss": self._swiss,
            "knockout": self._knockout,
        }
        return tally, ways[self.format](tally, _Deals(secret, openings))

    def _all_at_once(self, tally: TournamentTally, deals: _Deals) -> Rounds:
        pairings = self._pairings()
        # All pairings once, then all again: an interrupted tournament is then balanced too.
        fixtures: list[Fixture] = []
        for time in range(self.matches // 2):
            fixtures += self._fixtures(pairings, len(fixtures), 2, deals, time)
        yield fixtures

    def _pairings(self) -> list[Pairing]:
        count = len(self.agents)
        if self.format == "references":
            return against_references(count, self.references)
        return round_robin(count) if self.format == "round-robin" else gauntlet(count)

    def _fixtures(
        self, pairings: Sequence[Pairing], start: int, count: int, deals: _Deals, deal: int = 0
    ) -> list[Fixture]:
        """`count` matches of each pairing; `deal` is the number of the first deal, if all share the same deals."""
        fixtures: list[Fixture] = []
        shared = deal if self.same_deals else None
        for first, second in pairings:
            at, names = start + len(fixtures), (self.agents[first], self.agents[second])
            fixtures += pairs(*names, deals.secret, at, count, deals.openings, shared)
        return fixtures

    def _swiss(self, tally: TournamentTally, deals: _Deals) -> Rounds:
        points = [0.0] * len(self.agents)
        met: set[frozenset[int]] = set()
        byes = [0] * len(self.agents)
        start = 0
        for turn in range(self.rounds):
            pairings, resting = swiss(points, met, byes)
            scores = yield from self._play(tally, pairings, start, self.matches, deals, turn * self.matches // 2)
            start += self.matches * len(pairings)
            for (first, second), score in zip(pairings, scores, strict=True):
                points[first] += score
                points[second] += self.matches - score
                met.add(frozenset((first, second)))
            if resting is not None:
                byes[resting] += 1
                points[resting] += self.matches if tally.stake is None else self.matches / 2
                tally.give_bye(self.agents[resting])

    def _play(
        self,
        tally: TournamentTally,
        pairings: Sequence[Pairing],
        start: int,
        count: int,
        deals: _Deals,
        deal: int = 0,
    ) -> Generator[list[Fixture], Sequence[Outcome], list[float]]:
        """Plays a round of pairings. Returns the points of the first agent of each."""
        outcomes = yield self._fixtures(pairings, start, count, deals, deal)
        scores = [0.0] * len(pairings)
        for place, outcome in enumerate(outcomes):
            points = points_of(outcome, tally.stake)
            scores[place // count] += 1 - points if place % 2 else points
        return scores

    def _knockout(self, tally: TournamentTally, deals: _Deals) -> Rounds:
        places = bracket(len(self.agents))
        start = 0
        while len(places) > 1:
            met = list(zip(places[::2], places[1::2], strict=True))
            pairings = [(a, b) for a, b in met if a is not None and b is not None]
            scores = yield from self._play(tally, pairings, start, self.matches, deals)
            start += self.matches * len(pairings)
            lead = {pairing: score - self.matches / 2 for pairing, score in zip(pairings, scores, strict=True)}
            for _ in range(EXTRA):
                level = [pairing for pairing in pairings if lead[pairing] == 0]
                if level:
                    scores = yield from self._play(tally, level, start, 2, deals)
                    start += 2 * len(level)
                    lead |= {pairing: score - 1 for pairing, score in zip(level, scores, strict=True)}
            for a, b in met:
                if (a is None) != (b is None):
                    tally.give_bye(self.agents[a if b is None else b])  # type: ignore[index]
            places = [self._winner(a, b, lead) for a, b in met]
            for agent in places:
                if agent is not None:
                    tally.reached[self.agents[agent]] = tally.reached.get(self.agents[agent], 0) + 1

    @staticmethod
    def _winner(first: int | None, second: int | None, lead: dict[Pairing, float]) -> int | None:
        if first is None or second is None:
            return second if first is None else first
        if lead[first, second] == 0:
            return min(first, second)
        return first if lead[first, second] > 0 else second


def points_of(outcome: Outcome, stake: float | None) -> float:
    """The points of seat 0, from 0 to 1: its score, or with stakes its share of what both could win and lose."""
    return outcome.score if stake is None else 0.5 + (outcome.returns[0] - outcome.returns[1]) / 4


class _Deals(NamedTuple):
    """Where the deals and openings of a tournament come from."""

    secret: str
    openings: Openings


def read_file(path: Path) -> dict[str, Any]:
    """Read the options for `ludoteca.tournament` from a TOML file. Raises InvalidOption."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        wrong = say("the tournament {path} cannot be read: {why}", path=path, why=error.strerror)
        raise InvalidOption(wrong) from error
    except (ValueError, RecursionError) as error:  # no UTF-8, wrong, with endless numbers, or nested too deeply
        raise InvalidOption("the tournament {path} is not valid TOML: {why}", path=path, why=error) from error
    for name, value in found.items():
        if name not in FIELDS:
            wrong = say(
                "the tournament {path} has a field {name!r}; its fields are {names}",
                path=path,
                name=name,
                names=[*FIELDS],
            )
            raise InvalidOption(with_suggestion(wrong, name, FIELDS))
        if not isinstance(value, FIELDS[name]) or isinstance(value, bool):
            raise InvalidOption(_should_be(path, name, value, KINDS[FIELDS[name]]))
    for name in ("game", "agents"):
        if name not in found:
            raise InvalidOption("the tournament {path} has no field {name}", path=path, name=name)
    if not all(isinstance(agent, str) for agent in found["agents"]):
        raise InvalidOption(_should_be(path, "agents", found["agents"], KINDS[list]))
    return found


def _should_be(path: Path, name: str, value: object, kind: Message) -> Message:
    return say(
        "the tournament {path}: {name} = {value} should be {kind}", path=path, name=name, value=repr(value), kind=kind
    )


FIELDS: dict[str, Any] = {
    "game": str,
    "agents": list,
    "format": str,
    "matches": int,
    "rounds": int,
    "limit": str,
    "memory": int,
    "seed": int,
}
KINDS: dict[type, Message] = {str: say("a string"), list: say("a list of strings"), int: say("a whole number")}
