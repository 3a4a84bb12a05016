"""``python -m tests.bench.references [NAME …]``: the documents' algorithms in plain Python, measured beside ours.

The references are the tests' oracles, so what measures them lives here and not in `bench`; ``make bench`` runs
``speed``. docs/performance.md and docs/seeds show the figures.

speed      decisions and playouts per CPU second, ours and theirs in turns, with the same values
memo       how many evaluations the memo of the Hex player spares at depth 3, and how many more by symmetry
estimate   how often A* with the document's estimate misses the shortest path of Hex
times      CPU time of the Hex player for a move
overrun    by how much of a limit of 30 s the Hex player is late, and the program behind it; some minutes
trees      how many nodes a depth costs in Dominoes, in plain minimax and in ours, at the first choice of a match
memory     peak memory of one decision in Dominoes, by cases and by minimax
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ludoteca
from bench.claims.hex import MATCHES, Seen, positions, seen, share
from bench.measure import Row, markdown, side_by_side
from ludoteca import _core
from ludoteca.agents.horses.minimax import LEVELS
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.games.hex.game import Hex
from ludoteca.games.kittens.cards import CARDS, DECKS
from ludoteca.protocols import Agent, Decision, Limit, View
from ludoteca.testing import random_actions
from tests.agents.dominoes.reference import Node, Search, play_tile
from tests.agents.hex.reference import EPSILON, Beam, Board, Forgetful, HexAI, HexAIProgram, distance, documented
from tests.agents.horses.reference import decide
from tests.games.kittens.reference import Table

DEALS = 20


def speed() -> Iterator[str]:
    """One table of all comparisons."""
    yield markdown([kittens_row(), dominoes_row(4), astar_row("hex", 12), beam_row("hex:size=4", 4), horses_row()])


def kittens_row(ours: int = 20_000, theirs: int = 100) -> Row:
    state = ludoteca.game("kittens").deal(1)
    cards = [card for card, copies in zip(CARDS, DECKS["v2"], strict=True) for _ in range(copies)]

    def core() -> int:
        state.playouts(ours, 1, False)  # type: ignore[attr-defined]
        return ours

    def reference() -> int:
        chance = random.Random(1)
        start = Table(chance.sample(cards, len(cards)), shuffled=lambda deck: chance.sample(deck, len(deck)))
        for _ in range(theirs):
            table = start.copy()
            while table.turn is not None:
                table.play(chance.choice(table.legal()))
        return theirs

    return side_by_side("Kittens playouts", "playouts", core, reference, peer="plain Python", target="300×")


def dominoes_row(depth: int) -> Row:
    """Whole decisions, with a value for every action."""
    game = Dominoes()
    views, search = list(choices(game, 6)), Search(6)
    agent = ludoteca.agent(f"tumbafichas:depth={depth}")(game, 0, 0)
    what = f"Dominoes tumbafichas, depth {depth}, first choice"
    return decisions(what, agent, views, lambda view: search.decide(view, depth))


def horses_row() -> Row:
    """The expert level, at whole decisions with a value for every action."""
    depth, game = LEVELS["expert"], ludoteca.game("horses")
    views = [game.deal(seed).view(0) for seed in range(3)]
    agent = ludoteca.agent(f"minimax:depth={depth}")(game, 0, 0)
    return decisions(f"Horses minimax, depth {depth}, first action", agent, views, lambda view: decide(view, depth))


def decisions(
    what: str, agent: Agent, views: Sequence[View], decided: Callable[[Any], object], repeat: int = 300
) -> Row:
    """An agent beside a reference that gives its scores and its line."""

    def ours() -> int:
        for _ in range(repeat):
            for view in views:
                agent.act(view, Limit())
        return repeat * len(views)

    def theirs() -> int:
        for view in views:
            decision = agent.act(view, Limit())
            assert isinstance(decision, Decision)
            assert decided(view) == (decision.scores, decision.line), "the values differ"
        return len(views)

    return side_by_side(what, "decisions", ours, theirs, peer="plain Python", target="100×, same values")


def position(spec: str, stones: int, seed: int = 1) -> tuple[Any, dict[int, list[int]]]:
    """A view after some random moves, and the moves of each player."""
    game = ludoteca.game(spec)
    state, played = game.deal(0), random_actions(game, seed)[:stones]
    for action in played:
        state.apply(action)
    return state.view(stones % 2), {1: played[::2], -1: played[1::2]}


def astar_row(spec: str, stones: int) -> Row:
    view, recent = position(spec, stones)
    board, player = Board.of(view), 1 - 2 * view.seat

    def ours() -> int:
        for _ in range(20):
            _core.hex_astar(view, 3, (recent[1], recent[-1])).run()
        return 20

    def theirs() -> int:
        HexAI(player).choose(board, recent)
        return 1

    slow = HexAI(player)
    assert slow.choose(board, recent) == _core.hex_astar(view, 3, (recent[1], recent[-1])).run().action
    assert slow.values == dict(_core.hex_astar(view, 3, (recent[1], recent[-1])).run().scores)
    return side_by_side(
        "Hex 11×11 `astar`, depth 3, same move and values", "moves", ours, theirs, peer="plain Python", target="100×"
    )


def beam_row(spec: str, stones: int) -> Row:
    view, _ = position(spec, stones)
    board, player, seed = Board.of(view), 1 - 2 * view.seat, 1

    def ours() -> int:
        for _ in range(20):
            _core.hex_beam(view, 8, seed).run()
        return 20

    def theirs() -> int:
        Beam(seed, board.size, player).minimax(board, player, 8)
        return 1

    found = _core.hex_beam(view, 8, seed).run()
    value, move = Beam(seed, board.size, player).minimax(board, player, 8)
    assert (move, value / board.size**8) == (found.action, found.value)
    return side_by_side(
        "Hex 4×4 `beam`, five plies, same move and value", "moves", ours, theirs, peer="plain Python", target="100×"
    )


class CountingHexAI(HexAI):
    """The document's player, counting its evaluations."""

    made = 0

    def evaluate(self, board: Board) -> float:
        self.made += 1
        return super().evaluate(board)


class SymmetricHexAI(CountingHexAI):
    """It also remembers what a board evaluated to that is the same turned round, or mirrored with colours exchanged.

    Half a turn leaves both distances as they are; the mirror exchanges them. So the memo holds both.
    """

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self.distances: dict[bytes, tuple[float, float]] = {}

    def evaluate(self, board: Board) -> float:
        cells = bytes(cell + 1 for cell in board.cells)
        sides = range(board.size)
        mirrored = bytes(2 - cells[row * board.size + column] for column in sides for row in sides)
        key, exchanged = min((cells, 0), (cells[::-1], 0), (mirrored, 1), (mirrored[::-1], 1))
        players = (1, -1) if not exchanged else (-1, 1)
        if key not in self.distances:
            self.made += 1
            self.distances[key] = distance(board, players[0]), distance(board, players[1])
        found = dict(zip(players, self.distances[key], strict=True))
        return found[-self.player] / (found[self.player] + EPSILON)


def memo() -> Iterator[str]:
    for size, matches in ((7, 4), (11, 4)):
        made, latest = Counter[str](), 0
        seconds = {"none": 0.0, "plain": 0.0, "symmetric": 0.0}
        for at in seen(Hex(size), matches):
            players = {
                "none": CountingHexAI(player(at), memo=Forgetful()),
                "plain": CountingHexAI(player(at)),
                "symmetric": SymmetricHexAI(player(at)),
            }
            moves = set()
            for name, slow in players.items():
                start = time.process_time()
                moves.add(choose(slow, at))
                seconds[name] += time.process_time() - start
                made[name] += slow.made
            assert len(moves) == 1, "the memo changes a move"
            if players["symmetric"].made < players["plain"].made:
                latest = max(latest, sum(map(len, at[1])))
        saved = made["none"] - made["plain"]
        yield f"{size}×{size}: spares evaluations: {saved} of {made['none']}, {saved / made['none']:.2%}"
        spared, longer = made["plain"] - made["symmetric"], seconds["symmetric"] / seconds["plain"] - 1
        yield (
            f"{size}×{size}: a symmetric memo spares besides: {spared} of {made['plain']}, "
            f"{spared / made['plain']:.2%}, never with more than {latest} stones on the board; CPU time {longer:+.1%}"
        )


def player(at: Seen) -> int:
    """The document's number for the seat on turn."""
    return 1 - 2 * at[0].seat


def choose(slow: HexAI, at: Seen) -> int:
    """The move of the document's player."""
    return slow.choose(Board.of(at[0]), {1: at[1][0], -1: at[1][1]})


def estimate() -> Iterator[str]:
    at_random = [each for seed in range(MATCHES) for each in positions(Hex(), random_actions(Hex(), seed), seed)]
    for name, views in (("these", list(seen(Hex()))), ("random", at_random)):
        excess: list[tuple[int, int]] = []
        for view, _played, match in views:
            for seat in (0, 1):
                true = _core.hex_distance(view, seat)
                assert true is not None
                excess.append((int(distance(Board.of(view), 1 - 2 * seat, documented)) - true, match))
        wrong = share([(each > 0, match) for each, match in excess])
        yield f"{name} positions: too long a path: {wrong}; by up to {max(excess)[0]}"


def times() -> Iterator[str]:
    taken = []
    for at in list(seen(Hex()))[::10]:
        start = time.process_time()
        choose(HexAI(player(at)), at)
        taken.append(1e3 * (time.process_time() - start))
    yield f"astar: mean {statistics.mean(taken):.2f} ms, most {max(taken):.2f} ms ({len(taken)} moves)"


class LateHexAI(HexAI):
    """The document's player with its time limit: it looks at the clock before each move, and breaks off when late."""

    until = math.inf

    def after(self, *given: Any) -> float:
        if time.process_time() > self.until:
            raise TimeoutError
        return super().after(*given)


class LateProgram(HexAIProgram):
    """The program with its own limit: seven eighths of it, counted anew at each node; a first move that is late is out.

    Its tasks never wait for anything, so the event loop runs all of them before it looks at the clock itself.
    """

    limit, late = 30.0, 0

    def decide(self, board: Board) -> None:
        for move in super().candidates(board, 3):
            try:
                after = board.put(move, self.player)
                self.values[move] = self.search(after, -self.player, self.depth, -math.inf, math.inf)
            except TimeoutError:
                self.late += 1

    def candidates(self, board: Board, depth: int) -> Iterator[int]:  # type: ignore[override]
        until = time.process_time() + self.limit * 7 / 8
        for move in super().candidates(board, depth):
            if time.process_time() > until:
                raise TimeoutError
            yield move


def overrun() -> Iterator[str]:
    limit, played = LateProgram.limit, list(seen(Hex(), 1))
    for at in played[6:15:4]:
        slow = LateHexAI(player(at), depth=9)
        start = time.process_time()
        slow.until = start + limit
        try:
            choose(slow, at)
        except TimeoutError:
            spent = time.process_time() - start
            yield f"document, depth 9, limit {limit:.0f} s of CPU: late by {spent / limit - 1:.3%}"
    scattered = list(positions(Hex(), random_actions(Hex(), 0)))[24]
    for name, at in (("a match", played[14]), ("a random match", scattered)):
        program = LateProgram(player(at), at[1][0])
        start = time.process_time()
        program.decide(Board.of(at[0]))
        spent = time.process_time() - start
        yield (
            f"program, {sum(map(len, at[1]))} stones of {name}, limit {limit:.0f} s: {spent:.0f} s of CPU, "
            f"{spent / limit - 1:+.0%}; {len(program.values)} first moves searched, {program.late} given up"
        )


def choices(game: Dominoes, deals: int) -> Iterator[_core.DominoesView]:
    """The first real choice of each deal."""
    for seed in range(deals):
        state = game.deal(seed)
        while len(state.legal()) == 1:
            state.apply(state.legal()[0])
        assert state.turn is not None
        yield state.view(state.turn)


class CountingSearch(Search):
    """The plain minimax, counting the nodes that it copies."""

    copied = 0

    def successors(self, node: Node, ours: bool) -> tuple[list[Node], float]:
        found = super().successors(node, ours)
        self.copied += len(found[0])
        return found


def trees() -> Iterator[str]:
    views = list(choices(Dominoes(), DEALS))
    hands = sum(math.comb(len(view.unseen), view.counts[1 - view.seat]) for view in views) / DEALS
    yield f"first choice: the other's tiles are any of {hands:,.0f} hands on average, at the deal {math.comb(21, 7):,}"
    for depth in (2, 4, 6):
        plain, nodes = CountingSearch(6), 0
        for view in views:
            plain.decide(view, depth)
            nodes += _core.dominoes_minimax(view, depth, False).run().nodes
        yield f"depth {depth}: plain minimax copies {plain.copied / DEALS:,.0f} nodes, ours sees {nodes / DEALS:,.0f}"


def memory() -> Iterator[str]:
    def peak(decided: Callable[[_core.DominoesView], object]) -> float:
        most = 0
        for view in choices(Dominoes(), DEALS):
            tracemalloc.start()
            decided(view)
            most = max(most, tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        return most / 1024

    def by_cases(view: _core.DominoesView) -> object:
        assert view.ends is not None
        chance = view.counts[1 - view.seat] / len(view.unseen)
        hand = {numbers(tile) for tile in view.hand}
        counts = {number: sum(number in pair for pair in hand) for number in range(7)}
        return play_tile(hand, {numbers(tile): chance for tile in view.unseen}, counts, list(view.ends))

    cases, minimax = peak(by_cases), peak(lambda view: Search(6).decide(view, 4))
    yield f"peak memory of a decision in plain Python: cases {cases:.0f} KiB, minimax of depth 4 {minimax:.0f} KiB"


MEASUREMENTS = {each.__name__: each for each in (speed, memo, estimate, times, overrun, trees, memory)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.references", description="Plain Python beside ours")
    parser.add_argument("names", nargs="*", default=list(MEASUREMENTS), metavar="NAME", help=", ".join(MEASUREMENTS))
    for name in parser.parse_args().names:
        for line in MEASUREMENTS[name]():
            print(line if name == "speed" else f"{name}: {line}", flush=True)


if __name__ == "__main__":
    main()
