"""OpenSpiel's games as ours: they keep the promises, hide what is hidden, or are refused with a reason."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys

import pytest

import ludoteca
from ludoteca import IllegalAction, InvalidAction, InvalidAgent, InvalidGame, InvalidOption, Limit, Match, agents, games
from ludoteca.adapters.openspiel.imported_game import OpenSpiel
from ludoteca.adapters.openspiel.imported_states import SpielView
from ludoteca.play.match import play_out
from ludoteca.players.pool import Pool
from ludoteca.testing import check_game, random_actions
from ludoteca.web.serving.allowed_specs import agents_of, allowed_game

pytest.importorskip("pyspiel", reason="needs open-spiel")


def spiel(game: str) -> OpenSpiel:
    made = ludoteca.game(f"openspiel:game={game}")
    assert isinstance(made, OpenSpiel)
    return made


@pytest.mark.parametrize(
    "game", ["tic_tac_toe", "hex(board_size=3)", "kuhn_poker", "leduc_poker", "connect_four", "pig(winscore=10)"]
)
def test_it_keeps_every_promise(game: str) -> None:
    check_game(spiel(game), matches=4)


def test_it_is_known_by_name_but_not_listed() -> None:
    assert games.is_known("openspiel") and "openspiel" not in games.names() and not games.is_ours("openspiel")
    assert ludoteca.game("openspiel") == spiel("tic_tac_toe") == spiel("tic_tac_toe()")
    assert spiel("hex(num_cols=3,num_rows=2)").spec == "openspiel:game=hex(num_cols=3,num_rows=2)"
    assert ludoteca.game(spiel("hex(num_rows=2,num_cols=3)").spec).num_actions == 6


def test_actions_are_called_what_both_players_call_them() -> None:
    """OpenSpiel says x(1,1) or o(1,1), [P0]Bid: 1 or [P1]Bid: 1."""
    assert spiel("tic_tac_toe").action_name(4) == "(1,1)"
    assert spiel("turn_based_simultaneous_game(game=goofspiel(num_cards=3))").action_name(0) == "Bid: 1"
    with pytest.raises(InvalidAction, match=r"'x\(9,9\)' is no action of openspiel: actions are like \(0,0\)"):
        spiel("tic_tac_toe").parse_action("x(9,9)")


def test_names_that_depend_on_the_position_are_listed_with_it() -> None:
    chess = spiel("chess")
    state = chess.deal(0)
    assert state.turn == 1  # OpenSpiel's white
    assert "Nf3" not in [chess.action_name(each) for each in state.legal()]
    text = chess.text(state.view(1))
    number = re.search(r"^(.+): Nf3$", text, re.MULTILINE)
    assert number is not None and chess.parse_action(number[1]) in state.legal()
    assert "Nf3" not in chess.text(state.view(0))


def test_chance_follows_from_the_seed() -> None:
    game = spiel("backgammon")
    actions = random_actions(game, 3)
    again, other = game.deal(3), game.deal(4)
    for action in actions:
        again.apply(action)
    assert again.turn is None and again.returns() in (
        (1 / 3, -1 / 3),
        (-1 / 3, 1 / 3),
        (1, -1),
        (-1, 1),
        (2 / 3, -2 / 3),
    )
    assert len({str(game.text(game.deal(seed).view(0))) for seed in range(20)}) > 5
    assert other.view(0) != game.deal(3).view(0)


def test_returns_are_scaled() -> None:
    """Leduc's raises win up to 13 chips."""
    game = spiel("leduc_poker")
    state = game.deal(1)
    state.apply(game.parse_action("raise"))
    state.apply(game.parse_action("fold"))
    assert list(state.returns()) == pytest.approx([1 / 13, -1 / 13])


@pytest.mark.parametrize(("name", "actions"), [("kuhn_poker", "pass"), ("leduc_poker", "raise call")])
def test_a_view_does_not_hold_the_truth(name: str, actions: str) -> None:
    """In the views of one seat, pickled as they travel, the other's true card makes no difference."""
    game = spiel(name)
    views: dict[str, set[bytes]] = {}
    truths: dict[str, set[str]] = {}
    for seed in range(150):
        state = game.deal(seed)
        for action in actions.split():
            state.apply(game.parse_action(action))
        for seat in (0, 1):
            view = state.view(seat)
            key = f"{seat}{view.information}"
            views.setdefault(key, set()).add(pickle.dumps(view))
            truths.setdefault(key, set()).add(state.view(1 - seat).information)
    assert max(map(len, truths.values())) > 1
    assert all(len(pickles) == 1 for pickles in views.values())


def test_worlds_are_uniform_over_what_is_hidden() -> None:
    game = spiel("kuhn_poker")
    view = game.deal(5).view(0)
    others = [view.sample(seed).view(1).information for seed in range(300)]
    assert sorted(set(others)) == sorted({"0", "1", "2"} - {view.information})
    assert 110 < others.count(others[0]) < 190


def test_views_travel() -> None:
    for game in (spiel("leduc_poker"), spiel("hex(board_size=3)"), spiel("liars_dice")):
        state = game.deal(2)
        state.apply(state.legal()[0])
        for seat in (0, 1):
            view = state.view(seat)
            again = pickle.loads(pickle.dumps(view))
            assert isinstance(again, SpielView) and again == view and hash(again) == hash(view)
            assert again.legal() == view.legal() and game.text(again) == game.text(view)
            assert (again.tensor() == view.tensor()).all()


def test_a_game_that_cannot_be_sampled_is_played_by_others() -> None:
    game = spiel("liars_dice")
    view = game.deal(0).view(0)
    with pytest.raises(InvalidAgent, match="cannot sample worlds of"):
        view.sample(0)
    match = Match(game, 0)
    players = {seat: agents.agent("random")(game, seat, seat) for seat in (0, 1)}
    for _ in play_out(match, players, Limit()):
        pass
    assert match.returns() in ((1, -1), (-1, 1))


def test_mcts_finds_what_wins() -> None:
    game = spiel("tic_tac_toe")
    match = Match(game, 0, [game.parse_action(each) for each in ("(0,0)", "(1,0)", "(0,1)", "(1,1)")])
    decision = agents.agent("mcts:simulations=300")(game, 0, 1).act(match.view(0), Limit())
    assert isinstance(decision, ludoteca.Decision) and game.action_name(decision.action) == "(0,2)"


def test_mcts_plays_cards_in_a_process_of_its_own() -> None:
    game = spiel("leduc_poker")
    with Pool() as pool:
        player = pool.player(game, "mcts:simulations=20", "child")
        try:
            player.prepare(0, 1)
            decision = player.decide(game.deal(1).view(0), Limit(seconds=60), 120)
        finally:
            player.close()
    assert decision.action in game.deal(1).legal()


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("tictactoe", "OpenSpiel has no game 'tictactoe'; did you mean 'tic_tac_toe'"),
        ("hex(boardsize=5)", r"OpenSpiel cannot make 'hex\(boardsize=5\)': .*boardsize"),
        ("leduc_poker(players=3)", "has 3 players; here two play"),
        ("matrix_rps", r"turn_based_simultaneous_game\(game=matrix_rps\)"),
        ("efg_game(filename=/etc/passwd)", "would be read from a file"),
        ("turn_based_simultaneous_game(game=nfg_game(filename=x))", "would be read from a file"),
        ("go(board_size=9999999)", "board_size=9999999 is too large: at most 1000"),
        ("catch", "has 1 players"),
    ],
)
def test_what_cannot_be_played_is_refused(game: str, reason: str) -> None:
    with pytest.raises(InvalidGame, match=reason):
        spiel(game)


@pytest.mark.parametrize("game", ["hanabi(colors=0)", "havannah(board_size=-1)", "go_fish(initial_cards=0)"])
def test_no_visitor_ends_the_server(game: str) -> None:
    """With these OpenSpiel does not raise: it aborts the process."""
    with pytest.raises(InvalidOption, match="on the page a game has no parameters"):
        allowed_game(f"openspiel:game={game}")


@pytest.mark.parametrize(
    "game", ["hex(board_size=0)", "gomoku(dims=-1)", "go(board_size=1)", "dots_and_boxes(num_rows=0)"]
)
def test_senseless_parameters_are_refused_with_a_reason(game: str) -> None:
    with pytest.raises(InvalidGame, match="OpenSpiel cannot make"):
        spiel(game)


@pytest.mark.parametrize("game", ["crazy_eights(players=2)", "go_fish"])
def test_games_in_which_one_outcome_of_chance_leads_nowhere_begin(game: str) -> None:
    """A program that always took the first outcome would draw the same card for ever and never come to a move."""
    assert spiel(game).deal(1).legal()


def test_an_illegal_action_changes_nothing() -> None:
    state = spiel("tic_tac_toe").deal(0)
    state.apply(4)
    with pytest.raises(IllegalAction, match=r"'\(1,1\)' \(action 4\) is not legal for seat 1 of openspiel"):
        state.apply(4)
    assert state.turn == 1


def test_the_page_takes_it_with_the_agents_for_any_game() -> None:
    assert allowed_game("openspiel:game=leduc_poker").spec == "openspiel:game=leduc_poker"
    assert agents_of("openspiel") == ("mcts", "random")


def test_it_says_what_to_install() -> None:
    program = """
import sys
sys.modules["pyspiel"] = None
import ludoteca
try:
    ludoteca.game("openspiel:game=chess")
except ludoteca.MissingExtra as error:
    print(error)
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output == "OpenSpiel needs pyspiel, which is not installed: pip install 'ludoteca[openspiel]'\n"


def test_agents_are_compared_by_what_they_earn() -> None:
    """Who folds every hand but aces loses most hands and little money: the mean return stands first."""
    result = ludoteca.series(
        "openspiel:game=kuhn_poker", "random", "mcts", 60, limit="30n", seed=1, store=":memory:", workers=1
    )
    assert result.mean_returns is not None
    first, second = result.mean_returns
    assert first.mean == pytest.approx(-second.mean) and first.low < first.mean < first.high
    chips = [record.returns[seat] * 2 for record in result.records for seat in (0, 1)]
    assert set(chips) <= {-2.0, -1.0, 1.0, 2.0}
    assert list(result.table()[0])[:4] == ["agent", "return", "return_low", "return_high"]
    assert str(result).startswith("random against mcts in openspiel:game=kuhn_poker: mean return −")


def test_equal_matches_are_counted_once_although_their_seeds_differ() -> None:
    """Kuhn poker has 30 matches: six deals, five ways to play each."""
    result = ludoteca.series(
        "openspiel:game=kuhn_poker", "random", "mcts", 120, limit="1n", store=":memory:", workers=1
    )
    assert result.distinct <= 60 < result.matches
