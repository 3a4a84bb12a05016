"""Agents that search a tree with a network's priors and values (AlphaZero), and how they handle the swap rule."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from ludoteca import _core
from ludoteca.agents.networks.board_networks import WEIGHTS, Floats, Network, evaluate_both_ways
from ludoteca.agents.reasons import only_action, with_reasons
from ludoteca.agents.search_agent import decision_of_simulations
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, Limit, View

T = TypeVar("T")
Search = _core.HexNetworkSearch | _core.HorsesNetworkSearch
SEARCHES: Final[dict[str, type[Search]]] = {"hex": _core.HexNetworkSearch, "horses": _core.HorsesNetworkSearch}
UNLIMITED: Final = 64
"""Simulations for a decision without a limit."""
SIMULATIONS_PER_LEAF: Final = 2
"""Simulations in a round for each leaf that the network evaluates: some simulations need no network."""


class NetworkSearch:
    """Searches for one seat of one match. With a limit of nodes, the result depends on the view and the nodes alone.

    selection: how its nodes select. After PUCT the action is chosen by the improved policy, else by visits.
    static_proofs: prove positions without the network, where the game can.
    """

    def __init__(
        self,
        game: Game,
        network: Network,
        threads: int,
        memory: int,
        *,
        selection: _core.Selection,
        static_proofs: bool,
    ) -> None:
        self._network, self._threads = network, threads
        self._search: Search = SEARCHES[game.name](game, memory, selection, static_proofs)
        self._workers = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._slowest = 0.0
        """Recent seconds per round: a round that would end too late is not begun, except the first of a decision.

        On a machine that holds the process up, a first round that is late costs less than a move without any thought.
        """
        self._left_open = False
        """Whether a round was left before the network answered; then its tree cannot be used again."""

    def think(self, view: View, nodes: int | None, seconds: float | None) -> Iterator[_core.Choice]:
        """Yield the choice after each round, which evaluates a leaf per thread, until a limit or a proof.

        The last choice is yielded again in the middle of a round, so that the caller can stop there.
        """
        begun = time.monotonic()
        deadline = math.inf if seconds is None else begun + seconds
        # The tree is reused only on a clock: the same nodes shall decide the same, whatever was searched before.
        self._search.set_root(view, nodes is None and not self._left_open)  # type: ignore[arg-type]
        kept = self._search.visits
        choice = self._search.choice()
        self._left_open = False
        self._slowest *= 0.9  # else one that the machine held up for longer than the limit would be the last of all
        most = math.inf if nodes is None else kept + nodes
        while (
            not self._search.ended
            and (left := most - self._search.visits) > 0
            and ((now := time.monotonic()) + self._slowest < deadline or not choice.depth)
        ):
            leaves, tries = self._threads, self._threads * SIMULATIONS_PER_LEAF
            seen = self._search.select(int(min(leaves, left)), int(min(tries, left)))
            if len(seen):
                self._left_open = True
                if choice.depth:
                    yield choice
                self._search.expand(*self._ask(seen, first=not self._search.visits))
                self._left_open = False
            self._slowest = max(0.9 * self._slowest, time.monotonic() - now)
            choice = self._search.choice()
            yield choice
        yield choice

    def _ask(self, seen: Floats, first: bool) -> tuple[Floats, Floats]:
        if first:
            return evaluate_both_ways(self._network, seen)
        if self._workers is None or len(seen) == 1:
            return self._network(seen)
        others = [self._workers.submit(self._network, seen[i : i + 1]) for i in range(1, len(seen))]
        answers = [self._network(seen[:1]), *(other.result() for other in others)]
        return np.concatenate([a for a, _ in answers]), np.concatenate([b for _, b in answers])


class NetworkPlayer:
    """Decides by a tree search with a network. most: simulations per action, 0 for as many as the limit allows.

    With the same number of nodes it decides the same. selection, static_proofs: see `NetworkSearch`.
    """

    def __init__(
        self,
        game: Game,
        network: Network,
        most: int,
        threads: int,
        memory: int,
        *,
        selection: _core.Selection = _core.Selection.improved_policy,
        static_proofs: bool = False,
    ) -> None:
        self._network, self._most = network, most
        try:
            self._search = NetworkSearch(
                game, network, threads, memory, selection=selection, static_proofs=static_proofs
            )
        except ValueError:
            raise InvalidOption(
                "zero cannot play {game}: its network knows Hex only with layout=axial", game=game.spec
            ) from None

    def act(self, view: View, limit: Limit) -> Decision:
        """What it has found when the limit comes; without one, after 64 simulations."""
        if limit.nodes is None and limit.seconds is None:
            limit = replace(limit, nodes=UNLIMITED)
        return last_of(self.think(view, limit))

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """The same as a stream, endless without a limit; see `Thinker.think`."""
        found = explained = None
        for decision in self._search_or_swap(view, limit):
            if decision is not found or explained is None:
                found, explained = decision, with_reasons(view, decision)
            yield explained

    def _search_or_swap(self, view: View, limit: Limit) -> Iterator[Decision]:
        if len(legal := view.legal()) == 1:
            yield only_action(legal[0])
            return
        counts = [each for each in (self._most or None, limit.nodes) if each is not None]
        nodes = min(counts, default=None)
        swap = swap_action(view)
        if swap is None:
            shown: tuple[_core.Choice, Decision] | None = None
            for choice in self._search.think(view, nodes, limit.seconds):
                if shown is None or shown[0] is not choice:
                    shown = choice, decision_of(choice, legal[0])
                yield shown[1]
        elif swap in legal:
            yield from self._swap_or_stay(view, swap, nodes, limit.seconds)
        else:
            yield from even_opening(view, self._network, nodes, limit.seconds)

    def _swap_or_stay(self, view: View, swap: int, nodes: int | None, seconds: float | None) -> Iterator[Decision]:
        """Search both ways, each with half of the limit: with the stone taken over, and without."""
        if seconds is None:  # without a limit it would never come to the other half
            nodes = max(1, (UNLIMITED if nodes is None else nodes) // 2)
        else:
            nodes, seconds = None if nodes is None else max(1, nodes // 2), seconds / 2
        stay = Decision(view.legal()[0])
        for choice in self._search.think(view, nodes, seconds):
            stay = decision_of(choice, stay.action)
            yield stay
        swapped = view.sample(0)
        swapped.apply(swap)
        last = last_of(self._search.think(swapped.view(1 - view.seat), nodes, seconds))
        taken = -last.value if last.depth else 0.0
        if taken > (stay.value or 0.0):
            scores = {**stay.scores, swap: taken}
            line, nodes = (swap, *last.line), stay.nodes + last.nodes
            yield Decision(
                swap, taken, scores, line, say("it takes over the stone, which is worth more"), nodes, last.depth + 1
            )
        else:
            yield replace(stay, scores={**stay.scores, swap: taken}, nodes=stay.nodes + last.nodes)


def swap_action(view: View) -> int | None:
    """The swap action while it matters: for the seat that plays the first stone and the seat that answers it."""
    swap = details_of(view.game).swap
    if swap is None:
        return None
    empty = all(stone is None for stone in expect(view, _core.HexView).stones)
    return swap if empty or swap in view.legal() else None


def even_opening(view: View, network: Network, nodes: int | None, seconds: float | None) -> Iterator[Decision]:
    """The first stone after which neither side is much ahead, since the other may take it over.

    It tries the rim first, where such stones are, and of two cells that are half a turn apart only one. Each cell that
    it tries is a node.
    """
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    last = max(view.legal())
    middle = last / 2
    size = math.isqrt(last + 1)
    ways = [action for action in view.legal() if action <= middle]
    ways.sort(key=lambda action: -max(abs(2 * (action // size) - size + 1), abs(2 * (action % size) - size + 1)))
    scores: dict[int, float] = {}
    slowest = 0.0
    for action in ways[:nodes]:
        now = time.monotonic()
        if scores and now + slowest >= deadline:
            break
        state = view.sample(0)
        state.apply(action)
        seen = _core.network_input(expect(state.view(1 - view.seat), _core.HexView)).astype(np.float32)
        scores[action] = -abs(float(network(seen)[1][0]))
        slowest = max(slowest, time.monotonic() - now)
        best = max(scores, key=lambda each: scores[each])
        note = say("an opening that leaves both sides about even, since the other may take it over")
        yield Decision(best, scores[best], dict(scores), (best,), note, len(scores), 1)
    if not scores:
        yield Decision(ways[0], note=say("no time to look ahead: the first legal action"))


def last_of(stream: Iterator[T]) -> T:
    """The last element of a stream that is not empty."""
    last = next(stream)
    for last in stream:  # noqa: B007
        pass
    return last


def shipped_network(game: Game) -> Path:
    """The network that comes with Ludoteca for this game. Raises InvalidOption."""
    path = WEIGHTS / f"{game.name}-zero.onnx"
    if path.is_file():
        return path
    raise InvalidOption(
        "zero: no network is shipped for {game}; train one with `ludoteca train zero {game}` and give it as "
        "weights=PATH",
        game=game.name,
    )


def decision_of(found: _core.Choice, otherwise: int) -> Decision:
    """The choice of a search with a note. otherwise: the action to play before the network has answered."""
    if not found.depth:
        return Decision(otherwise, note=say("no time to look ahead: the first legal action"))
    return decision_of_simulations(found)
