"""Advice in the terminal, in this process: what a person types at a real table, and all that they read."""

from __future__ import annotations

import builtins
import io
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from rich.console import Console

from ludoteca.catalogues import Language
from ludoteca.errors import InvalidFile
from ludoteca.games import game
from ludoteca.play.observed import ObservedMatch
from ludoteca.protocols import Limit
from ludoteca.terminal.advising import command
from ludoteca.terminal.advising.session import AdviceSession, SavedEvents
from tests.play.observing import story_of

HAND = "6-5 5-4 3-1 2-2 6-1 4-0 5-0"
Sit = Callable[..., tuple[str, dict[str, object]]]


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Sits a person down who types these lines, and whose input then ends; gives what they read and what was saved."""

    def advise(
        spec: str,
        lines: Iterable[str],
        *,
        match: ObservedMatch | None = None,
        agent: str = "engine",
        language: Language = "en",
        begun: bool = False,
    ) -> tuple[str, dict[str, object]]:
        typed = iter(lines)
        output = io.StringIO()

        def type_line(prompt: str = "") -> str:
            try:
                line = next(typed)
            except StopIteration:
                raise EOFError from None
            if line == "^C":
                raise KeyboardInterrupt
            return line

        monkeypatch.setattr(builtins, "input", type_line)
        path = tmp_path / "events.json"
        console = Console(file=output, width=200, emoji=False)
        limit = Limit(nodes=40)
        AdviceSession(game(spec), 0, match, agent, limit, SavedEvents(path), console, language, begun=begun).run()
        saved = json.loads(path.read_text()) if path.exists() else {}
        return output.getvalue(), saved

    return advise


def test_a_whole_match_of_every_game_is_advised_and_saved(sit: Sit) -> None:
    for spec, agent in (
        ("dominoes", "engine"),
        ("kittens", "engine"),
        ("hex:size=3", "astar"),
        ("horses:size=5", "engine"),
    ):
        story = story_of(game(spec), 0, 4, random.Random(4))
        answers = [part.partition(": ")[2] for part in story.start.split("; ")] if story.start else []
        typed = [event for event in story.events if not (event == "pass" and spec.startswith("horses"))]
        output, saved = sit(spec, [*answers, *typed], agent=agent)
        assert saved["events"] == list(story.events)
        assert "The match is over." in output and "ludoteca advise --from" in output
        assert f"{agent} would play" in output
        assert ("the chance of each" in output) == (spec in ("dominoes", "kittens"))


def test_a_person_is_taught_and_refused_with_reasons(sit: Sit) -> None:
    lines = [
        "6-5 6-5",
        HAND,
        "2",
        "?",
        "6-5",
        "hello",
        "6-6, 6-1, draw",
        "list",
        "holds",
        "rules",
        "board",
        "events",
        "^C",
    ]
    output, saved = sit("dominoes", lines)
    assert "6-5 is there twice" in output
    assert "6-5 is in your hand, and it is the other player's turn" in output
    assert "'hello' is no event" in output
    assert "You can enter what the other player does" in output and "change event 3" in output
    assert "  3  draw" in output and "Counted over all deals" in output
    assert saved["events"] == ["6-6@left", "6-1@left", "draw"]


def test_mistakes_are_corrected_and_what_is_lost_is_named(sit: Sit) -> None:
    start = [HAND, "2", "6-6, 6-1, draw, 1-0, 4-0, 4-2"]
    output, saved = sit("dominoes", [*start, "fix 4 1-1", "no", "undo", "fix 5 9-9", "fix x", "fix 9 draw", "quit"])
    assert "Event 5, 4-0@left, no longer fits: 4-0 does not fit" in output
    assert "These would be left out: 4-0@left, 4-2@left" in output and "Nothing was changed." in output
    assert "Taken back: 4-2@left." in output and "is no tile" in output and "which event?" in output
    assert "there is no event 9" in output
    assert saved["events"] == ["6-6@left", "6-1@left", "draw", "1-0@left", "4-0@left"]
    output, saved = sit("dominoes", [*start, "insert 4 draw", "delete 3", "fix 4 1-1", "yes"])
    assert saved["events"] == ["6-6@left", "6-1@left", "draw", "1-1@left"]


def test_a_match_that_has_begun_is_joined(sit: Sit) -> None:
    lines = ["6-6 5-4", "5-5 3-1", "4", "1", "6-6 6-4 4-1", "5-5 3-1", "4", "1", "3-1", "draw, 6-3 left"]
    output, saved = sit("dominoes", lines, begun=True)
    assert "5-4 does not match" in output and "happened before the position" in output
    assert saved["start"] == "line: 6-6 6-4 4-1; hand: 5-5 3-1; other: 4; turn: me"
    assert saved["events"] == ["3-1@right", "draw", "6-3@left"]
    output, saved = sit("hex:size=3", ["1. b2 a1 2. c1"], begun=True, agent="random")
    assert "enter all that happened so far" in output and saved["events"] == ["b2", "a1", "c1"]


def test_who_begins_is_not_asked_of_a_person_with_the_highest_double(sit: Sit) -> None:
    _, saved = sit("dominoes", ["6-6 5-4 3-1 2-2 6-1 4-0 5-0", "6-6"])
    assert saved["events"] == ["6-6@left"]


def test_it_speaks_spanish(sit: Sit) -> None:
    output, saved = sit("kittens", ["robar segura", "robar bomba", "?", "lista", "salir"], language="es")
    assert saved["events"] == ["draw safe", "draw bomb"]
    assert "El otro jugador ha robado una bomba" in output and "Guardado. Continúa con" in output
    assert "The other player" not in output


def test_a_file_is_continued(sit: Sit, tmp_path: Path) -> None:
    match = ObservedMatch(game("hex:size=3"), 0, "", ["a1"])
    _, saved = sit("hex:size=3", ["b2", "save " + str(tmp_path / "copy.json")], match=match, agent="random")
    assert saved["events"] == ["a1", "b2"]
    assert command._read(tmp_path / "copy.json").events == ("a1", "b2")
    for wrong in ("{", "[]", '{"game": "hex"}'):
        (tmp_path / "wrong.json").write_text(wrong)
        with pytest.raises(InvalidFile):
            command._read(tmp_path / "wrong.json")
    with pytest.raises(InvalidFile, match="cannot be written"):
        SavedEvents(tmp_path / "copy.json" / "below").write(match)
