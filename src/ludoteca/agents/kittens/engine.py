"""The strongest player of Kittens: best response, equilibrium or rollouts, whichever the position allows."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.kittens.equilibrium import solved
from ludoteca.agents.kittens.levels import LEVELS
from ludoteca.agents.kittens.policies import policies, response_tables
from ludoteca.agents.levels import Level, level_of, overlook
from ludoteca.agents.networks.board_networks import WEIGHTS
from ludoteca.agents.networks.view_networks import ViewNetwork, load_view_network, shipped
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.games.core_game import expect
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View

WORLDS: Final = 1000
"""Sampled worlds without a limit."""
MAX_WORLDS: Final = 100_000
"""Sampled worlds under a limit, at most."""
MIN_SOLVING_TIME: Final = 5.0
"""Seconds for a decision. With less, a small game is not solved first."""
AS_GOOD: Final = 0.001
"""Returns against `v2` that differ by no more than this count as equal."""
RESPONSES: Final = {"kittens": WEIGHTS / "kittens-clean-response.onnx", "kittens:rules=original": None}
"""By game with a network: a second one, which learnt against `v1`, `v1:variant=program`, `v2` and `random`, if any."""


def _network(game: Game) -> ViewNetwork | None:
    """That of exactly this game, near an equilibrium. With another deck it plays, but it has not learnt that."""
    return shipped(game) if game.spec in RESPONSES else None


def _networks(game: Game) -> tuple[_core.ViewNetwork | None, _core.ViewNetwork | None]:
    """That of this game, and the one that learnt against the weaker players of the opponent model."""
    network = _network(game)
    response = RESPONSES[game.spec] if network else None
    return network.core if network else None, load_view_network(response).core if response else None


class KittensEngine(SearchAgent):
    """Samples worlds that fit what it saw and how the opponent played, and tries every action in them.

    In ``rules=original`` seat 0 plays the best response to `v2`, the opponent of those rules, until the opponent does
    what `v2` never does. A game that is small
    enough is solved and played by its equilibrium. All else is decided by rollouts in sampled worlds. Where networks
    are shipped, it plays by a policy near an equilibrium; a second network, which learnt against weaker players, and
    rollouts change that as far as the opponent seems to be one of these.
    """

    games = frozenset({"kittens"})

    def __init__(
        self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH, level: Level | None = None
    ) -> None:
        self._level = level or level_of(LEVELS, options)
        self._options = options
        self._seed = seed % 2**63
        self._own: _core.KittensResponseTables | None = None
        policies()  # these take a moment: here it is not on the clock
        _networks(game)

    def __getstate__(self) -> dict[str, object]:
        """Without its tables: they can be filled again."""
        return self.__dict__ | {"_own": None}

    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        table = expect(view, _core.KittensView)
        if self._level:
            return self._rollouts(table, self._level.budget, limit)
        if _core.kittens_can_best_respond(table):
            tables = self._tables(limit)
            if not _core.kittens_opponent_refuted(table, tables):
                search = _core.kittens_best_response(table, tables, limit.nodes, limit.seconds)
                return SearchTask(table, search, lambda found: _best_response(table, found))
        if limit.nodes is None and (limit.seconds is None or limit.seconds >= MIN_SOLVING_TIME):
            decision = self._equilibrium(table)
            if decision is not None:
                return decision
        return self._rollouts(table, WORLDS if limit == Limit() else MAX_WORLDS, limit)

    def _tables(self, limit: Limit) -> _core.KittensResponseTables:
        """Shared tables; its own under a limit of nodes, so that decisions do not depend on other agents' searches."""
        if limit.nodes is None:
            return response_tables("v2", self._options.memory)
        self._own = self._own or response_tables.__wrapped__("v2", self._options.memory)
        return self._own

    def _rollouts(self, table: _core.KittensView, worlds: int, limit: Limit) -> SearchTask:
        seed = random.Random(self._seed + len(table.log)).getrandbits(64)
        network, response = (None, None) if self._level else _networks(table.game)
        search = _core.kittens_rollouts(
            table, policies(), network, response, worlds, self._options.threads, self._options.memory, seed,
            limit.nodes, limit.seconds,
        )  # fmt: skip
        return SearchTask(table, search, lambda found: self._weakened(table, _rollouts(table, found)))

    def _weakened(self, table: _core.KittensView, decision: Decision) -> Decision:
        """At a level for people: a first idea among the actions that look as good."""
        if self._level is None or decision.value is None:
            return decision
        margin = self._level.draw_margin(table, self._seed)
        return overlook(table, decision, decision.scores, margin, self._seed)

    def action_probabilities(self, view: View, limit: Limit) -> dict[Action, float] | None:
        """Those of the equilibrium by which it plays a small game; None where it searches."""
        table = expect(view, _core.KittensView)
        decision = self._task(table, limit)
        return dict(decision.scores) if isinstance(decision, Decision) else None

    def _equilibrium(self, table: _core.KittensView) -> Decision | None:
        """An action sampled from the equilibrium; None where none is known."""
        equilibrium = solved(table.game)
        if equilibrium is None or table not in equilibrium:
            return None
        legal, probabilities = table.legal(), equilibrium.action_probabilities(table)
        action = random.Random(self._seed + len(table.log)).choices(legal, probabilities)[0]
        scores = dict(zip(legal, probabilities, strict=True))
        note = say("it has solved this small game and mixes its actions as the solution does")
        return Decision(action, scores=scores, note=note, nodes=equilibrium.positions)


def _best_response(table: _core.KittensView, found: _core.Choice) -> Decision:
    """The best action against `v2`; of several that are as good, the one that the network prefers against anybody."""
    if not found.depth:
        return Decision(found.action, note=say("no time to search: it avoids the bombs it knows of"), nodes=found.nodes)
    decision = _decision(found, say("the best response to v2, over all hands that v2 may have"))
    network = _network(table.game)
    if network is None:
        return decision
    policy = network.ask(table).policy
    equal = [action for action, score in decision.scores.items() if score >= found.value - AS_GOOD]
    best = max(equal, key=policy.__getitem__, default=found.action)
    return decision if best == found.action else replace(decision, action=best, line=(best,))


def _rollouts(table: _core.KittensView, found: _core.Choice) -> Decision:
    if not found.depth:
        return Decision(found.action, note=say("no time to search: it plays by instinct"), nodes=found.nodes)
    count = say_count("{count} playout", "{count} playouts", found.nodes)
    risk = say("bomb risk {risk:.0%}", risk=table.bomb_chance(0))
    return _decision(found, joined([count, risk], "; "))


def _decision(found: _core.Choice, note: str) -> Decision:
    return Decision(found.action, found.value, dict(found.scores), found.line, note, found.nodes, found.depth)
