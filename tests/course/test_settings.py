"""A course's file is read; an error names key, value and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.catalogues import languages, read_document
from ludoteca.course.init_file import begin
from ludoteca.course.settings import Qualification, read
from ludoteca.errors import InvalidOption


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return begin(tmp_path, "en")


@pytest.mark.parametrize("language", languages())
def test_the_first_file_is_read_as_it_is_and_says_the_defaults(tmp_path: Path, language: str) -> None:
    found = read(begin(tmp_path, language))
    assert (found.conditions.game, found.conditions.limit) == ("hex:size=7", "5s")
    assert (found.format, found.matches, found.same_deals) == ("round-robin", 2, True)
    assert found.qualification == Qualification("random", 10, 8.0)
    assert found.formula.value({"qualified": 1, "score": 0.5}) == 7.0


@pytest.mark.parametrize("name", ["course.toml", "league.toml"])
def test_first_files_set_the_same_in_every_language(name: str) -> None:
    def settings(language: str) -> list[str]:
        lines = read_document(name, language).splitlines()
        return [line.partition("#")[0].strip() for line in lines if not line.startswith("#")]

    assert len({tuple(settings(language)) for language in languages()}) == 1
    assert settings("en") == settings("xx"), "a language without such a file gets the English one"


def test_an_existing_file_is_left_alone(written: Path) -> None:
    written.write_text("mine")
    with pytest.raises(InvalidOption, match="is there already"):
        begin(written.parent, "en")
    assert written.read_text() == "mine"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("size = 7", "size = 99", "options.size = 99: .* whole number from 1 to 19"),
        ("size = 7", "sise = 7", "there is no key options.sise; .* did you mean 'size'"),
        ('layout = "axial"', 'layout = "round"', 'options.layout = "round": .* axial, even-r, odd-r'),
        ("time = 5.0", 'time = "fast"', 'time = "fast" should be a number from 0.001 to 3600'),
        ("time = 5.0", "time = true", "time = True should be a number"),
        ("matches = 2 ", "matches = 3 ", "matches = 3 should be an even number"),
        ("matches = 2 ", "mathces = 2 ", "there is no key mathces; .* did you mean 'matches'"),
        ("points = 8", "points = 11", "qualification.points = 11 should be a number from 0 to 10"),
        ('against = "random"', 'against = "randm"', ".*no agent is called 'randm'.*did you mean 'random'"),
        ("# rounds = 6", "rounds = 6", "rounds = 6 should be left out"),
        ('game = "hex"', 'game = "hexx"', "game = \"hexx\": no game is called 'hexx'"),
        ('"4 * qualified + 6 * score"', '"exit()"', r"grade.formula = \"exit\(\)\": exit\(\) is no arithmetic"),
        ('# submissions = "."', 'submissions = "nowhere"', 'submissions = "nowhere" should be a folder'),
        ('packages = ["numpy"]', "packages = 7", "packages = 7 should be a list of texts"),
    ],
)  # fmt: skip
def test_an_error_is_reported_with_its_line(written: Path, old: str, new: str, reason: str) -> None:
    text = written.read_text()
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    written.write_text(text.replace(old, new, 1))
    with pytest.raises(InvalidOption, match=f"course.toml, line {line}: {reason}"):
        read(written)


def test_a_key_that_is_missing_and_a_file_that_is_no_toml(written: Path) -> None:
    text = written.read_text()
    written.write_text(text.replace('format = "round-robin"', 'format = "references"'))
    with pytest.raises(InvalidOption, match="references = nothing should be given"):
        read(written)
    written.write_text("game =\n")
    with pytest.raises(InvalidOption, match=r"is not TOML: .*line 1"):
        read(written)


def test_a_missing_file_says_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="ludoteca course init"):
        read(tmp_path / "course.toml")
