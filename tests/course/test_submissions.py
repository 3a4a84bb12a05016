"""What was handed in is found, copied alone, and known by all that is in it."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from pathlib import Path

import pytest

from ludoteca.course.submissions import HandedIn
from ludoteca.course.tournament import Course
from ludoteca.errors import InvalidOption
from tests.course.made import FIRST, LAST, course, hand_in


def found(folder: Path) -> dict[str, str]:
    return {each.name: str(each.problem or "") for each in Course.of(folder).submissions()}


def test_folders_and_files_are_submissions_and_nothing_else_is(tmp_path: Path) -> None:
    folder = course(tmp_path, ana=FIRST, bruno=LAST)
    (folder / "carla.py").write_text(FIRST)
    (folder / "notes.txt").write_text("not mine")
    (folder / "site").mkdir()
    (folder / "empty").mkdir()
    (folder / ".git").mkdir()
    inner = folder / "diego" / "src"
    inner.mkdir(parents=True)
    (inner / "solution.py").write_text(FIRST)
    assert found(folder) == {
        "ana": "", "bruno": "", "carla": "", "diego": "",
        "empty": "empty has no solution.py, and no class in it has a method play(board) or act(view, limit)",
    }  # fmt: skip


def file_of(handed_in: HandedIn) -> Path:
    assert handed_in.submission is not None
    return handed_in.submission.file


def test_a_submission_is_identified_by_all_its_files_and_no_others(tmp_path: Path) -> None:
    folder = course(tmp_path, ana=FIRST)
    (folder / "bruno.py").write_text(FIRST)
    before = {each.name: each for each in Course.of(folder).submissions()}
    (folder / "ana" / "data.txt").write_text("learnt")
    after = {each.name: each for each in Course.of(folder).submissions()}
    assert before["ana"].digest != after["ana"].digest and before["ana"].submission != after["ana"].submission
    assert before["bruno"] == after["bruno"]
    assert [path.name for path in file_of(before["bruno"]).parent.iterdir()] == ["bruno.py"]
    assert file_of(before["ana"]).read_text() == FIRST, "what has played stays"


def test_a_file_keeps_the_name_by_which_its_author_knows_it_unless_it_is_a_modules(tmp_path: Path) -> None:
    folder = course(tmp_path)
    for name in ("elena", "random", "player", "numpy", "no module"):
        (folder / f"{name}.py").write_text("import torch\n" + FIRST)
    text = found(folder)
    assert text["elena"] == "elena.py, line 1: it imports torch, which this course does not offer"
    assert text["no module"].startswith("no module.py, line 1")
    assert all(text[name].startswith("solution.py, line 1") for name in ("random", "player", "numpy"))
    assert len({each.digest for each in Course.of(folder).submissions()}) == 1


def test_links_out_of_a_submission_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("teacher's")
    (secret / "solution.py").write_text(FIRST)
    folder = course(tmp_path / "course", ana=FIRST)
    (folder / "ana" / "key.txt").symlink_to(secret / "key.txt")
    (folder / "ana" / "all").symlink_to(secret)
    (folder / "mallory").symlink_to(secret)
    each, mallory = Course.of(folder).submissions()
    assert mallory.submission is None and "it is a link" in str(mallory.problem)
    assert sorted(path.name for path in file_of(each).parent.rglob("*")) == ["solution.py"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import torch\n", "solution.py, line 1: it imports torch, which this course does not offer"),
        ("import os\nfrom scipy import stats\n", "solution.py, line 2: it imports scipy, which this course does not"),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\n", ""),
        ("import numpy, helper, random\nfrom ludoteca import Decision\nfrom src.x import y\n", ""),
        ("import other\n", "other.py, line 2: it imports torch, which this course does not offer"),
        ("from hex.board import HexBoard\nimport unused_here.board\n", ""),
        ("class Mine(Player)\n    pass\n", "solution.py, line 1: this is not Python: expected ':'"),
        ("x = 1\0\n", "this is not Python"),
    ],
)
def test_imports_are_seen_without_running_anything(tmp_path: Path, text: str, problem: str) -> None:
    folder = course(tmp_path, ana=text)
    (folder / "ana" / "helper.py").write_text("raise SystemExit('this was run')")
    (folder / "ana" / "other.py").write_text("import helper\nimport torch")
    shown = found(folder)["ana"]
    assert problem in shown and bool(problem) == bool(shown)


def test_a_submission_of_any_name_is_copied(tmp_path: Path) -> None:
    folder = course(tmp_path)
    names = ["José Núñez", "=1+1", "<b>bold", "a@12345678", "100%", "x:y"]
    for name in names:
        hand_in(folder, name, FIRST)
    assert sorted(found(folder)) == sorted(names)


def test_an_invalid_submission_is_reported_and_the_others_are_taken(tmp_path: Path) -> None:
    """Links, archives, pipes and files of any size and name: each has its own problem, and the rest is copied."""
    folder = course(tmp_path / "c", ana=FIRST)
    raw = os.fsencode(folder)
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "bruno.zip").write_bytes(b"PK\3\4")
    os.mkfifo(folder / "pipe.py")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "s.py"))
    with (folder / "sparse.py").open("wb") as file:
        file.truncate(1 << 40)
    deep = folder / "deep"
    deep.joinpath(*["d"] * 300).mkdir(parents=True)
    hand_in(folder, "l" * 250, FIRST)
    for odd in (b"caf\xe9", b"caf\xe8", b"\xff" * 250, b" ..", b"a\nb", b"a\x07b", b"a\x08b"):
        os.mkdir(raw + b"/" + odd)
        Path(os.fsdecode(raw + b"/" + odd), "solution.py").write_text(FIRST)
    with open(raw + b"/nu\xf1ez.py", "w") as solution:
        solution.write(FIRST)
    for module in ("this.x", "antigravity.y"):  # as modules these would be imported, with what they do
        (folder / f"{module}.py").write_text(FIRST)
    os.mkdir(raw + b"/inner")
    os.mkdir(raw + b"/inner/\xf1")
    with open(raw + b"/inner/\xf1/solution.py", "w") as solution:
        solution.write(FIRST)
    every = {each.name: each for each in Course.of(folder).submissions()}
    assert len(every) == 19
    problems = {name: str(each.problem) for name, each in every.items() if each.problem}
    assert problems.keys() == {"loop", "bruno.zip", "pipe", "s", "sparse", "deep", "inner"}
    assert "link" in problems["loop"] and "unpack it" in problems["bruno.zip"] and "256 MiB" in problems["sparse"]
    assert "no ordinary file" in problems["pipe"] and "within each other" in problems["deep"]
    assert "not UTF-8" in problems["inner"]
    assert {"caf�", "caf� (2)", "a b", "a�b", "a�b (2)", "nu�ez", "�.."} <= every.keys()
    for each in every.values():
        assert each.name.encode() and len(each.name) < 70 and len(each.name.splitlines()) == 1
        if not each.problem:
            assert file_of(each).is_file() and file_of(each).is_relative_to(folder / ".ludoteca" / "handed-in")
    assert "this" not in sys.modules and "antigravity" not in sys.modules


def test_what_may_not_be_read_is_its_own_problem() -> None:
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are closed to other users
        Path(place).chmod(0o777)
        folder = course(Path(place, "c"), ana=FIRST, bruno=FIRST, carla=FIRST)
        (folder / "bruno" / "solution.py").chmod(0)
        (folder / "carla").chmod(0)
        root = os.geteuid() == 0
        try:
            if root:
                os.seteuid(65534)
            every = Course.of(folder).submissions(Path(place, "copies"))
        finally:
            if root:
                os.seteuid(0)
            (folder / "carla").chmod(0o755)
    assert [each.name for each in every if "cannot be read" in str(each.problem)] == ["bruno", "carla"]


def test_a_course_below_a_folder_whose_name_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xf1o"))
    with pytest.raises(InvalidOption, match="not UTF-8; rename it"):
        Course.of(course(folder, ana=FIRST))


def test_no_submissions_is_an_error_that_says_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"a folder with a player in it, or one \.py file"):
        Course.of(course(tmp_path)).submissions()


def test_a_teacher_says_which_class_of_a_folder_plays(tmp_path: Path) -> None:
    folder = course(tmp_path / "c", ana=FIRST)
    (folder / "bruno" / "bots").mkdir(parents=True)
    for name in ("Attack", "Defence"):
        text = f"class {name}:\n    def play(self, board):\n        return board.get_possible_moves()[0]\n"
        (folder / "bruno" / "bots" / f"{name.lower()}.py").write_text(text)
    assert "more than one class in it can play: bots/attack.py:Attack, bots/defence.py" in found(folder)["bruno"]
    settings = (folder / "course.toml").read_text()
    (folder / "course.toml").write_text(settings + '[players]\nbruno = "bots/defence.py:Defence"\n')
    taken = {each.name: each for each in Course.of(folder).submissions()}
    assert taken["bruno"].problem is None and taken["bruno"].submission is not None
    assert taken["bruno"].submission.spec.endswith("/bruno/bots/defence.py:Defence")
    (folder / "course.toml").write_text(settings + '[players]\nbrunno = "bots/defence.py:Defence"\n')
    with pytest.raises(InvalidOption, match=r"below \[players\] stands brunno, but no submission is called so"):
        Course.of(folder).submissions()
    for wrong in ('"../ana/solution.py"', "3", '"/etc/x.py"'):
        (folder / "course.toml").write_text(settings + f"[players]\nbruno = {wrong}\n")
        with pytest.raises(InvalidOption, match="a file in its folder, as in src/ai"):
            Course.of(folder)
