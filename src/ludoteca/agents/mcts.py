"""The player for any game: tree search over information sets, by simulations alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from ludoteca import _core
from ludoteca.agents import python_tree
from ludoteca.agents.reasons import only_action
from ludoteca.agents.search_agent import SearchAgent, SearchTask, decision_of_simulations
from ludoteca.errors import InvalidOption
from ludoteca.messages import say, say_count
from ludoteca.protocols import AgentFactory, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of, within

MOST_EXPLORATION = 100.0
MOST_SIMULATIONS = 10**12
UNLIMITED = 10_000
"""Simulations for a decision without any limit; a game in Python makes do with a tenth."""


class MCTS(SearchAgent):
    """Simulates the match from here again and again and plays what it tried most often, in any game.

    Each simulation samples a world that the seat may be in, follows the actions that did best in the simulations before
    or were tried least, and ends by chance, or with an evaluation. So with time it finds good play, the best where
    nothing is hidden; there it also ends as soon as it has proven who wins. Its scores are the returns that each action
    had on average, but none is higher than that of what it tried most often. Each simulation counts as a node.

    With the same seed and the same number of simulations it decides the same, on several threads too, unless it reuses
    its tree: then also by what it has searched before in this match.
    """

    samples = True

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        simulations: Annotated[
            int,
            Label(
                say("simulations"),
                say("at most so many for each action; 0: as many as the limit allows, or else 10,000"),
            ),
        ] = 0,
        exploration: Annotated[
            float, Label(say("exploration"), say("how much it tries what it knows little of, 0 to 100"))
        ] = 1.0,
        playouts: Annotated[
            int, Label(say("playouts"), say("random playouts that each simulation ends with, 1 to 1000"))
        ] = 1,
        reuse: Annotated[
            bool, Label(say("reuse of the tree"), say("keeps what it has found out about the position that came up"))
        ] = False,
        threads: Annotated[int, Label(say("threads"), say("threads that search at the same time, 1 to 64"))] = 1,
        memory: Annotated[int, Label(say("memory"), say("megabytes for the tree, 1 to 65536"))] = 256,
        evaluation: Annotated[
            str,
            Label(
                say("evaluation"),
                say(
                    "what evaluates positions in place of playouts: distances (hex), points (horses), tiles (dominoes)"
                ),
            ),
        ] = "",
    ) -> None:
        if not 0 <= exploration <= MOST_EXPLORATION:
            raise InvalidOption(
                "mcts: exploration={exploration} must be a number from 0 to {most:g}",
                exploration=exploration,
                most=MOST_EXPLORATION,
            )
        self._simulations = within("mcts", "simulations", simulations, 0, MOST_SIMULATIONS)
        self._exploration, self._reuse, self._seed = float(exploration), bool(reuse), seed
        self._playouts = within("mcts", "playouts", playouts, 1, 1000)
        self._threads = within("mcts", "threads", threads, 1, 64)
        self._memory = within("mcts", "memory", memory, 1, 65536)
        self._evaluation = _checked(game, evaluation) if evaluation else ""
        self._evaluate: python_tree.Evaluation = python_tree.random_playout
        if evaluation and game.name not in CORE_TREES:
            self._evaluate = _given(game)[evaluation]
        self._core: _CoreTree | None = None
        self._python: python_tree.Tree | None = None

    def act(self, view: View, limit: Limit) -> Decision:
        """What it has found when the limit comes."""
        if self._in_core(view):
            return super().act(view, limit)
        *_, last = self.think(view, limit)
        return last

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """The same as a stream; see `Thinker.think`. A game in Python yields as often as a simulation ends."""
        if self._in_core(view):
            yield from super().think(view, limit)
        elif len(legal := view.legal()) == 1:
            yield only_action(legal[0])
        else:
            if self._python is None:
                self._python = python_tree.Tree(
                    self._exploration,
                    self._evaluate,
                    playouts=self._playouts if self._evaluate is python_tree.random_playout else 1,
                    reuse=self._reuse,
                    memory=self._memory,
                    seed=self._seed,
                )
            for found in self._python.search(view, self._most(limit, UNLIMITED // 10), limit):
                yield _decision(found, found.scores, [found.action])

    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        if len(legal := view.legal()) == 1:
            return only_action(legal[0])
        if self._core is None:
            self._core = CORE_TREES[view.game.name](
                self._exploration,
                self._playouts,
                self._reuse,
                self._threads,
                self._memory,
                self._seed % 2**64,
                self._evaluation,
            )
        search = self._core.search(view, self._most(limit, UNLIMITED), limit.nodes, limit.seconds)  # type: ignore[arg-type]
        return SearchTask(view, search, lambda found: _decision(found, dict(found.scores), found.line))

    def _in_core(self, view: View) -> bool:
        return isinstance(view, CORE_VIEWS) and self._evaluate is python_tree.random_playout

    def _most(self, limit: Limit, otherwise: int) -> int | None:
        """How many simulations its own options allow."""
        return self._simulations or (otherwise if limit == Limit() else None)


_CoreTree = _core.DominoesTree | _core.HexTree | _core.HorsesTree | _core.KittensTree
CORE_VIEWS = (_core.DominoesView, _core.HexView, _core.HorsesView, _core.KittensView)
CORE_TREES: Mapping[str, type[_CoreTree]] = {
    "dominoes": _core.DominoesTree,
    "hex": _core.HexTree,
    "horses": _core.HorsesTree,
    "kittens": _core.KittensTree,
}


def evaluations(game: Game) -> list[str]:
    """The evaluations that `mcts` can use in this game instead of playouts, by name.

    A game in Python has those of its attribute `evaluations`, which gives a `python_tree.Evaluation` by name.
    """
    core = CORE_TREES.get(game.name)
    return [*core.evaluations] if core else [*_given(game)]


def _given(game: Game) -> Mapping[str, python_tree.Evaluation]:
    found: Mapping[str, python_tree.Evaluation] = getattr(game, "evaluations", {})
    return found


def evaluating_by(evaluate: python_tree.Evaluation, **options: Any) -> AgentFactory:
    """A factory of `mcts` agents with these options that evaluate positions by a function instead of playouts.

    They search in Python, our own games too: what runs in the core cannot call a function in Python.
    """

    def make(game: Game, seat: Seat, seed: int) -> MCTS:
        agent = MCTS(game, seat, seed, **options)
        agent._evaluate = evaluate
        return agent

    return make


def _checked(game: Game, evaluation: str) -> str:
    known = evaluations(game)
    if not known:
        raise InvalidOption("mcts: evaluation={name}, but {game} has no evaluations", name=evaluation, game=game.name)
    return one_of("mcts", "evaluation", evaluation, known)


def _decision(found: python_tree.Found | _core.Choice, scores: dict[int, float], line: list[int]) -> Decision:
    if not found.depth:
        return Decision(found.action, note=say("no time to look ahead: the first legal action"), nodes=found.nodes)
    if isinstance(found, _core.Choice):
        return decision_of_simulations(found)
    note = say_count(
        "{count} simulation, up to {depth} moves ahead",
        "{count} simulations, up to {depth} moves ahead",
        found.nodes, depth=found.depth,
    )  # fmt: skip
    return Decision(found.action, found.value, scores, line, note, found.nodes, found.depth)
