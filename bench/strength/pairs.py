"""Matches in pairs: the same deal twice with sides swapped, from fixed seeds, so that figures can be repeated."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import ludoteca
from bench.workers import worker_pool
from ludoteca.play.match import play_out
from ludoteca.protocols import Action, AgentFactory, Limit, Seat
from ludoteca.ratings.elo import score_interval

Player: TypeAlias = str | AgentFactory
"""An agent as it is written, or what makes it; a function that processes share is one of a module."""


@dataclass(frozen=True)
class Played:
    """One match as A saw it."""

    seed: int
    seat: Seat
    """Where A sat."""
    result: float
    """What A got in the end, in [-1, 1]."""
    digest: str
    """Of the deal and the actions, as `Match.digest` has it."""
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Tally:
    """What A got out of its matches."""

    wins: int
    draws: int
    losses: int
    distinct: int
    """How many of the matches differ from all before them in A's seat, in the deal or in the actions."""
    pairs: tuple[int, ...]
    """Distinct pairs by what A scored in both matches: 0, ½, 1, 1½ and 2 points."""

    @classmethod
    def of(cls, matches: Iterable[Played]) -> Tally:
        """The matches, counted; two in a row are a pair."""
        listed = list(matches)
        pairs = {
            tuple((each.seat, each.digest) for each in pair): round(
                sum(1 + (each.result > 0) - (each.result < 0) for each in pair)
            )
            for pair in zip(listed[::2], listed[1::2], strict=True)
        }
        counts = Counter(pairs.values())
        return cls(
            wins=sum(each.result > 0 for each in listed),
            draws=sum(each.result == 0 for each in listed),
            losses=sum(each.result < 0 for each in listed),
            distinct=len({(each.seat, each.digest) for each in listed}),
            pairs=tuple(counts[points] for points in range(5)),
        )

    @property
    def matches(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """A's share of the points, in [0, 1]; a draw is half a point."""
        return (self.wins + self.draws / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """Where A's score lies with 95% confidence, from the distinct pairs."""
        return score_interval(self.pairs)

    def __str__(self) -> str:
        low, high = self.interval
        line = (
            f"+{self.wins} ={self.draws} -{self.losses} of {self.matches} matches: "
            f"{self.score:.1%}, 95% interval {low:.1%} to {high:.1%}"
        )
        if self.distinct < self.matches:
            line += f"  (only {self.distinct} of them distinct)"
        return line


def even_matches(text: str) -> int:
    """What ``-n`` of a bench means: matches, as everywhere, and an even number, for they are played in pairs."""
    value = int(text)
    if value < 2 or value % 2:
        raise argparse.ArgumentTypeError(f"{text} is not an even number of matches, as 200 is")
    return value


def agent_seed(match_seed: int, seat: Seat) -> int:
    """The seed of the agent in a seat of the match dealt from `match_seed`."""
    digest = hashlib.sha256(f"ludoteca agent {match_seed} {seat}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1


def play_pair(
    game: str, a: Player, b: Player, seed: int, limit: Limit, opening: Sequence[Action] = ()
) -> tuple[Played, Played]:
    """The two matches of one deal, after an opening: A in seat 0, then A in seat 1."""
    rules = ludoteca.game(game)
    makers = [ludoteca.agent(each) if isinstance(each, str) else each for each in (a, b)]

    def played(seat: Seat) -> Played:
        match = ludoteca.Match(rules, seed, opening, opening=len(opening))
        seated = {seat: makers[0], 1 - seat: makers[1]}
        agents = {each: make(rules, each, agent_seed(seed, each)) for each, make in seated.items()}
        for _ in play_out(match, agents, limit):
            pass
        return Played(seed, seat, match.returns()[seat], match.digest(), tuple(match.actions))

    return played(0), played(1)


def play_pairs(
    game: str, a: Player, b: Player, pairs: int, limit: Limit | None = None, *, seed: int = 0, jobs: int = 1
) -> list[Played]:
    """Both matches of each deal from `seed` to `seed + pairs - 1`, in this order however many processes play them."""
    limit = limit or Limit()
    tasks = [(game, a, b, each, limit) for each in range(seed, seed + pairs)]
    if jobs == 1:
        return [match for task in tasks for match in play_pair(*task)]
    with worker_pool(jobs) as pool:
        found = pool.map(play_pair, *zip(*tasks, strict=True), chunksize=max(1, pairs // (8 * jobs)))
        return [match for pair in found for match in pair]


def resume_pairs(file: Path, name: str, game: str, a: Player, b: Player, pairs: int) -> list[Played]:
    """The same as `play_pairs` without a limit, from a file: only the pairs that it lacks are played, and added to it.

    The file has a line of JSON for each match; `name` tells apart the series in it. It knows nothing of the agents:
    delete it when one of them has changed.
    """
    kept: dict[int, list[Played]] = {}
    if file.exists():
        for line in map(json.loads, file.read_text().splitlines()):
            if line["name"] == name:
                actions = tuple(line["actions"])
                kept.setdefault(line["seed"], []).append(
                    Played(line["seed"], line["seat"], line["result"], line["digest"], actions)
                )
    for seed in range(pairs):
        if seed not in kept:
            kept[seed] = list(play_pair(game, a, b, seed, Limit()))
            with file.open("a") as out:  # both matches in one write: a pair is there or not
                out.write("".join(json.dumps(line_of(name, each)) + "\n" for each in kept[seed]))
    return [match for seed in range(pairs) for match in kept[seed]]


def line_of(name: str, match: Played) -> dict[str, object]:
    """A match as a line of the file of `resume_pairs`."""
    return {"name": name, **vars(match)}
