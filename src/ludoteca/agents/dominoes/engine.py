"""The strongest player of Dominoes: an equilibrium where the round is small, else PIMC or MO-ISMCTS."""

from __future__ import annotations

from typing import Final

from ludoteca import _core
from ludoteca.agents.dominoes.forced import forced
from ludoteca.agents.dominoes.levels import LEVELS
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.levels import Level, level_of, overlook
from ludoteca.agents.networks.view_networks import shipped
from ludoteca.agents.reasons import proof_of
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View

SIMULATIONS: Final = 5000
"""Of the tree search without a limit."""
MAX_SIMULATIONS: Final = 10_000_000
"""Of the tree search under a limit."""
WORLDS: Final = 200
"""Sampled worlds of PIMC without a level or a limit, and beside a network."""
MAX_WORLDS: Final = 2000
"""Sampled worlds of PIMC under a limit; more are hardly stronger."""
ROLLOUTS: Final = 60
"""Worlds in which the network tries every action, without a limit."""
MAX_ROLLOUTS: Final = 400
"""The same under a limit."""
NETWORK: Final = frozenset({"dominoes:variant=block", "dominoes:variant=block,start=seat"})
"""The games that the network of `mmd` has learnt and that have no tree search of their own."""
PLIES: Final = {"block": 55, "draw": 10}
"""By variant: laid tiles up to which it searches every choice of a world; in block, to the end."""
MISTAKES: Final = 0.5
"""The probability that the opponent's next choice is random: it does not see all tiles either."""
ITERATIONS: Final = 64
"""Of CFR+, where the round is small enough; 64 leave an exploitability of some 0.001 in double-three."""
TREMBLE: Final = 0.001
"""The share of random actions in both strategies, so that it learns what to do after mistakes."""
SEED_STEP: Final = 0x9E3779B97F4A7C15
"""Between the seeds of two decisions of one match."""


class DominoesEngine(SearchAgent):
    """Tries every action in many worlds that fit what it saw.

    Without drawing, each world is solved with all tiles open (PIMC). The worlds are all hands that the opponent can
    have if they are few, else a sample in proportion to the number of deals. A world weighs more the better it explains
    how the opponent played. In double-six the network of `mmd` joins in: the choice adds up its policy, what an action
    is worth if the opponent plays by that policy, and PIMC. With drawing, worlds are sampled by that weight, and it
    searches the information sets of both seats (MO-ISMCTS); a learned policy is the prior in the tree and plays on
    beyond it. Scores are expected returns.

    If the tree of all deals fits in its memory, as in double-three, it then runs CFR+ from the start of the round, and
    continues that at its next turn. An equilibrium mixes actions: the seed decides. A level plays by PIMC alone.
    Several threads share the worlds, or have a tree each, except under a limit of nodes.
    """

    games = frozenset({"dominoes"})

    def __init__(
        self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH, level: Level | None = None
    ) -> None:
        self._level = level or level_of(LEVELS, options)
        self._options = options
        self._seed = seed
        self._equilibrium = _core.DominoesEquilibrium(expect(game, Dominoes), options.memory, TREMBLE)
        _network(game)  # reading it takes a moment: here it is not on the clock

    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        free = limit == Limit()
        network = None if self._level else _network(table.game)
        full = WORLDS if free or network else MAX_WORLDS
        simulations = SIMULATIONS if free else MAX_SIMULATIONS
        seed = (self._seed + len(table.log) * SEED_STEP) % 2**64
        search = _core.dominoes_engine(
            table,
            self._equilibrium,
            network,
            self._level.budget if self._level else full,
            ROLLOUTS if free else MAX_ROLLOUTS,
            MISTAKES,
            PLIES[table.game.variant],
            0 if self._level else simulations,
            0 if self._level else ITERATIONS,
            self._options.memory,
            self._options.threads,
            seed,
            limit.nodes,
            limit.seconds,
        )
        return SearchTask(table, search, lambda found: self._decision(table, found))

    def _decision(self, table: _core.DominoesView, found: _core.Choice) -> Decision:
        if not found.depth:
            return Decision(found.action, note=say("no time to search: the heaviest tile"), nodes=found.nodes)
        scores, note = dict(found.scores), _note(table, found)
        proven = found.complete and found.exhaustive and not table.boneyard
        reasons = (proof_of(found.value),) if proven and not self._level else ()
        best = Decision(found.action, found.value, scores, found.line, note, found.nodes, found.depth, proven, reasons)
        if self._level is None:
            return best
        return overlook(table, best, scores, self._level.draw_margin(table, self._seed), self._seed)


def _network(game: Game) -> _core.ViewNetwork | None:
    network = shipped(game) if game.spec in NETWORK else None
    return network.core if network else None


def _note(table: _core.DominoesView, found: _core.Choice) -> Message:
    """What it searched, and which other actions are as good."""
    if found.exhaustive and not table.boneyard:
        parts = [say("all tiles are known")]
    elif found.exhaustive:
        parts = [say("searched every deal of the round")]
    else:
        parts = [say_count("searched {count} possible deal", "searched {count} possible deals", found.worlds)]
    equal = [each for each, score in found.scores if score == found.value and each != found.action]
    if equal:
        parts.append(say("as good: {names}", names=[table.game.action_name(each) for each in equal]))
    return joined(parts, "; ")
