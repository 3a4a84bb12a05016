"""A player that a network leads: it learnt the game by playing against itself, and looks ahead where that pays."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Final, TypeVar

import numpy as np

from ludoteca import _core
from ludoteca.agents.boards import WEIGHTS, Judge, both_ways, judge
from ludoteca.errors import InvalidOption
from ludoteca.games.described import expect
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, within

__all__ = ["NetworkSearch", "Zero"]

NONE: Final = Path()
T = TypeVar("T")
Search = _core.HexNetworkSearch | _core.HorsesNetworkSearch
SEARCHES: Final[dict[str, type[Search]]] = {"hex": _core.HexNetworkSearch, "horses": _core.HorsesNetworkSearch}
UNLIMITED: Final = 64
"""Simulations for a decision when nobody says how long it may think."""
LOOKS: Final = 2
"""Simulations in a round for each position that the network is asked about: some need no network."""
MOST_SIMULATIONS: Final = 10**9


class NetworkSearch:
    """Searches for one seat of one match. With a limit of nodes, what it finds follows from these and the view alone.

    certain: what is certain about a position, where the game can tell, comes before what the network thinks of it.
    """

    def __init__(self, game: Game, network: Judge, threads: int, memory: int, certain: bool = False) -> None:
        self._judge, self._threads = network, threads
        self._search: Search = SEARCHES[game.name](game, memory, certain)
        self._crew = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._slowest = 0.0
        """Seconds that the network has taken of late: a search that would end too late is not begun."""

    def think(self, view: View, nodes: int | None, seconds: float | None) -> Iterator[_core.Choice]:
        """What it would play after each round of as many positions as there are threads, until a limit or a proof."""
        begun = time.monotonic()
        deadline = math.inf if seconds is None else begun + seconds
        # What was found before is kept only on a clock: the same nodes shall decide the same, whatever came before.
        self._search.begin(view, nodes is None)  # type: ignore[arg-type]
        kept = self._search.visits
        most = math.inf if nodes is None else kept + nodes
        while (
            not self._search.ended
            and (left := most - self._search.visits) > 0
            and (now := time.monotonic()) + self._slowest < deadline
        ):
            seen = self._search.select(int(min(self._threads, left)), int(min(self._threads * LOOKS, left)))
            if len(seen):
                self._search.expand(*self._ask(seen, first=not self._search.visits))
            self._slowest = max(0.9 * self._slowest, time.monotonic() - now)
            yield self._search.choice()
        yield self._search.choice()

    @property
    def visits(self) -> int:
        """Of the root, those that were kept from before included."""
        return self._search.visits

    def _ask(self, seen: _Floats, first: bool) -> tuple[_Floats, _Floats]:
        if first:
            return both_ways(self._judge, seen)
        if self._crew is None or len(seen) == 1:
            return self._judge(seen)
        others = [self._crew.submit(self._judge, seen[i : i + 1]) for i in range(1, len(seen))]
        answers = [self._judge(seen[:1]), *(other.result() for other in others)]
        return np.concatenate([a for a, _ in answers]), np.concatenate([b for _, b in answers])


_Floats = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class Zero:
    """Plays by a network that learnt from nothing but matches against itself, and by a search that it leads.

    The network says which actions are promising and who is ahead; the search tries the promising ones first and
    believes what it finds more, the more it has looked. Its scores are the returns that the seat may expect. Each
    position that the network was asked about counts as a node; with the same number of nodes it decides the same.
    """

    games: ClassVar = frozenset(SEARCHES)
    _certain: ClassVar = False

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        simulations: Annotated[
            int,
            Label(
                say("simulations"),
                say("at most so many for each action, 1: the network's first thought; 0: as many as the limit allows"),
            ),
        ] = 0,
        weights: Annotated[
            Path, Label(say("own network"), say("a network of your own, from `ludoteca train zero`"))
        ] = NONE,
        threads: Annotated[int, Label(say("threads"), say("threads that search at the same time, 1 to 64"))] = 1,
        memory: Annotated[int, Label(say("memory"), say("megabytes for the tree, 1 to 65536"))] = 256,
    ) -> None:
        self._simulations = within("zero", "simulations", simulations, 0, MOST_SIMULATIONS)
        self._threads = within("zero", "threads", threads, 1, 64)
        self._memory = within("zero", "memory", memory, 1, 65536)
        self._path = shipped(game) if weights == NONE else Path(weights).expanduser()
        self._judge = judge(self._path)
        self._search = network_search(game, self._judge, self._threads, self._memory, self._certain)

    def act(self, view: View, limit: Limit) -> Decision:
        """What it has found when the limit comes; without one, after 64 simulations."""
        if limit.nodes is None and limit.seconds is None:
            limit = replace(limit, nodes=UNLIMITED)
        return last_of(self.think(view, limit))

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """The same as a stream, endless without a limit; see `Thinker.think`."""
        if len(legal := view.legal()) == 1:
            yield Decision(legal[0], note=say("forced: the only legal action"))
            return
        counts = [each for each in (self._simulations or None, limit.nodes) if each is not None]
        nodes = min(counts, default=None)
        swap = swap_action(view)
        if swap is None:
            for choice in self._search.think(view, nodes, limit.seconds):
                yield decision_of(choice, legal[0])
        elif swap in legal:
            yield from self._swap_or_stay(view, swap, nodes, limit.seconds)
        else:
            yield even_opening(view, self._judge)

    def _swap_or_stay(self, view: View, swap: int, nodes: int | None, seconds: float | None) -> Iterator[Decision]:
        """Half of the limit for each: what the stone is worth to whoever has it, and what can be done against it."""
        nodes = None if nodes is None else max(1, nodes // 2)
        seconds = None if seconds is None else seconds / 2
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
                swap, taken, scores, line, say("takes the stone over: it is worth more"), nodes, last.depth + 1
            )
        else:
            yield replace(stay, scores={**stay.scores, swap: taken}, nodes=stay.nodes + last.nodes)


def network_search(game: Game, network: Judge, threads: int, memory: int, certain: bool = False) -> NetworkSearch:
    """A search of this game. Raises InvalidOption where a network cannot be shown its rules."""
    try:
        return NetworkSearch(game, network, threads, memory, certain)
    except ValueError:
        raise InvalidOption(
            say("zero: a network cannot be shown {game}: Hex needs layout=axial", game=game.spec)
        ) from None


def swap_action(view: View) -> int | None:
    """The action that takes over the first stone, while it matters: for who puts that stone and who answers it."""
    if not isinstance(view, _core.HexView) or not view.game.options.get("swap"):
        return None
    swap = int(view.game.num_actions) - 1
    empty = all(stone is None for stone in view.stones)
    return swap if empty or swap in view.legal() else None


def even_opening(view: View, network: Judge) -> Decision:
    """The first stone after which neither side is much ahead: the other may take it over."""
    legal, seen = view.legal(), []
    for action in legal:
        state = view.sample(0)
        state.apply(action)
        seen.append(_core.network_sight(expect(state.view(1 - view.seat), _core.HexView)).astype(np.float32))
    values = [float(both_ways(network, each)[1][0]) for each in seen]  # one by one: large batches are no faster
    scores = {action: -abs(value) for action, value in zip(legal, values, strict=True)}
    best = max(legal, key=lambda action: scores[action])
    note = say("an opening that leaves both sides about even, since the other may take it over")
    return Decision(best, scores[best], scores, (best,), note, len(legal), 1)


def last_of(stream: Iterator[T]) -> T:
    """The last of at least one; the others are forgotten at once."""
    last = next(stream)
    for last in stream:  # noqa: B007
        pass
    return last


def shipped(game: Game) -> Path:
    """The network that comes with Ludoteca for this game. Raises InvalidOption."""
    path = WEIGHTS / f"{game.name}-zero.onnx"
    if path.is_file():
        return path
    raise InvalidOption(
        say(
            "zero: no network is shipped for {game}; train one with `ludoteca train zero {game}` and give it as "
            "weights=PATH",
            game=game.name,
        )
    )


def decision_of(found: _core.Choice, otherwise: int) -> Decision:
    """What a search has chosen, in words. otherwise: what to play before the network has said anything."""
    if not found.depth:
        return Decision(otherwise, note=say("no time to look ahead: the first legal action"))
    note = say_count(
        "{count} simulation, at most {depth} plies into the tree",
        "{count} simulations, at most {depth} plies into the tree",
        found.nodes, depth=found.depth,
    )  # fmt: skip
    if found.exhaustive:
        note = joined([say("a win for certain") if found.value > 0 else say("a loss for certain"), note], "; ")
    return Decision(
        found.action, found.value, dict(found.scores), found.line, note, found.nodes, found.depth, found.exhaustive
    )
