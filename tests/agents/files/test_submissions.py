"""A class's worth of files as students write them: what drifted plays unchanged, what is broken says where and why."""

from __future__ import annotations

import gc
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ludoteca
from ludoteca.agents.digests import identity_of
from ludoteca.agents.files import Submission, games, load_player
from ludoteca.agents.files.outline import outline
from ludoteca.agents.files.places import parsed, read_tree
from ludoteca.agents.files.visible_files import visible_paths
from ludoteca.agents.tracebacks import in_brief
from ludoteca.arena.api import default_limit
from ludoteca.messages import translate
from ludoteca.play.match import Match, play_out
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Limit

FOLDER = Path(__file__).parent / "submissions"
INSIDE = {"project": "project/src/agents"}
OWN_FOLDER = ("opens_weights",)
"""These must be started in their folders; in processes of their own they are."""
UNDECIDED = "broken_two_files"
EVERY = sorted(each.name for each in FOLDER.iterdir() if each.name not in ("__pycache__", UNDECIDED))
REASONS = {
    "broken_syntax.py": r"SyntaxError: expected ':' \(broken_syntax.py, line 5: def play\(self, board\)\)",
    "broken_missing_package": r"No module named 'a_package_that_nobody_has' \(solution.py, line 2, in <module>: .*\)\. "
    r"a-package-that-nobody-has stands in requirements.txt, line 1, but is not installed here",
    "broken_other_method.py": r"MyPlayer has get_move, which is not called: its name must be play",
    "broken_two_players.py": r"which of Attack, Defence\? Say \S*broken_two_players.py:Defence, or call one ",
    "broken_returns_none.py": r"MyPlayer.play \(broken_returns_none.py, line 6\) returned None, which is no cell: it "
    r"must be \(row, col\), both from 0 to 3",
    "broken_index.py": r"IndexError: list index out of range \(broken_index.py, line 10, in best: ",
    "broken_unknown_member.py": r"the course's HexBoard has no member 'get_posible_moves'; did you mean "
    r"'get_possible_moves'\? \(broken_unknown_member.py, line 7, in play: ",
    "broken_process_pool.py": r" \(broken_process_pool.py, line 15, in play: with Pool\(2\) as pool:\)\. "
    r"Submissions may not start processes",
    "broken_asks_at_import.py": r"EOFError: .* \(broken_asks_at_import.py, line 10, in <module>: size = ",
}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as opened:
        yield opened


def path_of(name: str) -> str:
    return str(FOLDER / INSIDE.get(name, name))


def play(path: str, seat: int, spec: str = "hex:size=4") -> None:
    """Plays a match against chance; what goes wrong in the file is raised."""
    game = ludoteca.game(spec)
    agents = {seat: load_player(path)(game, seat, 1), 1 - seat: ludoteca.agent("random")(game, 1 - seat, 2)}
    match = Match(game, 3)
    for _ in play_out(match, agents, Limit(seconds=5)):
        pass
    assert match.turn is None


@pytest.mark.parametrize("name", [each for each in EVERY if each not in REASONS])
def test_a_file_that_drifted_plays_unchanged(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in OWN_FOLDER:
        monkeypatch.chdir(path_of(name))
    modules, path, finders = dict(sys.modules), list(sys.path), list(sys.meta_path)
    for seat in (0, 1):
        play(path_of(name), seat)
    theirs = {each for each in set(sys.modules) - set(modules) if each.partition(".")[0] in ("board", "src", "player")}
    assert not theirs and sys.path == path and sys.meta_path == finders
    found = outline(Submission.of(path_of(name)))
    loaded = load_player(path_of(name))
    assert (found.choice.player.name, found.choice.why) == (loaded.choice.player.name, loaded.choice.why)


@pytest.mark.parametrize("name", REASONS)
def test_a_broken_file_says_where_and_why(pool: Pool, name: str) -> None:
    """In its author's words: a line of their file, none of ours."""
    game = ludoteca.game("hex:size=4")
    player = pool.player(game, path_of(name))

    def ask() -> None:
        player.prepare(0, 1)
        player.decide(game.deal(0).view(0), Limit(seconds=5), 30.0)

    with pytest.raises(Fault) as caught:
        ask()
    reason = in_brief(caught.value.message)
    assert re.search(REASONS[name], reason), reason
    assert "ludoteca" not in reason.replace(str(FOLDER), "") and "\n" not in reason
    assert translate(reason, "es")


@pytest.mark.parametrize("name", ["project", "relative_import", "own_board", "main_beside", "no_solution", *OWN_FOLDER])
def test_what_lies_around_a_file_is_there_where_it_plays_alone_too(pool: Pool, name: str) -> None:
    """In the process of its own that the arena gives it, which sees no more than it must."""
    game = ludoteca.game("hex:size=4")
    player = pool.player(game, path_of(name))
    player.prepare(0, 1)
    assert player.decide(game.deal(0).view(0), Limit(seconds=5), 30.0).action in range(16)
    player.close()


def test_a_file_finds_its_data_in_a_plain_process_too() -> None:
    """Where no sandbox can be made, or the operator trusts it."""
    path = path_of("opens_weights")
    game = ludoteca.game("hex:size=4")
    with Pool(ludoteca.Admission(isolated=True, trusted=(path,))) as plain:
        player = plain.player(game, path)
        player.prepare(0, 1)
        assert player.decide(game.deal(0).view(0), Limit(seconds=5), 30.0).action == 15


def test_of_two_players_in_a_folder_none_is_taken_silently(tmp_path: Path) -> None:
    with pytest.raises(ludoteca.InvalidAgent) as caught:
        Submission.of(path_of(UNDECIDED))
    said = translate(caught.value.message, "en")
    assert "more than one class in it can play: bots/attack.py:Attack, bots/defence.py:Defence. Say which one" in said
    folder = tmp_path / "ana"
    shutil.copytree(path_of(UNDECIDED), folder)
    for name in ("Attack", "Defence"):
        assert load_player(f"{folder}:{name}").player.__name__ == name
    lines = said.partition("with the lines ")[2].partition(";")[0].replace(" and ", "\n")
    (folder / "submission.toml").write_text(lines)
    assert load_player(str(folder)).player.__name__ == "Attack"
    assert outline(Submission.of(str(folder))).choice.why == "submission.toml names it"
    for wrong, reason in (
        ('[submission]\nplayer = "bots/nowhere.py"', "there is no file bots/nowhere.py in the folder"),
        ('[submission]\nplayer = "../../x.py"', "there is no file ../../x.py in the folder"),
        ('player = "bots/attack.py"', r'there is no line player = "file.py:Class" below \[submission\]'),
        ("[submission", "is not TOML"),
    ):
        (folder / "submission.toml").write_text(wrong)
        with pytest.raises(ludoteca.InvalidAgent, match=reason):
            Submission.of(str(folder))


def test_a_folder_without_a_player_says_what_comes_nearest(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("class Game:\n    def play(self):\n        pass\n")
    with pytest.raises(ludoteca.InvalidAgent, match=r"has no solution\.py, and no class in it has a method play"):
        Submission.of(str(tmp_path))
    (tmp_path / "ai.py").write_text("class HexPlayer:\n    def get_move(self, board):\n        return 0, 0\n")
    with pytest.raises(ludoteca.InvalidAgent, match=r"ai.py:HexPlayer has get_move, which is not called: its name"):
        Submission.of(str(tmp_path))


def test_files_of_every_editor_and_system_play(tmp_path: Path) -> None:
    text = "# señor\nclass Jugador:\n    def play(self, board):\n        return board.get_possible_moves()[0]\n"
    asks = '\nif __name__ == "__main__":\n    input("size? ")\n'
    for name, data in {
        "peña.py": text.encode(),
        "two words.py": text.encode(),
        "Upper.PY": text.encode(),
        "bom.py": text.encode("utf-8-sig"),
        "crlf.py": text.replace("\n", "\r\n").encode(),
        "tabs.py": text.replace("    ", "\t").encode(),
        "cookie.py": b"# -*- coding: latin-1 -*-\n" + text.encode("latin-1"),
        "asks.py": (text + asks).encode(),
        "given.py": text.replace("def play", "def best").encode() + b"    play = best\n",
    }.items():
        (tmp_path / name).write_bytes(data)
        play(str(tmp_path / name), 0)
        assert outline(Submission.of(str(tmp_path / name))).choice.player.name == "Jugador"
    for name, data in {
        "latin.py": text.replace("get_", "gét_").encode("latin-1"), "sixteen.py": text.encode("utf-16")
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ludoteca.InvalidAgent, match="It is not saved as UTF-8: save it again with that encoding"):
            load_player(str(tmp_path / name))


def test_a_folder_that_would_keep_us_reading_is_read_in_time(tmp_path: Path) -> None:
    """A chain of a thousand imports, modules that all import each other, and more files than are read."""
    chain, ring, many = tmp_path / "chain", tmp_path / "ring", tmp_path / "many"
    for folder, count in ((chain, 250), (ring, 40), (many, 301)):
        folder.mkdir()
        for number in range(count):
            others = range(count) if folder is ring else [number + 1]
            lines = [f"from m{other} import *" for other in others if other != number]
            (folder / f"m{number}.py").write_text("\n".join(lines) if folder is not many else "")
    player = "class P:\n    def play(self, board):\n        return board.get_possible_moves()[0]\n"
    for folder in (chain, ring):
        (folder / "player.py").write_text(f"from m0 import *\n{player}")
        assert Submission.of(str(folder)).file == folder / "player.py"
    with pytest.raises(ludoteca.InvalidAgent, match="holds more than 300 Python files"):
        Submission.of(str(many))


def test_enough_of_them_play() -> None:
    assert len(EVERY) - len(REASONS) >= 32


def test_the_hint_can_be_typed_back(tmp_path: Path) -> None:
    """Also from a folder whose name a shell would take apart, and whatever version was asked for."""
    folder = tmp_path / "Ana Pérez"
    folder.mkdir()
    (folder / "my players.py").write_text((FOLDER / "broken_two_players.py").read_text(encoding="utf-8"))
    path = str(folder / "my players.py")
    with pytest.raises(ludoteca.InvalidAgent) as caught:
        load_player(f"{path}@0123abcd")
    typed = shlex.split(str(caught.value).partition("Say ")[2].partition(", or call")[0])
    assert len(typed) == 1
    assert load_player(typed[0]).player.__name__ == "Defence"


def test_an_abstract_class_is_never_chosen_or_offered(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    text = (FOLDER / "abstract_beside.py").read_text(encoding="utf-8")
    path.write_text(text + text[text.index("class Bridge") :].replace("Bridge", "Ladder"), encoding="utf-8")
    with pytest.raises(ludoteca.InvalidAgent, match=r"which of Bridge, Ladder\? Say \S*:Ladder, "):
        load_player(str(path))
    with pytest.raises(ludoteca.InvalidAgent, match=r"Player is abstract, a base for players .* are Bridge, Ladder"):
        load_player(f"{path}:Player")


@pytest.mark.parametrize("spec", ["hex:size=3", "horses", "dominoes", "kittens"])
@pytest.mark.parametrize("name", ["plain_agent.py", "thinking_agent.py"])
def test_a_plain_agent_is_a_submission_for_every_game(name: str, spec: str) -> None:
    play(path_of(name), 1, spec)
    assert games(Submission.of(path_of(name))) is None
    assert games(Submission.of(path_of("play_board"))) == frozenset({"hex"})


def test_where_a_file_takes_part_the_courses_limit_is_the_usual_one() -> None:
    assert default_limit(["astar", path_of("play_board")]) == "5s"
    assert default_limit(["astar", "mcts:simulations=10"]) == "1s"


def test_boards_that_a_player_makes_lie_as_the_match_does() -> None:
    play(path_of("builds_boards.py"), 0, "hex:size=4,layout=even-r")


def test_a_neighbour_in_the_same_folder_is_no_part_of_a_file(tmp_path: Path) -> None:
    """Forty files handed in side by side: one that is handed in again is the only new one."""
    (tmp_path / "ana.py").write_text(
        "import ideas\n\nclass P:\n    def play(self, board):\n        return ideas.CELL\n"
    )
    (tmp_path / "bob.py").write_text("class P:\n    def play(self, board):\n        return 0, 0\n")
    (tmp_path / "ideas.py").write_text("CELL = (0, 0)\n")
    ana, bob = str(tmp_path / "ana.py"), str(tmp_path / "bob.py")
    before = identity_of(ana, "hex"), identity_of(bob, "hex")
    (tmp_path / "ideas.py").write_text("CELL = (0, 1)\n")
    assert identity_of(ana, "hex") != before[0] and identity_of(bob, "hex") == before[1]
    (tmp_path / "bob.py").write_text("class P:\n    def play(self, board):\n        return __import__('x')\n")
    before = identity_of(ana, "hex"), identity_of(bob, "hex")
    (tmp_path / "ideas.py").write_text("CELL = (1, 1)\n")
    assert identity_of(bob, "hex") != before[1], "who imports by name may import anything"


@pytest.mark.parametrize("text", ["x = 1\n" * 100_000, "x = [" + "0, " * 200_000 + "]", "#" * (17 << 20)])
def test_a_text_that_would_fill_our_memory_is_not_read(tmp_path: Path, text: str) -> None:
    """Its own process may run it, as far as its memory goes; ours reads neither its syntax nor its words."""
    file = tmp_path / "solution.py"
    player = "class P:\n    def play(self, board):\n        return 0, 0\n"
    file.write_text(player + text)
    assert parsed(file) is None
    with pytest.raises(ValueError, match="put what is data into a file of its own"):
        read_tree(file)
    assert visible_paths(str(file)) == [str(file)]
    file.write_text(
        player + f"WEIGHTS = '{'QUJDREVGR0hJSktMTU5PUFFSU1RV+/' * 50_000}'\n"
    )  # data in a text is no syntax
    assert parsed(file) is not None


def test_a_file_that_is_called_as_a_module_is_not_in_its_way(tmp_path: Path) -> None:
    for name in ("random", "json", "board", "numpy"):
        file = tmp_path / name / f"{name}.py"
        file.parent.mkdir()
        file.write_text("import random, json\n\nclass P:\n    def play(self, board):\n"
                        "        return random.choice(json.loads(json.dumps(board.get_possible_moves())))")  # fmt: skip
        play(str(file), 0)


def test_a_module_at_the_root_of_the_project_counts(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "project", tmp_path / "project")
    path = str(tmp_path / "project" / "src" / "agents")
    before = identity_of(path, "hex")
    (tmp_path / "project" / "src" / "paths.py").write_text("shortest = None\n")
    assert identity_of(path, "hex") != before


def test_parameters_are_passed_where_the_file_asks_for_them() -> None:
    assert Submission.of(path_of("play_board") + ":SmartPlayer").player == "SmartPlayer"
    found = outline(Submission.of(path_of("time_in_constructor.py")))
    assert (found.constructor, found.method) == (
        "(player_id, tiempo_maximo, profundidad=2, verbose=False)", "play(board)"
    )  # fmt: skip


class _Lingers:
    """Garbage that lets other threads run while it is collected."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0.0005)


def test_files_are_parsed_in_several_threads() -> None:
    """As a server does for its visitors; CPython 3.11 fails if the collector lets a second thread parse meanwhile."""
    threshold = gc.get_threshold()
    gc.set_threshold(50)

    def parse(_: int) -> int:
        for _ in range(20):
            _Lingers()
        return len(read_tree(Path(ludoteca.protocols.__file__)).body)

    try:
        with ThreadPoolExecutor(3) as threads:
            found = set(threads.map(parse, range(45)))
    finally:
        gc.set_threshold(*threshold)
    assert len(found) == 1
