from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ludoteca
from ludoteca._core import HexView
from ludoteca.adapters import HexBoard
from ludoteca.agents.digests import identity_of
from ludoteca.agents.files import load_player
from ludoteca.errors import IllegalAnswer
from ludoteca.games.hex.game import Hex
from ludoteca.play.match import Match, play_out
from ludoteca.players.faults import Ending
from ludoteca.players.inside import Inside
from ludoteca.protocols import Decision, Limit
from ludoteca.testing import random_actions
from tests.commands import run

EXAMPLE = str(Path(__file__).parents[3] / "docs" / "examples" / "Ana_Perez_Gomez")

FIRST_FREE = """
from player import Player
from board import HexBoard

class {name}(Player):
    def play(self, board):
        assert isinstance(board, HexBoard)
        return board.get_possible_moves()[0]
"""

ANSWERS = """
class P:
    def __init__(self, me):
        self.me = me

    def play(self, board):
        P.seen = self.me, board.board, type(board)
        return {answer}
"""

TIMED = """
class P:
    def __init__(self, {constructor}):
        self.told = [{constructor_time}]

    def play(self, {play}):
        self.told.append({play_time})
        assert board.size == 3
        return (0, 0) if self.told == {expected} else None
"""


def write(folder: Path, text: str, name: str = "solution.py") -> str:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def decide(path: str, view: HexView, seconds: float | None = None) -> Decision:
    choice = load_player(path)(view.game, view.seat, 0).act(view, Limit(seconds=seconds))
    assert isinstance(choice, Decision)
    return choice


def after(names: str = "", spec: str = "hex:size=3") -> HexView:
    """What the seat on turn sees after the actions of these names."""
    game = ludoteca.game(spec)
    state = game.deal(0)
    for name in names.split():
        state.apply(game.parse_action(name))
    assert state.turn is not None
    view = state.view(state.turn)
    assert isinstance(view, HexView)
    return view


@pytest.mark.parametrize("form", ["/solution.py:SmartPlayer", "/solution.py", "", ":SmartPlayer"])
def test_a_submission_is_a_file_or_a_folder(form: str) -> None:
    game = Hex(5)
    match = Match(game, 1)
    agents = {0: ludoteca.agent(EXAMPLE + form)(game, 0, 0), 1: ludoteca.agent("random")(game, 1, 0)}
    decisions = list(play_out(match, agents, Limit()))
    assert game.action_name(decisions[0][1].action) == "c3"
    assert match.turn is None


def test_the_world_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file gets the course's modules and its neighbours, even late, while others of the same names are about."""
    for name in ("board", "ideas"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    path = write(
        tmp_path,
        """
from player import Player

class SmartPlayer(Player):
    def play(self, tablero):
        import later, ideas, board
        return ideas.CELL if later and isinstance(tablero, board.HexBoard) else None
""",
    )
    write(tmp_path, "CELL = (2, 1)", "ideas.py")
    write(tmp_path, "", "later.py")
    modules, paths = dict(sys.modules), list(sys.path)
    assert decide(path, after()).action == 7
    assert dict(sys.modules) == modules
    assert sys.path == paths
    assert not list(tmp_path.rglob("*.pyc"))


def test_two_submissions_do_not_see_each_other(tmp_path: Path) -> None:
    agents = []
    for name, cell in (("one", "(0, 1)"), ("two", "(1, 0)")):
        path = write(tmp_path / name, "import ideas\n" + ANSWERS.format(answer="ideas.CELL"))
        write(tmp_path / name, f"CELL = {cell}", "ideas.py")
        agents.append(load_player(path)(Hex(3), 0, 0))
    for agent, action in [(agents[0], 1), (agents[1], 3), (agents[0], 1)]:
        assert agent.act(after(), Limit()) == Decision(action)


@pytest.mark.parametrize("name", ["player.py", "board.py", "numpy.py"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    assert decide(write(tmp_path, FIRST_FREE.format(name="Mine"), name), after("a1")).action == 1


@pytest.mark.parametrize(("classes", "chosen"), [("Other SmartPlayer", "SmartPlayer"), ("OnlyOne", "OnlyOne")])
def test_the_class_is_found_without_its_name(tmp_path: Path, classes: str, chosen: str) -> None:
    text = "".join(FIRST_FREE.format(name=name) for name in classes.split())
    path = write(tmp_path, text + "\nclass Helper:\n    def play(self): pass\n")
    assert load_player(path).player.__name__ == chosen
    assert load_player(f"{path}:Helper").player.__name__ == "Helper"


def test_a_player_need_not_extend_player(tmp_path: Path) -> None:
    path = write(tmp_path, ANSWERS.format(answer="[1, 1]") + "\nclass Helper:\n    pass\n")
    assert load_player(path).player.__name__ == "P"
    assert decide(path, after()).action == 4


@pytest.mark.parametrize(
    ("text", "name", "complaint"),
    [
        (FIRST_FREE.format(name="A") + FIRST_FREE.format(name="B"), "", r"which of A, B\? Say \S*solution.py:B, or"),
        ("x = 1", "", "no class in it has a method play"),
        (FIRST_FREE.format(name="A"), ":B", "the class B is not there; the players in it are A"),
        ("class A:\n    pass", ":A", r"the class A has no method play\(board\); there are no players in it"),
        (
            "import no_such_module",
            "",
            r"No module named 'no_such_module' \(solution.py, line 1, .*\)\. .* neither installed here nor part of",
        ),
        ("def broken(:", "", r"cannot be imported: SyntaxError: .* \(solution.py, line 1: def broken"),
        ("raise SystemExit('bye')", "", "cannot be imported: SystemExit: bye"),
    ],
)
def test_a_file_without_a_player_is_refused(tmp_path: Path, text: str, name: str, complaint: str) -> None:
    with pytest.raises(ludoteca.InvalidAgent, match=complaint):
        load_player(write(tmp_path, text) + name)


@pytest.mark.parametrize("text", ["nowhere.py", "nowhere.py:SmartPlayer", "no/where"])
def test_a_missing_file_is_named(text: str) -> None:
    with pytest.raises(ludoteca.InvalidAgent, match=f"{text}: there is no file no"):
        ludoteca.agent(text)


def test_an_agents_name_goes_before_a_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("random", "ana"):
        write(tmp_path / folder, FIRST_FREE.format(name="SmartPlayer"))
    game = Hex(3)
    assert type(ludoteca.agent("random")(game, 0, 0)).__module__ == "ludoteca.agents.random_agent"
    assert ludoteca.agent("ana")(game, 0, 0).act(after(), Limit()) == Decision(0)
    with pytest.raises(ludoteca.InvalidAgent, match="no agent is called 'eva'"):
        ludoteca.agent("eva")


@pytest.mark.parametrize(
    ("constructor", "play", "seconds", "expected"),
    [
        ("player_id", "board", 2.0, [0, 0]),
        ("player_id", "board, seconds", 2.0, [0, 1.9]),
        ("player_id", "seconds, board", 2.0, [0, 1.9]),
        ("player_id, seconds", "board, x", 2.0, [1.9, 1.9]),
        ("player_id, limit", "maxTime, board", None, [5.0, 5.0]),
        ("player_id, time_limit=9", "board, tiempo=8", None, [9, 8]),
        ("player_id, time_limit=9", "board, tiempo=8", 2.0, [1.9, 1.9]),
        ("player_id, depth=9", "board, depth=7", 2.0, [9, 7]),
    ],
)
def test_time_is_passed_in_the_form_that_the_file_asks_for(
    tmp_path: Path, constructor: str, play: str, seconds: float | None, expected: list[float]
) -> None:
    def found(parameters: str, subject: str) -> str:
        """What the parameter beside the subject is called; 0 where there is none."""
        names = [each.partition("=")[0].strip() for each in parameters.split(",")]
        return next((name for name in names if name != subject), "0")

    text = TIMED.format(
        constructor=constructor,
        constructor_time=found(constructor, "player_id"),
        play=play,
        play_time=found(play, "board"),
        expected=expected,
    )
    assert decide(write(tmp_path, text), after(), seconds).action == 0


@pytest.mark.parametrize(("spec", "turned"), [("hex:size=4", False), ("hex:size=4,orientation=standard", True)])
@pytest.mark.parametrize("names", ["b1 c4", "b1 c4 a2"])
def test_the_board_is_the_courses(tmp_path: Path, spec: str, turned: bool, names: str) -> None:
    """Player 1 connects left and right, whatever the orientation: a standard board is seen and answered transposed."""
    view = after(names, spec)
    submission = load_player(write(tmp_path, ANSWERS.format(answer="(3, 1)")))
    answer = submission(view.game, view.seat, 0).act(view, Limit())
    expected = [[0] * 4 for _ in range(4)]
    for cell, owner in enumerate(view.stones):
        row, column = divmod(cell, 4)
        if owner is not None:
            expected[column if turned else row][row if turned else column] = owner + 1
    *seen, board = submission.player.seen
    assert seen == [view.seat + 1, expected] and issubclass(board, HexBoard)
    assert answer == Decision(1 * 4 + 3 if turned else 3 * 4 + 1)


@pytest.mark.parametrize(
    "spec", ["hex:size=5", "hex:size=5,orientation=standard", "hex:size=5,layout=even-r", "hex:size=5,swap=true"]
)
def test_what_the_board_calls_connected_has_won(spec: str) -> None:
    """The example looks for a connection on its board: where the match can be won in one, it wins."""
    game = ludoteca.game(spec)
    for seed in range(6):
        match = Match(game, seed, random_actions(game, seed)[:-1])
        assert match.turn is not None
        ((seat, *_),) = play_out(match, {match.turn: ludoteca.agent(EXAMPLE)(game, match.turn, 0)}, Limit())
        assert match.returns()[seat] == 1


@pytest.mark.parametrize(
    ("answer", "error", "complaint"),
    [
        ("None", IllegalAnswer, r"P.play \(solution.py, line 6\) returned None, .* from 0 to 2"),
        ("(3, 0)", IllegalAnswer, r"returned \(3, 0\), which is no cell"),
        ("(0, -1)", IllegalAnswer, r"returned \(0, -1\), which is no cell"),
        ("4", IllegalAnswer, "returned 4, which is no cell"),
        ("(1, 1, 1)", IllegalAnswer, r"returned \(1, 1, 1\)"),
        ("(1.0, 1.0)", IllegalAnswer, r"returned \(1.0, 1.0\)"),
        ("(0, 0)", IllegalAnswer, r"returned \(0, 0\), but that cell is taken"),
        ("1 / 0", ZeroDivisionError, "division by zero"),
    ],
)  # fmt: skip
def test_wrong_answers_are_quoted(tmp_path: Path, answer: str, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        decide(write(tmp_path, ANSWERS.format(answer=answer)), after("a1"))


@pytest.mark.parametrize("answer", ["(99, 99)", "(0, 0)", "None", "'e4?'", "board", "iter(())", "{}", "float('nan')"])
def test_what_cannot_be_played_is_illegal_and_what_is_raised_an_error(tmp_path: Path, answer: str) -> None:
    for returned, ending in ((answer, Ending.illegal), (f"[].index({answer})", Ending.error)):
        agent = load_player(write(tmp_path, ANSWERS.format(answer=returned)))(Hex(3), 1, 0)
        match = Match(Hex(3), 1, [0])
        assert not match.step({1: Inside.around(agent)})
        assert match.ending is ending
        assert ("P.play (solution.py, line 6) returned " in match.message) == (ending is Ending.illegal)
        assert len(match.message) < 300


def test_numpy_integers_are_cells(tmp_path: Path) -> None:
    answer = "np.argwhere(np.array(board.board) == 0)[-1]"
    assert decide(write(tmp_path, "import numpy as np\n" + ANSWERS.format(answer=answer)), after()).action == 8


def test_a_player_may_spoil_its_board(tmp_path: Path) -> None:
    path = write(tmp_path, ANSWERS.format(answer="(0, 0) if board.place_piece(0, 0, 1) else None"))
    agent = load_player(path)(Hex(3), 0, 0)
    assert [agent.act(after(), Limit()) for _ in range(2)] == [Decision(0)] * 2


def test_games_that_a_submission_cannot_play_are_refused() -> None:
    submission = load_player(EXAMPLE)
    with pytest.raises(ludoteca.InvalidAgent, match="plays hex, not horses"):
        submission(ludoteca.game("horses"), 0, 0)
    with pytest.raises(ludoteca.InvalidAgent, match=r"layout=odd-r cannot be turned .* with orientation=left-right"):
        submission(Hex(5, "standard", "odd-r"), 0, 0)


def test_a_submission_is_played_against_in_the_terminal(tmp_path: Path) -> None:
    talking = FIRST_FREE.format(name="SmartPlayer").replace("return", "print('I think …'); return")
    path = write(tmp_path, talking)
    done = run("play", "hex:size=2", "--against", f"{path}:SmartPlayer", "--seat", "1", answer="b2\n")
    assert "I think …" in done.stdout
    assert "/solution.py:SmartPlayer plays a1\n" in done.stdout
    assert "/solution.py:SmartPlayer wins.\n" in done.stdout
    assert done.returncode == 0


ELSEWHERE = """
class P:
    def __init__(self, me):
        assert __import__("os").getpid() != {here}

    def play(self, board):
        return board.get_possible_moves()[{which}]
"""


def test_files_play_in_the_arena_in_processes_of_their_own(tmp_path: Path) -> None:
    first = write(tmp_path / "today", ELSEWHERE.format(here=os.getpid(), which=0))
    second = write(tmp_path / "yesterday", ELSEWHERE.format(here=os.getpid(), which=-1))
    store = tmp_path / "store.db"
    result = ludoteca.series("hex:size=3", first, f"{second}:P", 4, store=store, workers=1)
    assert result.count == 4 and not any(tally.counts for tally in result.faults)
    assert [each.spec for each in result.agents] == [first, f"{second}:P"]

    again = ludoteca.series("hex:size=3", first, f"{second}:P", 4, store=store, workers=1)
    assert (again.agents, again.run) == (result.agents, result.run)

    write(tmp_path / "today", ELSEWHERE.format(here=os.getpid(), which=1))
    changed = ludoteca.series("hex:size=3", first, f"{second}:P", 4, store=store, workers=1)
    assert changed.agents[0] != result.agents[0] and changed.run != result.run


def test_a_file_that_was_changed_since_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, ANSWERS.format(answer="(0, 0)"))
    named = str(identity_of(path, "hex"))
    assert str(identity_of(named, "hex")) == named
    ludoteca.agent(named)
    write(tmp_path, ANSWERS.format(answer="(0, 1)"))
    with pytest.raises(
        ludoteca.InvalidAgent, match=r"solution.py has changed: it is .* now, not .*solution.py@[0-9a-f]{8}"
    ):
        ludoteca.agent(named)(ludoteca.game("hex:size=3"), 0, 0)


def test_a_file_plays_hex_only(tmp_path: Path) -> None:
    path = write(tmp_path, FIRST_FREE.format(name="P"))
    with pytest.raises(
        ludoteca.InvalidAgent, match=r"solution.py does not play horses; the agents that do are engine, mcts, minimax"
    ):
        ludoteca.series("horses", path, "random", 2, store=tmp_path / "store.db")
    with pytest.raises(ludoteca.InvalidAgent, match=r"there is no file .*nothing.py"):
        ludoteca.series("hex", str(tmp_path / "nothing.py"), "random", 2, store=tmp_path / "store.db")
