"""The agent that a network leads, with the network that we ship for Hex."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import ludoteca
from ludoteca import Decision, Limit
from ludoteca.agents.networks.board_networks import Floats, load_network
from ludoteca.agents.networks.network_player import NetworkPlayer, shipped_network
from ludoteca.agents.zero import Zero
from ludoteca.errors import InvalidOption


def zero(game: ludoteca.Game, **options: object) -> Zero:
    return Zero(game, 0, 1, **options)  # type: ignore[arg-type]


def test_the_same_nodes_decide_the_same() -> None:
    game = ludoteca.game("hex:size=7")
    view = game.deal(1).view(0)
    for threads in (1, 2):
        first, second = (zero(game, threads=threads).act(view, Limit(nodes=21)) for _ in range(2))
        assert first == second and first.nodes == 21
        assert max(first.scores.values()) == first.value == first.scores[first.action]
        assert first.line[0] == first.action


def test_thinking_aloud_comes_to_what_acting_does() -> None:
    game = ludoteca.game("hex:size=5")
    view = game.deal(1).view(0)
    thoughts = list(zero(game).think(view, Limit(nodes=12)))
    nodes = [each.nodes for each in thoughts]
    assert nodes == sorted(nodes) and set(nodes) == set(range(1, 13))
    assert thoughts[-1] == zero(game).act(view, Limit(nodes=12))


def test_proves_small_boards() -> None:
    """On 3×3 every opening but a corner and its neighbour wins; the search ends when that is certain."""
    game = ludoteca.game("hex:size=3,orientation=standard")
    state = game.deal(1)
    decision = zero(game).act(state.view(0), Limit(nodes=20_000))
    assert decision.proven and decision.value == 1 and decision.nodes < 20_000
    assert game.action_name(decision.action) in ("c1", "a2", "b2", "c2", "a3")
    state.apply(game.parse_action("a1"))
    lost = Zero(game, 1, 1).act(state.view(1), Limit(nodes=20_000))
    assert lost.proven and lost.value == 1, "the seat that answers a1 wins"


def test_a_pause_of_the_machine_costs_one_decision_not_all() -> None:
    """A round that took longer than the limit must not keep the network from being asked ever again."""
    game = ludoteca.game("hex:size=6")
    shipped, pauses = load_network(shipped_network(game)), [0.3, 0.3]

    def held_up(seen: Floats) -> tuple[Floats, Floats]:
        time.sleep(pauses.pop() if pauses else 0)
        return shipped(seen)

    agent = NetworkPlayer(game, held_up, 0, 1, 16)
    view = game.deal(1).view(0)
    assert agent.act(view, Limit(seconds=0.2)).depth, "the pause came in the middle of its first evaluation"
    state = view.sample(0)
    for action in ("c3", "d3"):
        state.apply(game.parse_action(action))
    assert agent.act(state.view(0), Limit(seconds=0.2)).depth


def test_whose_time_is_over_before_it_began_still_asks_the_network_once() -> None:
    """A machine that holds the process up for as long as the limit must not make it play just any move."""
    game = ludoteca.game("hex:size=6")
    decision = zero(game).act(game.deal(1).view(0), Limit(seconds=0))
    assert decision.nodes == 1 and decision.action == zero(game).act(game.deal(1).view(0), Limit(nodes=1)).action


def test_what_was_found_is_kept_for_the_next_turn_on_a_clock() -> None:
    game = ludoteca.game("hex:size=6")
    state, agent = game.deal(1), zero(game)
    first = agent.act(state.view(0), Limit(nodes=60))
    for action in first.line[:2]:
        state.apply(action)
    first_thought = next(agent.think(state.view(0), Limit(seconds=60)))
    assert first_thought.nodes > 2, "the visits of the line it expected are there already"
    assert agent.act(state.view(0), Limit(nodes=1)).nodes == 1, "the same nodes decide the same, whatever came before"


def test_who_is_left_in_the_middle_of_a_round_begins_anew() -> None:
    """Then the network has not answered, and what waits for it would spoil the tree."""
    game = ludoteca.game("hex:size=6")
    view = game.deal(1).view(0)
    agent = zero(game)
    thoughts = agent.think(view, Limit(seconds=60))
    first, again = next(thoughts), next(thoughts)
    assert again is first, "the same thought once more, before the network is asked"
    thoughts.close()  # type: ignore[attr-defined]
    after = agent.think(view, Limit(seconds=60))
    assert next(after).nodes == 1
    assert agent.act(view, Limit(nodes=9)) == zero(game).act(view, Limit(nodes=9))


def test_the_network_knows_hex_of_every_size() -> None:
    """Its first thought on an empty board lies near the centre, and it thinks that the first seat wins."""
    for size in (3, 5, 9, 11, 13):
        game = ludoteca.game(f"hex:size={size}")
        decision = zero(game, simulations=1).act(game.deal(1).view(0), Limit())
        row, column = divmod(decision.action, size)
        assert abs(2 * row - size + 1) + abs(2 * column - size + 1) <= size, (size, decision.action)
        assert decision.value is not None and decision.value > 0.3


@pytest.mark.no_sanitize
def test_beats_mcts_by_first_thoughts() -> None:
    game = ludoteca.game("hex:size=7")
    points = 0.0
    for seed, seat in ((1, 0), (1, 1), (2, 0), (2, 1)):
        state = game.deal(1)
        state.apply((7 * seed + 3) % 49)
        players = {seat: Zero(game, seat, 1, simulations=1), 1 - seat: ludoteca.agent("mcts")(game, 1 - seat, seed)}
        while state.turn is not None:
            choice = players[state.turn].act(state.view(state.turn), Limit(nodes=500))
            state.apply(choice.action if isinstance(choice, Decision) else choice)
        points += state.returns()[seat] > 0
    assert points >= 3


def test_errors_name_what_is_wrong(tmp_path: Path) -> None:
    hex_game, horses = ludoteca.game("hex"), ludoteca.game("horses")
    with pytest.raises(InvalidOption, match="no file"):
        zero(hex_game, weights=tmp_path / "none.onnx")
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(b"this is no network")
    with pytest.raises(InvalidOption, match="does not hold a network"):
        zero(hex_game, weights=wrong)
    shipped = Path(ludoteca.__file__).parent / "weights" / "hex-zero.onnx"
    with pytest.raises(InvalidOption, match="another game"):
        zero(horses, weights=shipped).act(horses.deal(1).view(0), Limit(nodes=1))
    with pytest.raises(InvalidOption, match="axial"):
        zero(ludoteca.game("hex:layout=odd-r"))


def test_the_first_stone_with_swap_keeps_to_the_limit() -> None:
    game = ludoteca.game("hex:size=11,swap=true")
    view = game.deal(1).view(0)
    assert zero(game).act(view, Limit(nodes=5)).nodes == 5
    assert zero(game).act(view, Limit(nodes=0)).action in view.legal()
    assert zero(game).act(view, Limit(seconds=0.0)).nodes == 1, "one stone is looked at, whatever the clock says"
    whole = zero(game).act(view, Limit(nodes=1000))
    assert whole.nodes == 61, "all stones, of two that are half a turn apart one"


def test_without_a_limit_it_still_comes_to_swapping() -> None:
    game = ludoteca.game("hex:size=5,swap=true")
    state = game.deal(1)
    state.apply(game.parse_action("c3"))
    *_, last = Zero(game, 1, 1).think(state.view(1), Limit())
    assert game.action_name(last.action) == "swap"


def test_with_swap_it_plays_once_that_is_decided() -> None:
    game = ludoteca.game("hex:size=5,swap=true")
    state = game.deal(1)
    state.apply(game.parse_action("a1"))
    taken = Zero(game, 1, 1).act(state.view(1), Limit(nodes=30))
    assert game.action_name(taken.action) != "swap", "a corner is not worth taking"
    state = game.deal(1)
    state.apply(game.parse_action("c3"))
    taken = Zero(game, 1, 1).act(state.view(1), Limit(nodes=30))
    assert game.action_name(taken.action) == "swap", "the centre wins"
    state.apply(taken.action)
    after = Zero(game, 0, 1).act(state.view(0), Limit(nodes=30))
    assert after.action in state.legal()
    opening = Zero(game, 0, 1).act(game.deal(1).view(0), Limit(nodes=100))
    assert opening.value is not None and opening.value < 0.6, "with swap it opens so that neither side is much ahead"
