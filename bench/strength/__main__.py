"""``python -m bench.strength GAME A B -n MATCHES``: who is stronger, with an interval.

A and B play each deal twice, once in each seat, so that neither gains from a lucky deal or from beginning. The
same command gives the same figures again, unless it limits seconds.

    python -m bench.strength horses minimax:level=expert minimax:level=beginner -n 2000
    python -m bench.strength hex:size=7 astar beam -n 200 --nodes 5000 --jobs 2
"""

from __future__ import annotations

import argparse

import ludoteca
from bench.strength.pairs import Tally, even_matches, play_pairs
from ludoteca.protocols import Limit


def main() -> None:
    """Reads the command line, plays and prints one line about A."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description="Who is stronger, A or B?")
    parser.add_argument("game", help="such as horses:penalty=every")
    parser.add_argument("a", help="such as minimax:depth=4")
    parser.add_argument("b", help="such as random")
    parser.add_argument("-n", "--matches", type=even_matches, default=200, help="each deal is played twice (200)")
    parser.add_argument("--nodes", type=_positive, help="nodes that an agent may search for each action")
    parser.add_argument("--seconds", type=float, help="seconds that an agent may think about each action")
    parser.add_argument("--seed", type=int, default=0, help="the first deal's; the next ones follow (0)")
    parser.add_argument("--jobs", type=_positive, default=1, help="matches at a time (1)")
    given = parser.parse_args()
    limit = Limit(seconds=given.seconds, nodes=given.nodes)
    try:
        pairs = given.matches // 2
        matches = play_pairs(given.game, given.a, given.b, pairs, limit, seed=given.seed, jobs=given.jobs)
    except ludoteca.LudotecaError as error:
        parser.error(str(error))
    print(f"{given.game}: {given.a} against {given.b}")
    print(Tally.of(matches))


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


if __name__ == "__main__":
    main()
