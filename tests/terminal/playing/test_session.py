"""Playing in the terminal, in this process: what a person types, and all that they read."""

from __future__ import annotations

import builtins
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from ludoteca.agents import strongest
from ludoteca.catalogues import Language
from ludoteca.games import game, names
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.play.store import Store
from ludoteca.players.faults import Ending
from ludoteca.players.pool import Pool
from ludoteca.protocols import Limit, Seat
from ludoteca.terminal.playing import hint as hints
from ludoteca.terminal.playing.saved_match import HUMAN, MatchRequest, SavedMatch, new_match
from ludoteca.terminal.playing.session import play
from tests.games.horses.matches import TURNS_ROUND, TURNS_ROUND_MATCH
from tests.strangers import installed
from tests.terminal import telltales


@dataclass
class Played:
    """A match as it was left, and all that was read at the terminal."""

    match: Match
    output: str

    @property
    def while_playing(self) -> str:
        return self.output.partition("The match is over.")[0]


Sit = Callable[..., Played]


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Sits a person down who types these lines, and whose input then ends."""

    def play_it(
        spec: str,
        lines: Iterable[str],
        *,
        against: str = "random",
        seat: Seat | None = 0,
        seed: int = 3,
        start: str = "",
        language: Language = "en",
        colour: bool = False,
        trust: bool = False,
    ) -> Played:
        typed = iter(lines)

        def read(prompt: str = "") -> str:
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(builtins, "input", read)
        out = io.StringIO()
        console = Console(
            file=out, width=200, emoji=False, force_terminal=colour, color_system="standard" if colour else None
        )
        with Store(tmp_path / "matches.sqlite") as store:
            kept = SavedMatch.begin(store, new_match(MatchRequest(spec, against, seat, seed, start, "200n")))
            play(kept, console, language, trust=trust, hint_limit=Limit(nodes=200))
            return Played(kept.match, out.getvalue())

    return play_it


@pytest.mark.parametrize("spec", ["hex:size=3", "horses:size=5", "dominoes", "kittens"])
@pytest.mark.parametrize(("language", "seat_word"), [("en", "seat"), ("es", "asiento")])
def test_no_message_speaks_of_seats(sit: Sit, spec: str, language: Language, seat_word: str) -> None:
    """Sides have colours; "seat 0" is for programmers."""
    words = ["?", "rules", "legal", "board", "nonsense", "undo"]
    found = sit(spec, [*words, "resign", "yes", "nonsense", "thoughts"], language=language).output
    assert not re.search(rf"\b{seat_word}s?\b", found, re.IGNORECASE)
    assert ("You are red:" if language == "en" else "Eres rojo:") in found or game(spec).name == "horses"


@pytest.mark.parametrize("name", names())
def test_rules_and_goal_are_one_word_away(sit: Sit, name: str) -> None:
    found = sit(name, ["rules"]).output
    assert found.count("You are ") == 2 + found.count("You are told"), "in the greeting and with the rules"
    assert len(found) > 400


def test_options_that_change_the_rules_are_shown_with_them(sit: Sit) -> None:
    found = sit("dominoes:variant=block", ["rules"]).output
    assert "In this match: when nothing fits: pass." in found


def test_a_hint_says_what_to_play_and_why(sit: Sit) -> None:
    found = sit("horses:size=5,layout=W@a1/B@e5/+10@b3", ["hint"]).output
    assert "engine would play b3. You " in found


def test_a_forced_pass_plays_itself_and_is_explained(sit: Sit) -> None:
    moves = [name for name in TURNS_ROUND_MATCH if name != "pass"]
    found = sit(f"horses:size=5,layout={TURNS_ROUND}", moves, against=HUMAN)
    assert [found.match.game.action_name(action) for action in found.match.actions] == TURNS_ROUND_MATCH
    assert found.output.count("White has no move and passes.") == 2


HOLDS_A_FIT = "line: 6-6 6-4; 0: 6-1 4-4; 1: 6-5 4-3; turn: 0"
HOLDS_NONE = "line: 6-6 6-4; 0: 6-1 4-4; 1: 5-5 3-1; turn: 0"


def test_a_hint_knows_no_more_than_the_person() -> None:
    """Two deals that look alike from a seat give the same hint, even if it could win one of them at once."""
    matches = [Match(game("dominoes"), 1, start=start) for start in (HOLDS_A_FIT, HOLDS_NONE)]
    views = [match.view(0) for match in matches]
    assert views[0] == views[1] and matches[0].view(1) != matches[1].view(1)
    with Pool() as pool:
        given = [
            hints.advice(
                view,
                "engine",
                hints.ask_agent(pool, "engine", view, match.views_seen(0), Limit(nodes=300)),
                Speaker("en"),
            )
            for view, match in zip(views, matches, strict=True)
        ]
    assert given[0] == given[1] and strongest(game("dominoes")) in given[0][0]


@pytest.fixture(scope="module")
def tellers(tmp_path_factory: pytest.TempPathFactory) -> Iterable[None]:
    with installed(telltales, tmp_path_factory.mktemp("site")):
        yield


@pytest.mark.parametrize("spec", ["dominoes:pips=3,start=seat", "kittens"])
def test_notes_that_reveal_a_hand_are_not_shown_before_the_end(
    sit: Sit, tellers: None, spec: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """It gives its hand away in every way it has: its note, its line, its value, and by printing it."""
    legal_first = ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0", "3-1", "3-2", "3-3", "draw", "pass", "top"]
    played = sit(spec, [*legal_first * 20, "resign", "yes", "thoughts"], against="telltale", seat=0)
    assert re.search("telltale (plays|drew)", played.while_playing)
    assert "MYHAND" in played.output.partition("The match is over.")[2], "then everybody may know"
    assert "MYHAND" not in played.while_playing and "0.4242" not in played.while_playing
    assert "is ahead" not in played.while_playing and "It expects" not in played.while_playing
    printed = capfd.readouterr()
    assert "MYHAND" not in printed.out + printed.err


def test_an_agent_gives_its_reason_where_nothing_is_hidden(sit: Sit) -> None:
    found = sit("hex:size=4", ["b2"], against="astar:depth=1").output
    assert re.search(r"astar:depth=1 plays \w\d\n  \S.* · \w.*\.", found)


def test_resigning_asks_once(sit: Sit) -> None:
    played = sit("hex:size=3", ["resign", "no", "b2", "resign", "yes"])
    assert played.output.count("The match goes on.") == 1 and "You resigned.\nrandom wins." in played.output
    assert played.match.ending is Ending.resigned and played.match.fault_seat == 0


@pytest.mark.parametrize("answer", ["sí", "SI", "s", "yes"])
def test_yes_is_understood_without_its_accent(sit: Sit, answer: str) -> None:
    assert sit("hex:size=3", ["abandonar", answer], language="es").match.ending is Ending.resigned


def test_input_that_ends_at_the_question_keeps_the_match(sit: Sit) -> None:
    played = sit("hex:size=3", ["resign"])
    assert played.match.turn == 0 and "The match is saved." in played.output


def test_a_finished_match_is_reviewed_at_once(sit: Sit) -> None:
    found = sit("hex:size=2", ["a1", "a2", "b1", "b2", "review"]).output
    assert re.search(r"^move +side +played", found, re.MULTILINE) and "Red (a person): lost" in found
    assert "The match is saved" not in found


def test_a_mistyped_command_is_recognised(sit: Sit) -> None:
    assert "Did you mean hint?" in sit("hex:size=3", ["hnit"]).output


def test_swap_is_explained_when_it_is_offered(sit: Sit) -> None:
    explained = "swap takes over the first stone"
    assert explained in sit("hex:size=3,swap=true", [], seat=1).output
    assert explained not in sit("hex:size=3,swap=true", [], seat=0).output


def test_colours_are_for_terminals(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """And there only for people who want them."""
    red = "\x1b[1;31m"
    assert red in sit("hex:size=3", ["b2"], colour=True).output
    assert "\x1b" not in sit("hex:size=3", ["b2"]).output
    monkeypatch.setenv("NO_COLOR", "1")
    plain = sit("hex:size=3", ["b2"], colour=True).output
    assert "●" in plain and not re.search(r"\x1b\[[\d;]*[34][0-7]", plain)


@pytest.mark.parametrize(
    ("spec", "painted"),
    [
        ("horses:size=5", r"\x1b\[1;30;107mW\x1b"),
        ("dominoes", r"\x1b\[1m\[?\d[-|]\d\]?\x1b"),
        ("kittens", r"\x1b\[32mDefuse\x1b"),
        ("kittens", r"\x1b\[1;34mblue\x1b"),
    ],
)
def test_every_game_is_painted(sit: Sit, spec: str, painted: str) -> None:
    assert re.search(painted, sit(spec, [], colour=True).output)


def test_the_last_stone_is_marked(sit: Sit) -> None:
    found = sit("hex:size=3,swap=true", ["b2"], colour=True).output
    assert len(re.findall(r"\x1b\[1;7;3[14]m[●○]", found)) == 1


def test_of_two_people_each_is_called_by_colour(sit: Sit) -> None:
    """And reads what the other did."""
    played = sit("kittens", ["", "skip", "", "skip"], against=HUMAN)
    assert "It is the turn of red: press Enter when you are ready." in played.output
    assert "Blue, your move: " in played.output and "Red skipped." in played.output


def test_a_screen_is_covered_before_the_other_person_sits_down(sit: Sit) -> None:
    found = sit("kittens", ["", "skip", "", "skip"], against=HUMAN, colour=True).output
    first, _, second = found.partition("\x1b[3J")
    assert "Red, your move" in first and "It is the turn of blue" in second, "what scrolled away is forgotten too"
    assert "\x1b[2J" not in first.partition("Red, your move")[0], "the greeting is there to be read"


def test_who_sits_where_is_kept_in_the_record(sit: Sit) -> None:
    assert sit("horses", [], seat=1).match.seats[1] == Who()


def test_a_network_that_knows_one_seat_gets_it_unless_a_person_chooses(sit: Sit) -> None:
    played = sit("kittens:rules=original", [], against="dqn", seat=None).match
    assert played.seats[1] == Who() and not played.seats[0].person
    assert sit("kittens:rules=original", [], against="dqn", seat=0).match.seats[0] == Who()
    assert sit("kittens", [], against="dqn", seat=None).match.seats[0] == Who(), "its other network knows both"
