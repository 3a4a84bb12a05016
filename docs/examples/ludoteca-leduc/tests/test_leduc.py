"""The tests of the package, as its author runs them: ``pip install '.[test]' && pytest``."""

from __future__ import annotations

from collections import Counter

import pytest

import ludoteca
from ludoteca.messages import translate
from ludoteca.testing import check_game

GAME = ludoteca.game("leduc")


def play(cards: tuple[int, int, int], actions: str) -> ludoteca.State:
    """The state after some actions, with these cards: seat 0's, seat 1's and the public one."""
    state = next(deal for deal, _ in GAME.deals() if (*deal.cards, deal.public) == cards)
    for name in actions.split():
        state.apply(GAME.parse_action(name))
    return state


@pytest.mark.parametrize("spec", ["leduc", "leduc:raises=1"])
def test_it_keeps_every_promise(spec: str) -> None:
    check_game(ludoteca.game(spec), matches=20)


@pytest.mark.parametrize(
    ("cards", "actions", "chips"),
    [
        ((0, 2, 1), "raise fold", 1),
        ((0, 2, 1), "raise raise fold", -3),
        ((0, 2, 1), "call call call call", -1),
        ((0, 2, 0), "call call call call", 1),
        ((1, 1, 2), "raise call raise call", 0),
        ((2, 1, 1), "raise raise call raise raise call", -13),
    ],
)
def test_the_winner_gets_what_the_loser_has_paid(cards: tuple[int, int, int], actions: str, chips: int) -> None:
    state = play(cards, actions)
    assert state.turn is None
    assert state.returns()[0] * GAME.stake == pytest.approx(chips)


def test_a_round_has_two_raises_and_nobody_folds_for_nothing() -> None:
    def legal(actions: str) -> list[str]:
        return [GAME.action_name(action) for action in play((0, 1, 2), actions).legal()]

    assert legal("") == legal("call") == legal("call call") == ["call", "raise"]
    assert legal("raise") == ["fold", "call", "raise"]
    assert legal("raise raise") == ["fold", "call"]


def test_samples_have_their_true_probability() -> None:
    """After a queen is turned up beside the own queen, jacks and kings are left: never a third queen."""
    view = play((1, 0, 1), "call call").view(0)
    others = Counter(view.sample(seed).cards[1] for seed in range(400))
    assert set(others) == {0, 2} and min(others.values()) > 150


def test_deals_are_all_there_are() -> None:
    deals = GAME.deals()
    assert len(deals) == 24 and sum(share for _, share in deals) == pytest.approx(1)


def test_the_agent_raises_with_a_pair_and_folds_a_jack() -> None:
    def chosen(cards: tuple[int, int, int], actions: str, spec: str = "leduc-odds:bluff=0") -> str:
        view = play(cards, actions).view(1)
        return GAME.action_name(ludoteca.agent(spec)(GAME, 1, 0).act(view, ludoteca.Limit()).action)

    assert chosen((0, 1, 1), "call call raise") == "raise"
    assert chosen((2, 0, 1), "raise call raise") == "fold"
    assert chosen((2, 0, 1), "raise call raise", "leduc-odds:bluff=1") == "raise"
    with pytest.raises(ludoteca.InvalidOption, match=r"bluff=2\.0 must be a number from 0 to 1"):
        ludoteca.agent("leduc-odds:bluff=2")(GAME, 1, 0)


def test_the_agent_earns_chips() -> None:
    """Both seats of every deal, against random play."""
    chips = 0.0
    for deal, share in GAME.deals():
        for seat in (0, 1):
            agents = {seat: ludoteca.agent("leduc-odds")(GAME, seat, 1), 1 - seat: ludoteca.agent("random")(GAME, 0, 1)}
            state = deal.copy()
            while state.turn is not None:
                state.apply(agents[state.turn].act(state.view(state.turn), ludoteca.Limit()).action)
            chips += share / 2 * state.returns()[seat] * GAME.stake
    assert chips > 0.5


def test_the_picture_shows_no_hidden_card() -> None:
    view = play((0, 2, 1), "call").view(0)
    assert GAME.svg(view).count(">?<") == 2 and ">K<" not in GAME.svg(view)
    assert ">igualar<" in GAME.svg(view, language="es")


def test_it_speaks_spanish() -> None:
    state = play((0, 2, 0), "call call call call")
    assert "carta común: J" in GAME.text(state.view(0), language="es")
    assert translate(GAME.end_reasons(state.view(0))[0], "es") == "Gana la pareja con la carta común."


def test_openspiels_cfr_solves_it() -> None:
    """With one raise a round, to be quick. CFR+ goes through all deals, in chips."""
    pyspiel = pytest.importorskip("pyspiel")
    from ludoteca.adapters.openspiel.registration import spiel_game

    tree = pyspiel.convert_to_cached_tree(spiel_game("leduc:raises=1", deals=0))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(tree, solver.tabular_average_policy()) < 0.05
    assert pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree)) > 0.5
