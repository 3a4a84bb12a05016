"""``python -m bench.claims.hex [SECTION …]``: what the two Hex documents claim, measured.

docs/seeds/hex.md shows the figures. Positions are those of 20 matches between the two players, 10 in each seat, on
11×11 unless a line says otherwise. All but the times can be had again.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import ludoteca
from bench.strength.pairs import Player, Tally, agent_seed, even_matches, play_pairs, resume_pairs
from ludoteca import _core
from ludoteca.games.hex.game import Hex
from ludoteca.play.match import play_out
from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat, View
from ludoteca.ratings.wilson import ClusteredMean

SIZES = (7, 11)
MATCHES = 20
Seen = tuple[_core.HexView, tuple[list[int], list[int]], int]
"""What the seat on turn sees, the moves of each seat so far, and the number of the match."""


def seen(game: Hex, matches: int = MATCHES) -> Iterator[Seen]:
    """Every position of matches between the two players."""
    for seed in range(matches):
        names = ("astar", "beam") if seed % 2 == 0 else ("beam", "astar")
        agents = {seat: ludoteca.agent(name)(game, seat, agent_seed(seed, seat)) for seat, name in enumerate(names)}
        match = ludoteca.Match(game, seed)
        for _ in play_out(match, agents, Limit()):
            pass
        yield from positions(game, match.actions, seed)


def positions(game: Hex, actions: list[int], match: int = 0) -> Iterator[Seen]:
    """Every position of a match, by its number, before its end."""
    state = game.deal(0)
    for number, action in enumerate(actions):
        yield state.view(number % 2), (actions[:number][::2], actions[:number][1::2]), match
        state.apply(action)


Counted = tuple[bool, int]
"""Whether it was so in a position, and the match of the position."""


def share(counted: list[Counted]) -> str:
    """A share with its interval, which counts matches."""
    part, found = sum(each for each, _ in counted), ClusteredMean.of(counted)
    low, high = found.interval(len(counted))
    return f"{part} of {len(counted)}, {found.mean:.2%}, 95% interval {low:.2%} to {high:.2%}"


class Opened:
    """An agent whose first stone lies anywhere: so two that leave nothing to chance play many different matches."""

    def __init__(self, agent: str, game: Game, seat: Seat, seed: int) -> None:
        self._agent = ludoteca.agent(agent)(game, seat, seed)
        self._chance: Agent | None = ludoteca.agent("random")(game, seat, seed)

    def act(self, view: View, limit: Limit) -> Decision | Action:
        """A random action the first time, then the agent's."""
        chosen, self._chance = self._chance or self._agent, None
        return chosen.act(view, limit)


def strength(pairs: int, _: Path | None) -> Iterator[str]:
    """Who beats whom, without limit."""
    for size in SIZES:
        for a, b in (("astar", "random"), ("beam", "random"), ("astar", "beam")):
            tally = Tally.of(play_pairs(f"hex:size={size}", a, b, pairs))
            yield f"{size}×{size}: {a} against {b}: {tally}"
        for a, b in (
            ("astar", "beam"), ("astar", "astar:depth=1"), ("astar", "astar:depth=2"), ("astar:depth=4", "astar"),
            ("beam", "beam:width=0"), ("beam", "beam:width=4"),
        ):  # fmt: skip
            tally = Tally.of(play_pairs(f"hex:size={size}", partial(Opened, a), partial(Opened, b), pairs))
            yield f"{size}×{size}, first stones at random: {a} against {b}: {tally}"


def programs(pairs: int, file: Path | None) -> Iterator[str]:
    """The programs behind the documents against the documents, first stones at random; against chance, as they are."""
    astar, beam = "astar:variant=program", "beam:variant=program"
    for size in SIZES:
        for a, b in ((astar, "astar"), (astar, "astar:depth=4"), (beam, "beam"), (astar, beam)):
            name = f"{size}×{size}, first stones at random: {a} against {b}"
            yield f"{name}: {series(name, size, partial(Opened, a), partial(Opened, b), pairs, file)}"
        for a in (astar, beam):
            name = f"{size}×{size}: {a} against random"
            yield f"{name}: {series(name, size, a, 'random', pairs, file)}"


def series(name: str, size: int, a: Player, b: Player, pairs: int, file: Path | None) -> Tally:
    """What A got on a board of this size; matches in the file are not played again."""
    game = f"hex:size={size}"
    return Tally.of(resume_pairs(file, name, game, a, b, pairs) if file else play_pairs(game, a, b, pairs))


def pruning(*_: object) -> Iterator[str]:
    """What beta ≤ alpha saves at depth 3."""
    pairs = []
    for view, played, _match in seen(Hex()):
        cut, whole = (_core.hex_astar(view, 3, played, prune=prune).run().nodes for prune in (True, False))
        if whole:  # a win in one needs no search
            pairs.append((cut, whole))
    saved = [1 - cut / whole for cut, whole in pairs]
    together = 1 - sum(cut for cut, _ in pairs) / sum(whole for _, whole in pairs)
    yield (
        f"{together:.1%} of all nodes; by position: median {statistics.median(saved):.1%}, "
        f"least {min(saved):.1%}, most {max(saved):.1%} ({len(saved)} positions)"
    )


def times(*_: object) -> Iterator[str]:
    """CPU time for a move."""
    views = list(seen(Hex()))
    searches: list[tuple[str, list[Seen], Callable[[Seen], object]]] = [
        ("astar", views, lambda at: _core.hex_astar(at[0], 3, at[1]).run()),
        ("beam", views, lambda at: _core.hex_beam(at[0], 8, 1).run()),
    ]
    for name, sample, search in searches:
        taken = []
        for at in sample:
            start = time.process_time()
            search(at)
            taken.append(1e3 * (time.process_time() - start))
        yield f"{name}: mean {statistics.mean(taken):.2f} ms, most {max(taken):.2f} ms ({len(taken)} moves)"


def overrun(*_: object) -> Iterator[str]:
    """By how much of its time limit astar at depth 9 is late."""
    for limit in (0.05, 0.5):
        late = []
        for view, played, _match in list(seen(Hex()))[3::46]:
            start = time.perf_counter()
            complete = _core.hex_astar(view, 9, played, seconds=limit).run().complete
            if not complete:
                late.append((time.perf_counter() - start) / limit - 1)
        yield f"limit {limit} s: late by {statistics.mean(late):.1%}, at most {max(late):.1%} ({len(late)} moves)"


def long_overrun(*_: object) -> Iterator[str]:
    """The same at the document's scale, 30 s and more: ten minutes, and what else the machine did meanwhile."""
    for size, limit in itertools.product((11, 19), (30, 60)):
        late: list[float] = []
        for view, played, _match in list(seen(Hex(size), 1))[size::2]:
            start = time.perf_counter()
            if not _core.hex_astar(view, 9, played, seconds=limit).run().complete:
                late.append(time.perf_counter() - start - limit)
            if len(late) == 3:
                break
        yield (
            f"{size}×{size}, limit {limit} s: late by {max(late) * 1e3:.1f} ms at most, {max(late) / limit:.3%} "
            f"({len(late)} moves; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
        )


def maximum(*_: object) -> Iterator[str]:
    """In how many judged moves the score is 1 - Ev(B, Y), not Ev(B, X); and how often there are four paths."""
    for size in SIZES:
        first: list[float] = []
        second: list[Counted] = []
        fewer: list[Counted] = []
        for view, _played, match in seen(Hex(size)):
            for action in view.legal():
                after = view.sample(0)
                after.apply(action)
                if after.turn is None:
                    continue
                own, others = (_core.hex_four_paths(after.view(0), seat, 1) for seat in (view.seat, 1 - view.seat))
                first.append(1 - math.prod(own) / size**8)
                second.append((math.prod(others) / size**8 > first[-1], match))
                fewer.append((size**2 in own, match))
        yield (
            f"{size}×{size}: 1 - Ev(B, Y) is the larger: {share(second)}; "
            f"Ev(B, X): median {statistics.median(first):.6f}, least {min(first):.4f}"
        )
        yield f"{size}×{size}: X has fewer than four paths: {share(fewer)}"


def shortcuts(*_: object) -> Iterator[str]:
    """What the program behind ai-hex-2025 plays without a search, and for want of a path of the other."""
    for size in SIZES:
        quick: list[Counted] = []
        no_path: list[Counted] = []
        missed: list[Counted] = []
        for view, _played, match in seen(Hex(size)):
            found, cells = _core.hex_beam_program(view, 8, 1).run(), size**2
            quick.append((found.depth == 1, match))
            can_win = [
                action for action in view.legal() if not all(_core.hex_paths_through(view, action, view.seat, 1))
            ]
            if can_win:
                missed.append((found.action not in can_win, match))
            others = _core.hex_paths_through(view, found.action, 1 - view.seat, 1)
            no_path.append((others == [cells] and found.action not in can_win, match))
        yield f"{size}×{size}: played without a search: {share(quick)}"
        yield f"{size}×{size}: a cell through which the other has no path, no win: {share(no_path)}"
        yield f"{size}×{size}: a win in one passed over: {share(missed)}"


def luck(*_: object) -> Iterator[str]:
    """How often another seed chooses another move."""
    for size in SIZES:
        other = [
            (_core.hex_beam(view, 8, 1).run().action != _core.hex_beam(view, 8, 2).run().action, match)
            for view, _played, match in seen(Hex(size))
        ]
        yield f"{size}×{size}: another seed plays another move: {share(other)}"


SECTIONS = {
    each.__name__: each
    for each in (strength, programs, pruning, times, overrun, long_overrun, maximum, shortcuts, luck)
}


def main() -> None:
    """Prints every figure, or those of the sections named."""
    parser = argparse.ArgumentParser(prog="python -m bench.claims.hex", description="The claims about Hex")
    parser.add_argument("sections", nargs="*", default=list(SECTIONS), metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument(
        "-n", "--matches", type=even_matches, default=200, help="of each strength, an even number (200)"
    )
    parser.add_argument("--file", type=Path, help="keeps the matches of `programs`: a run that was stopped goes on")
    given = parser.parse_args()
    for name in given.sections:
        for line in SECTIONS[name](given.matches // 2, given.file):
            print(f"{name}: {line}", flush=True)


if __name__ == "__main__":
    main()
