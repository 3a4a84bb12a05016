"""The Hex engine that a network leads: what it calls proven is true, and it is there for people of every strength."""

from __future__ import annotations

import random

import pytest

import ludoteca
from ludoteca import Decision, Limit, _core
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.hex.classical import HexClassicalEngine
from ludoteca.agents.hex.neural import HexNetworkEngine
from ludoteca.agents.hex.solver import solve
from ludoteca.agents.networks.board_networks import load_network
from ludoteca.agents.networks.network_player import NetworkSearch, shipped_network
from ludoteca.errors import InvalidOption

pytestmark = pytest.mark.no_sanitize


def acted(agent: ludoteca.Agent, view: ludoteca.View, nodes: int) -> Decision:
    choice = agent.act(view, Limit(nodes=nodes))
    assert isinstance(choice, Decision)
    return choice


def test_what_it_calls_proven_the_solver_proves_too() -> None:
    """In matches that go on at random, so that it meets positions it did not choose."""
    game, chance, proven = ludoteca.game("hex:size=5"), random.Random(3), 0
    for match in range(4):
        state = game.deal(1)
        players = [HexNetworkEngine(game, seat, match) for seat in (0, 1)]
        while state.turn is not None:
            view = state.view(state.turn)
            decision = acted(players[state.turn], view, 40)
            assert decision.action in view.legal()
            *_, truth = solve(game, view)
            assert truth.proven
            if decision.proven:
                proven += 1
                assert decision.value == truth.value
                if decision.value == 1 and len(view.legal()) > 1:
                    after = state.copy()
                    after.apply(decision.action)
                    if after.turn is not None:
                        *_, then = solve(game, after.view(after.turn))
                        assert then.value == -1, "the move that it calls winning wins"
            state.apply(decision.action if chance.random() < 0.3 else chance.choice(view.legal()))
    assert proven > 20


def test_a_reply_that_it_has_refuted_before_is_refuted_on_the_board() -> None:
    """On a clock it keeps its tree, and some replies in it were proven to lose without asking the network."""
    game, refuted = ludoteca.game("hex:size=6"), 0
    network = load_network(shipped_network(game))
    for reply in range(18, 26):
        state = game.deal(1)
        for action in (7, 21):
            state.apply(action)
        search = NetworkSearch(game, network, 1, 16, selection=_core.Selection.puct, static_proofs=True)
        *_, best = search.think(state.view(0), 100, None)
        state.apply(best.action)
        if reply not in state.legal():
            continue
        state.apply(reply)
        found = next(search.think(state.view(0), None, 60))
        assert found.depth, "it must not play just any move"
        if found.exhaustive:
            refuted += 1
            state.apply(found.action)
            *_, truth = solve(game, state.view(1))
            assert found.value == 1 and truth.value == -1
    assert refuted >= 3


def test_a_won_position_is_never_lost() -> None:
    """From a position that it has proven to be won it wins, whatever the other does."""
    game, chance = ludoteca.game("hex:size=6"), random.Random(5)
    for match in range(6):
        state, won = game.deal(1), False
        engine = HexNetworkEngine(game, 0, match)
        while state.turn is not None:
            if state.turn == 0:
                decision = acted(engine, state.view(0), 10)
                assert (decision.proven and decision.value == 1) or not won
                won = won or (decision.proven and decision.value == 1)
                state.apply(decision.action)
            else:
                state.apply(chance.choice(state.legal()))
        assert won and state.returns()[0] == 1


@pytest.mark.parametrize("layout", ["even-r", "odd-r"])
def test_boards_that_the_network_was_not_taught_are_played_without(layout: str) -> None:
    game = ludoteca.game(f"hex:size=5,layout={layout}")
    assert isinstance(ludoteca.agent("engine")(game, 0, 1), HexClassicalEngine)
    assert isinstance(ludoteca.agent("engine")(ludoteca.game("hex:size=5"), 0, 1), HexNetworkEngine)
    assert isinstance(ludoteca.agent("engine:network=none")(ludoteca.game("hex"), 0, 1), HexClassicalEngine)


def test_more_than_eight_levels_are_refused() -> None:
    with pytest.raises(InvalidOption, match="level"):
        EngineOptions(9)


def test_with_a_single_thread_and_two_the_tree_is_whole() -> None:
    game = ludoteca.game("hex:size=7")
    view = game.deal(1).view(0)
    assert isinstance(view, _core.HexView)
    for threads in (1, 2):
        decision = acted(HexNetworkEngine(game, 0, 1, EngineOptions(threads=threads)), view, 33)
        assert decision.nodes == 33 or decision.proven
