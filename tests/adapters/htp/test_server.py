"""`ludoteca htp` as HexGui and scripts drive it: whole dialogues, and what should be refused."""

from __future__ import annotations

import io
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca import Limit, Match
from ludoteca.adapters.formats import sgf
from ludoteca.adapters.htp.engine import Engine
from ludoteca.adapters.htp.position import HtpError, Position
from ludoteca.adapters.htp.server import Command, Server
from tests.commands import run as run_command

CLOCK = "? say whose clock it is, its seconds and for how many stones, as in: time_left black 60 0"


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine("mcts:simulations=30", Limit(seconds=60))
    yield engine
    engine.close()


def talk(engine: Engine, *lines: str, swap: bool = False) -> list[str]:
    """What is answered, one text for each command."""
    out = io.StringIO()
    Server(engine, out, swap=swap).serve([f"{line}\n" for line in lines])
    text = out.getvalue()
    assert not text or text.endswith("\n\n")
    return text[:-2].split("\n\n") if text else []


def test_a_whole_dialogue(engine: Engine) -> None:
    said = talk(
        engine, "1 name", "protocol_version", "2 boardsize 3 3", "play black b2", "play W a1", "3 genmove b",
        "all_legal_moves", "final_score", "known_command genmove", "known_command dance", "quit", "name",
    )  # fmt: skip
    assert said[:5] == ["=1 Ludoteca", "= 2", "=2", "=", "="]
    point = said[5].removeprefix("=3 ")
    left = said[6].removeprefix("= ").split()
    assert len(left) == 6 and point not in left and "b2" not in left
    assert said[7:] == ["= cannot score", "= true", "= false", "="]


def test_hexgui_swaps_by_playing_the_stones_again(engine: Engine) -> None:
    """It clears the board and plays the mirrored stone as white's; then black, who is asked, is on turn."""
    said = talk(
        engine, "boardsize 4", "play black a2", "clear_board", "play white b1", "genmove black", "undo", "undo", "undo",
        "showboard",
    )  # fmt: skip
    assert said[:4] == ["="] * 4 and said[4].startswith("= ")
    assert said[5:8] == ["=", "=", "? cannot undo: nothing has been played"]
    assert "●  ·" not in said[8] and "○  ·" not in said[8]


def test_swap_pieces_mirrors_the_stone_and_can_be_undone(engine: Engine) -> None:
    said = talk(
        engine, "boardsize 3", "play b a2", "play w swap-pieces", "all_legal_moves", "undo", "all_legal_moves",
        "play b swap-pieces", "play w c3", "play w swap-pieces",
    )  # fmt: skip
    assert "b1" not in said[3] and "a2" in said[3]
    assert "b1" in said[5] and "a2" not in said[5]
    refusal = "? a swap answers the first stone of the other colour, and only that"
    assert said[6:] == [refusal, "=", refusal]


def test_it_swaps_itself_only_where_it_may(engine: Engine) -> None:
    """On 3 by 3 the centre wins, so the seat that may take it over does."""
    strong = Engine("mcts:simulations=2000", Limit(seconds=60))
    try:
        dialogue = ["boardsize 3", "play b b2", "all_legal_moves", "genmove w", "final_score"]
        assert "swap-pieces" not in " ".join(talk(strong, *dialogue))
        allowed = talk(strong, *dialogue, swap=True)
        assert "swap-pieces" in allowed[2] and allowed[3] == "= swap-pieces"
        assert talk(strong, "param_game allow_swap 1", *dialogue)[4] == "= swap-pieces"
    finally:
        strong.close()


def test_stones_may_be_played_out_of_turn_and_both_colours_asked(engine: Engine) -> None:
    said = talk(engine, "boardsize 3", "play b a1", "play b a2", "genmove b", "genmove w", "final_score", "play w a1")
    assert said[3].startswith("= ") and said[6] == "? illegal move: a1 is taken"
    over = talk(engine, "boardsize 2", "play b a1", "play b a2", "final_score", "genmove w", "all_legal_moves")
    assert over[3:] == ["= B+", "? the game is over", "="]
    assert talk(engine, "boardsize 2", "play w a1", "play w b1", "final_score")[-1] == "= W+"
    assert talk(engine, "play w resign", "final_score", "genmove b")[1:] == ["= B+", "? the game is over"]


def test_opinions_for_hexgui_leave_the_board_alone(engine: Engine) -> None:
    said = talk(
        engine, "boardsize 3", "reg_genmove b", "ludoteca-scores black", "ludoteca-line", "ludoteca-opinion",
        "hexgui-analyze_commands", "all_legal_moves",
    )  # fmt: skip
    point = said[1].removeprefix("= ")
    assert f"{point} " in said[2] and said[3].startswith("= black ") and "30 simulations" in said[4]
    known = talk(engine, "list_commands")[0]
    for line in said[5].removeprefix("= ").splitlines():
        _, _, command = line.split("/")
        assert command.split()[0] in known
    assert len(said[6].split()) == 1 + 9


def test_the_clock_is_divided(engine: Engine) -> None:
    asked: list[Limit] = []
    real = engine.think

    def watched(position: Position, seat: int, limit: Limit) -> Iterator[ludoteca.Decision]:
        asked.append(limit)
        return real(position, seat, limit)

    engine.think = watched  # type: ignore[method-assign]
    talk(
        engine, "boardsize 5", "time_left b 100 4", "time_left w 24", "reg_genmove b", "reg_genmove w",
        "time_left b 0 1", "reg_genmove b", "clear_board", "reg_genmove b",
    )  # fmt: skip
    seconds = [limit.seconds for limit in asked]
    assert seconds == [pytest.approx(24.95), pytest.approx(2.95), pytest.approx(0.01), 60]


def test_a_file_is_loaded_up_to_a_move(engine: Engine, tmp_path: Path) -> None:
    game = ludoteca.game("hex:size=3,orientation=standard,swap=true")
    match = Match(game, 0, [game.parse_action(name) for name in ("a2", "swap", "c3")])
    file = tmp_path / "a game.sgf"
    file.write_text(sgf.write([match.record()]))
    said = talk(
        engine, f"loadsgf {file}", "all_legal_moves", f"loadsgf {file} 2", "all_legal_moves", "loadsgf none.sgf"
    )
    assert said[0] == "=" and "b1" not in said[1] and "c3" not in said[1] and "a2" in said[1]
    assert said[2] == "=" and "a2" not in said[3] and "b1" in said[3]
    assert said[4].startswith("? cannot load none.sgf")
    file.write_text("(;GM[1])")
    assert talk(engine, f"loadsgf {file}")[0].startswith("? ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("boardsize", "? say how wide the board is, as in: boardsize 11"),
        ("boardsize 20", "? boards are 1 to 19 cells wide, not 20"),
        ("boardsize -1", "? say how wide the board is, as in: boardsize 11"),
        ("boardsize 5 6", "? boards are as wide as they are high, not 5 by 6"),
        ("play b", "? say who plays what, as in: play black c3"),
        ("play red a1", "? 'red' is no colour: say black or white"),
        ("7 play b a12", "?7 'a12' is no cell of hex:orientation=standard: cells are a1 to k11"),
        ("play b a1 a2", "? say who plays what, as in: play black c3"),
        ("genmove", "? say a colour and nothing else, not ''"),
        ("time_left b", CLOCK),
        ("time_left b nan", CLOCK),
        ("time_left b -5 1", CLOCK),
        ("param_game speed 9", "? the only parameter is: param_game allow_swap 0 (or 1)"),
        ("loadsgf", "? say which file, as in: loadsgf game.sgf"),
        ("Dance now", "? unknown command: dance"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(engine: Engine, line: str, reason: str) -> None:
    assert talk(engine, line) == [reason]


def test_lines_that_say_nothing_are_not_answered(engine: Engine) -> None:
    assert talk(engine, "", "   ", "# a comment", "12", "\x00\x07", "NAME # of the engine") == ["= Ludoteca"]


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_line_can_be_read(line: str) -> None:
    command = Command.read(line)
    assert command is None or (command.name and command.name == command.name.lower())


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.sampled_from("bw"), st.sampled_from(["a1", "b2", "c3", "a3", "swap-pieces", "swap-sides"])))
)
def test_undo_takes_back_any_sequence_of_plays(plays: list[tuple[str, str]]) -> None:
    position = Position(3)
    boards = [list(position.stones)]
    for colour, move in plays:
        try:
            position.play("bw".index(colour), move)
        except HtpError:
            assert position.stones == boards[-1]
            continue
        boards.append(list(position.stones))
        state = position.state(position.next_seat)
        assert state.turn in (None, position.next_seat)
    while len(boards) > 1:
        assert position.stones == boards.pop()
        position.undo()
    assert not any(stone is not None for stone in position.stones)


@pytest.fixture
def lines() -> Iterator[tuple[queue.SimpleQueue[str | None], queue.SimpleQueue[str]]]:
    """Lines in, lines out, of a server that would think for a quarter of an hour."""
    asked: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    said: queue.SimpleQueue[str] = queue.SimpleQueue()

    class Out(io.StringIO):
        def write(self, text: str, /) -> int:
            said.put(text.rstrip("\n"))
            return len(text)

    engine = Engine("mcts", Limit(seconds=1000))
    server = Server(engine, Out())
    thread = threading.Thread(target=server.serve, args=(iter(asked.get, None),))
    thread.start()
    yield asked, said
    asked.put(None)
    thread.join(60)
    assert not thread.is_alive()
    engine.close()


@pytest.mark.parametrize("word", ["stop", "# interrupt"])
def test_a_thought_can_be_stopped(
    lines: tuple[queue.SimpleQueue[str | None], queue.SimpleQueue[str]], word: str
) -> None:
    asked, said = lines
    asked.put("genmove b")
    with pytest.raises(queue.Empty):
        said.get(timeout=0.2)
    asked.put(word)
    answer = said.get(timeout=60)
    assert answer.startswith("= ") and len(answer) in (4, 5)
    assert said.get(timeout=60) == ""
    if word == "stop":
        assert said.get(timeout=60) == "=" and said.get(timeout=60) == ""
    asked.put("5 final_score")
    assert said.get(timeout=60) == "=5 cannot score"


def test_an_analysis_goes_on_until_the_next_line(
    lines: tuple[queue.SimpleQueue[str | None], queue.SimpleQueue[str]],
) -> None:
    asked, said = lines
    asked.put("3 analyze b")
    assert said.get(timeout=60) == "=3"
    first = said.get(timeout=60)
    assert first.startswith("info move ") and " nodes " in first
    asked.put("final_score")
    rest = [said.get(timeout=60)]
    while rest[-1] != "= cannot score":
        rest.append(said.get(timeout=60))
    assert rest[-2] == "" and all(line.startswith("info move ") for line in rest[:-2])


def test_the_failure_of_an_agent_is_answered_and_the_dialogue_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text(
        "class SmartPlayer:\n    def __init__(self, player_id): pass\n    def play(self, board): return 1 / 0\n"
    )
    engine = Engine(str(file), Limit(seconds=60))
    try:
        said = talk(engine, "boardsize 3", "genmove b", "name")
    finally:
        engine.close()
    assert said[1].startswith("? error: ") and "ZeroDivisionError" in said[1] and said[2] == "= Ludoteca"


def test_the_command_line_serves_and_keeps_its_output_clean() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ludoteca.cli", "htp", "random", "--size", "2"],
        input=b"play b a1\n\xff\xfe\nplay b a2\nfinal_score\nquit\n", capture_output=True, check=True, timeout=300,
    )  # fmt: skip
    assert run.stdout == "=\n\n? unknown command: \ufffd\ufffd\n\n=\n\n= B+\n\n=\n\n".encode()
    wrong = run_command("htp", "cases")
    assert wrong.returncode == 2 and "cases does not play hex" in wrong.stderr
