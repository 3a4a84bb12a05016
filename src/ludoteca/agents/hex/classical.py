"""The Hex engine without a network: MCTS with RAVE, playouts that keep bridges, and static proofs."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.hex.classical_levels import LEVELS
from ludoteca.agents.levels import Level, level_of, overlook
from ludoteca.agents.reasons import only_action
from ludoteca.agents.search_agent import SearchAgent, SearchTask, decision_of_simulations
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, Limit, Seat, View


class HexClassicalEngine(SearchAgent):
    """Searches with simulations and plays the move with the most visits, or a proven win.

    Its playouts answer every attack on a bridge, share statistics of a cell (RAVE), and skip dead cells. Its scores are
    expected returns of the seat. A simulation counts as a node. With a limit of nodes it uses one thread, and the same
    seed and nodes give the same decision. With a limit of seconds, or none, it uses all its threads and reuses the tree
    of its last search.
    """

    unlimited = 20_000
    games = frozenset({"hex"})

    def __init__(
        self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH, level: Level | None = None
    ) -> None:
        self._level = level or level_of(LEVELS, options)
        self._options = options
        self._seed = seed
        self._classical: _core.HexClassical | None = None

    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        board = expect(view, _core.HexView)
        if len(legal := board.legal()) == 1:
            return only_action(legal[0])
        if self._classical is None:
            self._classical = _core.HexClassical(self._options.threads, self._options.memory, self._seed % 2**64)
        level = self._level
        if level is None:
            return SearchTask(board, self._classical.search(board, None, limit.nodes, limit.seconds), decision_of)
        search = self._classical.search(board, level.budget, limit.nodes, limit.seconds)
        return SearchTask(board, search, lambda found: self._weakened(board, found, level))

    def _weakened(self, board: _core.HexView, found: _core.Choice, level: Level) -> Decision:
        best = decision_of(found)
        if best.proven or best.action not in best.scores:
            return best
        return overlook(board, best, best.scores, level.draw_margin(board, self._seed), self._seed)


def decision_of(found: _core.Choice) -> Decision:
    """The decision of a search, with its note."""
    if not found.depth:
        return Decision(found.action, note=say("no time to look ahead: the nearest to the centre"), nodes=found.nodes)
    return decision_of_simulations(found)
