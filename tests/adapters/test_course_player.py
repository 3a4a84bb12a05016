from __future__ import annotations

import copy
import pickle
import random

import pytest

import ludoteca
from ludoteca.adapters import HexBoard, Player, player_class
from ludoteca.games.hex.game import Hex
from ludoteca.play.match import Match, play_out
from ludoteca.protocols import Limit
from tests.games.hex.reference import HexReference


def test_the_documents_example_of_use() -> None:
    board = HexBoard(size=11)
    player = player_class("astar")(player_id=1)
    assert isinstance(player, Player)
    assert player.play(board) == (5, 5)


def test_pieces_are_placed_once_and_on_the_board() -> None:
    board = HexBoard(3)
    assert board.board == [[0, 0, 0]] * 3
    assert board.place_piece(1, 2, 2)
    assert not board.place_piece(1, 2, 1)
    assert [board.place_piece(*cell, 1) for cell in ((3, 0), (0, 3), (-1, 0), (0, -1))] == [False] * 4
    assert board.board == [[0, 0, 0], [0, 0, 2], [0, 0, 0]]
    assert board.player_positions == {1: set(), 2: {(1, 2)}}
    assert len(board.get_possible_moves()) == 8
    assert (1, 2) not in board.get_possible_moves()
    assert board.get_empty_cells() == board.get_possible_moves()


@pytest.mark.parametrize("copied", [HexBoard.clone, copy.deepcopy, lambda board: pickle.loads(pickle.dumps(board))])
def test_copies_are_independent(copied: object) -> None:
    assert callable(copied)
    board = HexBoard(3)
    board.place_piece(0, 0, 1)
    other = copied(board)
    other.place_piece(2, 2, 2)
    other.board[0][1] = 2
    assert board.board == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert board.player_positions == {1: {(0, 0)}, 2: set()}
    assert other.board == [[1, 2, 0], [0, 0, 0], [0, 0, 2]]


@pytest.mark.parametrize("layout", ["axial", "even-r", "odd-r"])
def test_connection_and_neighbours_are_those_of_the_reference(layout: str) -> None:
    chance, connected = random.Random(4), 0
    for size in (1, 2, 3, 5, 7):
        slow = HexReference(size, layout=layout)
        board = HexBoard(size, layout)  # type: ignore[arg-type]
        for cell in board.get_possible_moves():
            assert (
                sorted(board.get_neighbors(*cell)) == sorted(board._neighbors(*cell)) == sorted(slow.neighbours(cell))
            )
        for _ in range(30):
            # Any numbers of stones: a student's board need not be one that two players reached in turns.
            board.board = [[chance.choice((0, 1, 1, 2)) for _ in range(size)] for _ in range(size)]
            slow.stones = {(r, c): board.board[r][c] - 1 for r in range(size) for c in range(size) if board.board[r][c]}
            for player in (1, 2):
                assert board.check_connection(player) == slow.connected(player - 1)
                connected += slow.connected(player - 1)
    assert connected > 20
    assert not board.check_connection(0)


def test_a_board_that_cannot_be_is_refused() -> None:
    with pytest.raises(ludoteca.InvalidOption, match="size=20"):
        HexBoard(20)


@pytest.mark.parametrize("spec", ["astar:depth=2", "beam:width=4"])
def test_players_decide_as_the_agents_do(spec: str) -> None:
    """One match through the course's interface and one through ours, move by move the same."""
    game = Hex(5)
    match = Match(game, 0)
    ours = {seat: ludoteca.agent(spec)(game, seat, 9) for seat in (0, 1)}
    for _ in play_out(match, ours, Limit()):
        pass
    board, players = HexBoard(5), [player_class(spec, seed=9)(player_id) for player_id in (1, 2)]
    for number, action in enumerate(match.actions):
        cell = players[number % 2].play(board.clone())
        assert cell == divmod(action, 5)
        assert board.place_piece(*cell, number % 2 + 1)
    assert board.check_connection(1) != board.check_connection(2)
    with pytest.raises(ludoteca.IllegalAction, match="the match is over"):
        players[0].play(board)


def test_a_player_can_play_one_match_after_another_and_begin_as_player_two() -> None:
    player = player_class("astar:depth=2")(2)
    first = HexBoard(4)
    for board in (first, HexBoard(6), HexBoard(4)):
        fresh = player_class("astar:depth=2")(2)
        assert player.play(board) == fresh.play(board)
        board.place_piece(*player.play(board), 2)


def test_players_are_one_and_two() -> None:
    with pytest.raises(ValueError, match="player 0 does not exist"):
        player_class("random")(0)
    with pytest.raises(ludoteca.InvalidAgent, match="no agent is called 'nobody'"):
        player_class("nobody")
