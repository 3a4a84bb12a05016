"""``python -m bench.engines.kittens [-n MATCHES] [--only PART]``: how strong the Kittens engine is.

``original``: in rules=original, seat 0 against v2 in seat 1: wins with the interval of single matches,
each on a deal of its own.
``clean``: in rules=clean against the other agents, both seats of the same deals; a tenth of the matches.
``small``: decks so small that they can be solved: what a best response gains against each agent, 0 being an
equilibrium; the engine once as it plays, by the equilibrium, and once by its playouts alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import ludoteca
from bench.claims.kittens import won
from bench.strength.pairs import Tally, play_pairs
from ludoteca import _core
from ludoteca.agents.kittens.equilibrium import build
from ludoteca.protocols import Action, Decision, Game, Limit

OTHERS = ("dqn", "v2", "v1", "random")
SMALL = ("bomb1+safe3", "bomb2+safe2", "bomb2+safe3")
MAX_POSITIONS = 200_000
PLAYOUTS = Limit(nodes=300)


def original(matches: int) -> None:
    """Seat 0 against the opponent of the document."""
    print(f"rules=original, engine against v2: {won('engine', 'v2', matches)[0]}", flush=True)


def clean(matches: int) -> None:
    """Both seats against every other agent."""
    for other in OTHERS:
        tally = Tally.of(play_pairs("kittens", "engine", other, max(1, matches // 20)))
        print(f"rules=clean, engine against {other}: {tally}", flush=True)


def small(matches: int) -> None:
    """What best responses gain."""
    for deck in SMALL:
        game = ludoteca.game(f"kittens:deck={deck}")
        equilibrium = build(game, MAX_POSITIONS)
        assert equilibrium is not None
        views = equilibrium.views
        print(f"deck={deck}: {equilibrium.positions:,} positions, {len(views):,} views", flush=True)
        for name, play in players(game).items():
            gain = equilibrium.exploitability([play(view) for view in views])
            print(f"    {name}: {gain:.5f}", flush=True)


def players(game: Game) -> dict[str, Callable[[_core.KittensView], list[float]]]:
    """By name: the chance of each legal action of a view."""

    def uniform(view: _core.KittensView) -> list[float]:
        return [1 / len(view.legal())] * len(view.legal())

    def chosen(name: str, limit: Limit) -> Callable[[_core.KittensView], list[float]]:
        make = ludoteca.agent(name)

        def play(view: _core.KittensView) -> list[float]:
            decision: Decision | Action = make(game, view.seat, 1).act(view, limit)
            action = decision.action if isinstance(decision, Decision) else decision
            return [float(each == action) for each in view.legal()]

        return play

    def mixed(view: _core.KittensView) -> list[float]:
        decision = ludoteca.agent("engine")(game, view.seat, 1).act(view, Limit())
        assert isinstance(decision, Decision)
        return [decision.scores[each] for each in view.legal()]

    return {
        "random": uniform,
        "v2": chosen("v2", Limit()),
        "dqn": chosen("dqn", Limit()),
        "engine, 300 playouts": chosen("engine", PLAYOUTS),
        "engine": mixed,
    }


PARTS: dict[str, Callable[[int], None]] = {"original": original, "clean": clean, "small": small}


def main() -> None:
    """Measures everything, or one part."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines.kittens")
    parser.add_argument("-n", "--matches", type=int, default=20_000)
    parser.add_argument("--only", choices=sorted(PARTS))
    given = parser.parse_args()
    for name, part in PARTS.items():
        if given.only in (None, name):
            part(given.matches)


if __name__ == "__main__":
    main()
