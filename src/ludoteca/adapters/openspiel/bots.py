"""OpenSpiel's bots as agents: `openspiel.mcts` and `openspiel.ismcts`, in its games and in ours.

They search OpenSpiel's states. Other games are exported to OpenSpiel (see `exported_game`) and their rules called
through Python, so a simulation takes about as long as one of our `mcts` on a game in pure Python. The states are
sampled from the view, never the true one.
"""

from __future__ import annotations

import contextlib
import random
import time
import zlib
from collections.abc import Sequence
from typing import Annotated, Any, Final

import numpy as np

from ludoteca.adapters.openspiel.imported_game import OpenSpiel, spiel
from ludoteca.adapters.openspiel.imported_states import SpielView
from ludoteca.agents.python_tree import random_playout
from ludoteca.agents.reasons import only_action
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games.details import details_of
from ludoteca.messages import say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, within

MOST_SIMULATIONS: Final = 10**9
MOST_EXPLORATION: Final = 100.0
SHARE: Final = 0.9
"""The share of the time limit for a search that can only stop after a simulation."""

Sims = Annotated[int, Label(say("simulations"), say("at most so many for each action, 1 to 1000000000"))]
Exploration = Annotated[float, Label(say("exploration"), say("OpenSpiel's uct_c, 0 to 100"))]
Rollouts = Annotated[int, Label(say("playouts"), say("random playouts that each simulation ends with, 1 to 1000"))]
Memory = Annotated[int, Label(say("memory"), say("megabytes for the tree, 1 to 65536"))]


class _Bot:
    """What both bots share."""

    name: str
    hidden: bool
    """Whether it plays games with hidden information, or those without."""

    def __init__(self, game: Game, seed: int, sims: int, exploration: float, rollouts: int) -> None:
        self._pyspiel = spiel()
        hidden = details_of(game).hidden_information
        if hidden != self.hidden:
            wrong = (
                say(
                    "openspiel.mcts plays games in which nothing is hidden; {game} is for openspiel.ismcts",
                    game=game.spec,
                )
                if hidden
                else say(
                    "openspiel.ismcts plays games that hide something; {game} is for openspiel.mcts", game=game.spec
                )
            )
            raise InvalidAgent(wrong)
        if not 0 <= exploration <= MOST_EXPLORATION:
            raise InvalidOption(
                "{agent}: exploration={exploration} must be a number from 0 to {most:g}",
                agent=self.name,
                exploration=exploration,
                most=MOST_EXPLORATION,
            )
        self._sims = within(self.name, "sims", sims, 1, MOST_SIMULATIONS)
        self._rollouts = within(self.name, "rollouts", rollouts, 1, 1000)
        self._exploration, self._seed = float(exploration), seed
        self._exported: Any = None
        if not isinstance(game, OpenSpiel):
            from ludoteca.adapters.openspiel.exported_game import (
                as_spiel_game,  # imported here because it needs OpenSpiel
            )

            self._exported = as_spiel_game(game, scaled=True)

    def act(self, view: View, limit: Limit) -> Decision:
        """What OpenSpiel's search finds within the limit."""
        if len(legal := view.legal()) == 1:
            return only_action(legal[0])
        sims = self._sims if limit.nodes is None else min(self._sims, limit.nodes)
        # The same seed and view decide the same, whatever came before.
        seed = (self._seed + zlib.crc32(bytes(view))) % 2**31
        return self._search(view, sims, -1.0 if limit.seconds is None else SHARE * limit.seconds, seed)

    def _search(self, view: View, sims: int, seconds: float, seed: int) -> Decision:
        raise NotImplementedError

    def _state(self, view: View, seed: int) -> Any:
        """OpenSpiel's state, sampled from the view."""
        return view.world(seed) if isinstance(view, SpielView) else self._exported.around(view, seed)


class Mcts(_Bot):
    """OpenSpiel's MCTSBot with random rollouts and its solver, for games with perfect information.

    It cannot be watched, and it stops only after a simulation, so a slow one may make it late.
    """

    name, hidden = "openspiel.mcts", False

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        sims: Sims = 1000,
        exploration: Exploration = 2.0,
        rollouts: Rollouts = 1,
        memory: Memory = 256,
    ) -> None:
        super().__init__(game, seed, sims, exploration, rollouts)
        self._memory = within(self.name, "memory", memory, 1, 65536)
        self._scale = game.scale if isinstance(game, OpenSpiel) else 1.0

    def _search(self, view: View, sims: int, seconds: float, seed: int) -> Decision:
        state, pyspiel = self._state(view, seed), self._pyspiel
        evaluator = pyspiel.RandomRolloutEvaluator(self._rollouts, seed)
        bot = pyspiel.MCTSBot(
            state.get_game(), evaluator, self._exploration, sims, self._memory, True, seed, False,
            max_wall_clock_time=seconds,
        )  # fmt: skip
        root = bot.mcts_search(state)
        best = root.best_child()
        tried = [child for child in root.children if child.explore_count]
        # A proven outcome replaces the mean of the simulations before the proof.
        values = {
            child.action: (child.outcome[view.seat] if child.outcome else child.total_reward / child.explore_count)
            / self._scale
            for child in tried
        }
        return Decision(
            best.action,
            values.get(best.action),
            values,
            (best.action,),
            _note(root.explore_count),
            root.explore_count,
            1,
            bool(best.outcome),
        )


class IsMcts(_Bot):
    """OpenSpiel's ISMCTSBot, with random rollouts, for games with hidden information.

    It plays the games of OpenSpiel that can resample an information state, and all others. In OpenSpiel's own games the
    same seed may decide differently, because the order in which its bot tries actions is not fixed.
    """

    name, hidden, samples = "openspiel.ismcts", True, True

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        sims: Sims = 1000,
        exploration: Exploration = 2.0,
        rollouts: Rollouts = 1,
    ) -> None:
        super().__init__(game, seed, sims, exploration, rollouts)

    def _search(self, view: View, sims: int, seconds: float, seed: int) -> Decision:
        state = self._state(view, seed)
        if self._exported is None:
            pyspiel = self._pyspiel
            bot = pyspiel.ISMCTSBot(
                seed, pyspiel.RandomRolloutEvaluator(self._rollouts, seed), self._exploration, sims, -1,
                pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False, max_wall_clock_time=seconds,
            )  # fmt: skip
            return Decision(int(bot.step(state)), note=_note(sims), nodes=sims)
        return _search_ours(state, sims, seconds, seed, self._exploration, self._rollouts)


class _TimeIsOver(Exception):
    """Ends OpenSpiel's search in Python, which has no clock of its own."""


def _search_ours(state: Any, sims: int, seconds: float, seed: int, exploration: float, rollouts: int) -> Decision:
    """OpenSpiel's search in Python: the one in C++ does not know that our states can be resampled."""
    from open_spiel.python.algorithms import ismcts

    chance = np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(None, _Playouts(rollouts, seed), exploration, sims, random_state=chance)
    deadline, done = time.monotonic() + seconds, 0

    def resample(root: Any, seat: Seat) -> Any:
        nonlocal done
        if seconds >= 0 and done and time.monotonic() >= deadline:
            raise _TimeIsOver
        done += 1
        return root.resample_from_infostate(seat, chance.random_sample)

    bot.set_resampler(resample)
    with contextlib.suppress(_TimeIsOver):
        bot.run_search(state)
    tried = bot.lookup_node(state).child_info
    if not tried:  # one simulation only makes the root
        return Decision(state.legal_actions()[0], note=_note(done), nodes=done)
    best: Action = max(tried, key=lambda action: (tried[action].visits, tried[action].value()))
    scores = {action: float(child.value()) for action, child in tried.items()}
    return Decision(int(best), scores[best], scores, (int(best),), _note(done), done, 1)


class _Playouts:
    """Random rollouts on our own states, which are faster than OpenSpiel's."""

    def __init__(self, count: int, seed: int) -> None:
        self._count, self._chance = count, random.Random(seed)

    def evaluate(self, state: Any) -> Sequence[float]:
        """The mean returns."""
        ends = [random_playout(state.world, self._chance) for _ in range(self._count)]
        return [sum(seat) / self._count for seat in zip(*ends, strict=True)]

    def prior(self, state: Any) -> list[tuple[Action, float]]:
        """The same prior for all actions."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def _note(count: int) -> str:
    return say_count("{count} simulation", "{count} simulations", count)
