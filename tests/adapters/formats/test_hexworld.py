from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import Match, Record
from ludoteca.adapters.formats import hexworld
from tests.adapters.matches import hex_specs, records


@given(st.lists(records(hex_specs), min_size=1, max_size=3))
def test_addresses_come_back(matches: list[Record]) -> None:
    """An address knows no names, and of the swap only that it was played."""
    text = hexworld.write(matches)
    assert text.count("\n") == len(matches)
    for line, record in zip(text.splitlines(), matches, strict=True):
        orientation = ludoteca.game(record.game).orientation  # type: ignore[attr-defined]
        (back,) = hexworld.read(line, orientation)
        assert (back.actions, back.returns, back.fault) == (record.actions, record.returns, record.fault)
        assert back.game.removesuffix(",swap=true") == record.game.removesuffix(",swap=true")


@pytest.mark.parametrize(
    ("address", "actions"),
    [
        ("https://hexworld.org/board/#11r9c1,b4:sh4g8", ["b4", "swap", "h4", "g8"]),
        ("11nc1,a10b2", ["a10", "b2"]),
        ("#11,a10b2", ["a10", "b2"]),
        ("https://hexworld.org/board/#5x5mc1,,a1b2", ["a1", "b2"]),
        ("https://hexworld.org/board/#5c1,a1,b2c3", ["a1", "b2", "c3"]),
        ("https://hexworld.org/board/#5c1,c2%3Ase4", ["c2", "swap", "e4"]),
        ("https://hexworld.org/board/#13", []),
    ],
)
def test_what_the_board_writes_is_read(address: str, actions: list[str]) -> None:
    (record,) = hexworld.read(address)
    game = ludoteca.game(record.game)
    assert [game.action_name(action) for action in record.actions] == actions
    assert not record.finished


def test_who_resigned_has_lost() -> None:
    black, white = hexworld.read("#5,a1:rb\n\n#5,a1:fw\n")
    assert (black.returns, white.returns) == ((-1.0, 1.0), (1.0, -1.0))
    assert hexworld.address(black).endswith("#5nc1,a1:rb")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1, column 1: there is no address here"),
        ("https://hexworld.org/board/11c1", "has a # before the size"),
        ("\n#,a1", "line 2, column 2: the size of the board is missing"),
        ("#11\n#11c1,a1a1", "line 2, column 9: move 2, a1: 'a1' (action 0) is not legal"),
        ("#11q,a1", "line 1, column 4: 'q,a1' is no option of HexWorld's"),
        ("#11x12,a1", "a board of 11x12 is not square"),
        ("#40,a1", "size=40 must be a whole number from 1 to 19"),
        ("#" + "9" * 5000, "is no option"),
        ("#11,a1b2:rbc3", "line 1, column 12: 'c3' stands after the end"),
        ("#11,a1:p", "no pass in Hex"),
        ("#11,a1:S", "swaps the players"),
        ("#11,:s", "'swap' (action 121) is not legal"),
        ("#3,a1(2", "line 1, column 6: '(2' is no move"),
        ("#3,d4", "'d4' is no cell"),
        ("#1,a1a1", "is over"),
        ("#1,a1:rb", "line 1, column 6: ':rb' cannot be: by the moves that side has won"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, complaint: str) -> None:
    with pytest.raises(ludoteca.InvalidFile) as caught:
        hexworld.read(text)
    assert complaint in str(caught.value)


def test_what_cannot_be_written_is_explained() -> None:
    with pytest.raises(ludoteca.InvalidGame, match="cannot be written as a HexWorld address"):
        hexworld.address(Match.of_spec("horses", 0).record())
