"""``python -m bench.engines.hex_solver [SIZE …]``: the winning first moves of whole boards of Hex, proven and timed.

Each table is compared with the published one. 7×7 takes some minutes, so none of this is part of the tests. With
``--analysis`` it prints how long the static analysis of one position takes instead, on a board of each size. With
``--judge AGENT`` an agent that searches --nodes gives its verdict on every first move instead, also of 8×8, which takes
too long to prove: whether the other seat's answer is worth less than nothing to it.
"""

from __future__ import annotations

import argparse
import time

import ludoteca
from ludoteca import _core
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Decision, Limit
from ludoteca.testing import random_actions

WINNING = {
    2: "b1 a2",
    3: "c1 a2 b2 c2 a3",
    4: "d1 c2 b3 a4",
    5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
    6: "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
    7: "g1 c2 e2 f2 g2 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 g4 b5 c5 d5 e5 f5 a6 b6 c6 e6 a7",
    8: "h1 g2 h2 b3 c3 d3 e3 f3 g3 b4 c4 d4 e4 f4 g4 h4 a5 b5 c5 d5 e5 f5 g5 b6 c6 d6 e6 f6 g6 a7 b7 a8",
}
"""By size the first moves with which the seat that connects top and bottom wins; 8×8 is taken from the literature."""


def analysis_times(size: int, matches: int = 20) -> str:
    """The processor time of `hex_analysis` in positions of random matches, the one on turn first to last."""
    game = Hex(size)
    spent, known = [], 0
    for seed in range(matches):
        played = random_actions(game, seed)
        state = game.deal(0)
        for action in played[: size * size // 2]:
            if state.turn is None:
                break
            view = state.view(state.turn)
            began = time.process_time()
            known += _core.hex_analysis(view, view.seat).winner is not None
            spent.append(1000 * (time.process_time() - began))
            state.apply(action)
    spent.sort()
    mean, most = sum(spent) / len(spent), spent[len(spent) * 99 // 100]
    return (
        f"{size}×{size}: {len(spent)} positions of random play, {100 * known / len(spent):.0f}% decided; "
        f"{mean:.2f} ms each, 99% within {most:.2f} ms"
    )


def verdicts(size: int, agent: str, nodes: int) -> str:
    """On how many first moves an agent agrees with the table, and on which it does not."""
    game = Hex(size, "standard")
    make, winning, wrong = ludoteca.agent(agent), set(WINNING[size].split()), []
    for first in range(size * size):
        state = game.deal(0)
        state.apply(first)
        opinion = make(game, 1, 1).act(state.view(1), Limit(nodes=nodes))
        assert isinstance(opinion, Decision) and opinion.value is not None
        if (opinion.value < 0) != (game.action_name(first) in winning):
            wrong.append(f"{game.action_name(first)} ({-opinion.value:+.2f})")
    agreed = size * size - len(wrong)
    return f"{size}×{size}: {agent} with {nodes} nodes agrees on {agreed} of {size * size}; not on: {', '.join(wrong)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sizes", nargs="*", type=int, default=[5, 6, 7], metavar="SIZE", help="2 to 7, with --judge to 8"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", type=int, default=256, help="megabytes")
    parser.add_argument("--analysis", action="store_true")
    parser.add_argument("--judge", metavar="AGENT")
    parser.add_argument("--nodes", type=int, default=800, help="of the judge")
    options = parser.parse_args()
    for size in options.sizes:
        if options.analysis:
            print(analysis_times(size))
            continue
        if options.judge:
            print(verdicts(size, options.judge, options.nodes), flush=True)
            continue
        game = Hex(size, "standard")
        clock, processor = time.perf_counter(), time.process_time()
        found = _core.hex_solver(
            game.deal(0).view(0), all_moves=True, threads=options.threads, memory=options.memory
        ).run()
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        won = {game.action_name(action) for action, value in found.scores if value > 0}
        same = "as published" if won == set(WINNING[size].split()) and len(found.scores) == size**2 else "DIFFERENT"
        print(
            f"{size}×{size}: {len(won)} of {size**2} first moves win, {same}; {found.nodes:,} nodes, "
            f"{clock:.1f} s ({processor:.1f} s of processors), {options.threads} threads, {options.memory} MB"
        )


if __name__ == "__main__":
    main()
