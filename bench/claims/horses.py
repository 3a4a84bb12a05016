"""``python -m bench.claims.horses``: what the document smart-horses-heuristic claims, measured under both penalties.

docs/seeds/horses.md shows the figures. A line says how often A won, drew and lost, then in how many of the matches
each of the two was stuck and had to pass: in one match at most one of them is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import ludoteca
from bench.strength.pairs import Played, Player, Tally, even_matches, play_pairs
from ludoteca import _core
from ludoteca.agents.horses.minimax import HorsesMinimax
from ludoteca.games.core_game import expect
from ludoteca.games.horses.game import Horses
from ludoteca.play.match import play_out
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.ratings.wilson import ClusteredMean

PENALTIES = ("once", "every")
OTHER_PENALTY = {"once": "every", "every": "once"}


class OtherPenalty:
    """The expert, but searching the penalty rule that is not being played."""

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        assert isinstance(game, Horses)
        self._imagined = Horses(size=game.size, penalty=OTHER_PENALTY[game.penalty])  # type: ignore[arg-type]
        self._expert = HorsesMinimax(self._imagined, seat, seed)

    def act(self, view: View, limit: Limit) -> Decision:
        """What the expert would do if the other rule held."""
        return self._expert.act(self._imagined.view_from(bytes(view)), limit)


PAIRINGS: list[tuple[str, str, Player]] = [
    *((f"minimax:level={level}", "random", "random") for level in ("beginner", "amateur", "expert")),
    ("minimax:level=amateur", "minimax:level=beginner", "minimax:level=beginner"),
    ("minimax:level=expert", "minimax:level=amateur", "minimax:level=amateur"),
    ("minimax:level=expert", "minimax:level=beginner", "minimax:level=beginner"),
    *(
        (f"minimax:level={level}", f"minimax:level={level},mobility=0", f"minimax:level={level},mobility=0")
        for level in ("beginner", "amateur", "expert")
    ),
    *(("minimax", f"minimax:mobility={weight}", f"minimax:mobility={weight}") for weight in (0.25, 1.0, 2.0)),
    ("minimax", "minimax that searches the other penalty", OtherPenalty),
]


def stuck(played: Played, pass_action: int) -> Seat | None:
    """The seat that had to pass, if one had to."""
    return played.actions.index(pass_action) % 2 if pass_action in played.actions else None


def strengths(game: Horses, pairs: int) -> Iterator[str]:
    """A line for every pairing."""
    for a, name, b in PAIRINGS:
        matches = play_pairs(game.spec, a, b, pairs)
        passing = [(stuck(each, game.pass_action), each.seat) for each in matches]
        mine = sum(seat == a_seat for seat, a_seat in passing) / len(matches)
        theirs = sum(seat == 1 - a_seat for seat, a_seat in passing) / len(matches)
        yield f"{a} against {name}: {Tally.of(matches)}; stuck {mine:.1%} against {theirs:.1%}"


def decisions(game: Horses, agent: str, matches: int) -> Iterator[tuple[View, Decision, float, int]]:
    """Every decision of an agent that plays itself, with the return that its seat got in the end, and the match."""
    for seed in range(matches):
        match, made = ludoteca.Match(game, seed), []
        agents = {seat: ludoteca.agent(agent)(game, seat, 0) for seat in (0, 1)}
        while (seat := match.turn) is not None:
            view = match.view(seat)
            made.append((seat, view, next(play_out(match, agents, Limit()))[1]))
        returns = match.returns()
        yield from ((view, decision, returns[seat], seed) for seat, view, decision in made)


def overruled(game: Horses, level: str, matches: int) -> str:
    """How often mobility is more than a tie-breaker: it chooses an action that looks worse in points alone."""
    points_only = ludoteca.agent(f"minimax:level={level},mobility=0")(game, 0, 0)
    worse: list[tuple[bool, int]] = []
    for view, decision, _, seed in decisions(game, f"minimax:level={level}", matches):
        if len(decision.scores) < 2:
            continue
        points = points_only.act(view, Limit())
        assert isinstance(points, Decision)
        worse.append((points.scores[decision.action] < max(points.scores.values()), seed))
    found = ClusteredMean.of(worse)
    low, high = found.interval(len(worse))
    share = f"{found.mean:.1%} of {len(worse)} choices, 95% interval {low:.1%} to {high:.1%}"
    return f"minimax:level={level}: mobility overrules points in {share}"


def spread(game: Horses, matches: int) -> str:
    """The s for which tanh(utility / s) is nearest, in squares, to the returns of the expert against itself."""
    found = [
        (decision.scores[decision.action], result)
        for _, decision, result, _ in decisions(game, "minimax", matches)
        if decision.value is not None and abs(decision.value) < 1
    ]
    utilities, returns = np.array(found).T
    best = min(np.arange(0.5, 40, 0.5), key=lambda s: float(np.mean((np.tanh(utilities / s) - returns) ** 2)))
    return f"value = tanh(utility / {best:g}) fits {len(found)} decisions best"


def charges(matches: int) -> str:
    """In how many matches of the amateur against itself the seed's own game, which charges at once, has another result.

    The same actions are played under both rules: which are legal does not depend on who has paid.
    """
    late, soon = Horses(), Horses(charge="stuck")
    paid = other = 0
    for seed in range(matches):
        match, twin = ludoteca.Match(late, seed), soon.deal(seed)
        agents = {seat: ludoteca.agent("minimax:level=amateur")(late, seat, 0) for seat in (0, 1)}
        for _, decision in play_out(match, agents, Limit()):
            twin.apply(decision.action)
        paid += expect(match.view(0), _core.HorsesView).scores != twin.view(0).scores
        other += match.returns() != twin.returns()
    return f"charge=stuck for turn: {paid} scores and {other} results differ in {matches} matches of the amateur"


def main() -> None:
    """Prints every figure under both penalties, and what the moment of the charge changes."""
    parser = argparse.ArgumentParser(prog="python -m bench.claims.horses", description="The claims about Horses")
    parser.add_argument("-n", "--matches", type=even_matches, default=4000, help="each deal is played twice (4000)")
    parser.add_argument("--only", choices=["charge"], help="only what the moment of the charge changes")
    given = parser.parse_args()
    pairs = given.matches // 2
    print(charges(3 * pairs // 2), flush=True)
    if given.only:
        return
    for penalty in PENALTIES:
        game = Horses(penalty=penalty)  # type: ignore[arg-type]
        print(f"\n{game.spec}")
        for line in strengths(game, pairs):
            print(line, flush=True)
        for level in ("beginner", "amateur", "expert"):
            print(overruled(game, level, pairs // 4), flush=True)
        print(spread(game, pairs // 4), flush=True)


if __name__ == "__main__":
    main()
