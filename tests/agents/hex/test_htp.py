"""Other people's programs as agents: a good one, a second copy of ourselves, those that die, hang or talk nonsense."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca import InvalidAction, InvalidAgent, InvalidOption, Limit, Match, agents
from ludoteca.agents.digests import identity_of
from ludoteca.agents.hex.htp import Htp
from ludoteca.errors import BrokenAgent
from ludoteca.play.match import play_out
from ludoteca.players.faults import Ending
from ludoteca.players.pool import Pool
from ludoteca.protocols import Decision
from ludoteca.web.serving.allowed_specs import agents_of, allowed_agent

pytestmark = pytest.mark.no_sanitize

STRANGER = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(Path(__file__).with_name('htp_stranger.py')))}"
HEX = ludoteca.game("hex:size=3,orientation=standard,swap=true")


def program(how: str, *, seat: int = 0, game: ludoteca.Game = HEX, **options: Any) -> Htp:
    agent = agents.agent(f"htp:{STRANGER} {how}") if not options else None
    made = agent(game, seat, 0) if agent else Htp(game, seat, 0, f"{STRANGER} {how}", **options)  # type: ignore[arg-type]
    assert isinstance(made, Htp)
    return made


def first(agent: Htp, limit: Limit = Limit(seconds=60), played: str = "") -> Decision:  # noqa: B008
    match = Match(HEX, 0, [HEX.parse_action(word) for word in played.split()])
    assert match.turn is not None
    return agent.act(match.view(match.turn), limit)


@pytest.mark.parametrize("orientation", ["left-right", "standard"])
def test_a_program_plays_a_match_against_itself(orientation: str) -> None:
    """It fills the board from the top left; with orientation=left-right that is from the left, column by column."""
    game = ludoteca.game(f"hex:size=3,orientation={orientation}")
    match = Match(game, 0)
    for _ in play_out(match, {seat: program("good", seat=seat, game=game) for seat in (0, 1)}, Limit(seconds=60)):
        pass
    names = [game.action_name(action) for action in match.actions]
    across = ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]
    assert names == (
        across if orientation == "standard" else [f"{'abc'[int(n[1]) - 1]}{'abc'.index(n[0]) + 1}" for n in across]
    )


def test_a_second_copy_of_ourselves(tmp_path: Path) -> None:
    """Over HTP both ways, with the swap, with orientation=left-right; the log tells what was said."""
    game = ludoteca.game("hex:size=3,swap=true")
    command = f"{shlex.quote(sys.executable)} -m ludoteca.cli htp mcts:simulations=2000 --swap"
    log = tmp_path / "said.log"
    spec = f'htp:command="{command}",timeout=300,log={log}'
    match = Match(game, 0, [game.parse_action("b2")])
    players = {seat: agents.agent(spec)(game, seat, 0) for seat in (0, 1)}
    for _ in play_out(match, players, Limit(seconds=300)):
        pass
    assert match.ending is Ending.finished
    assert match.actions[1] == game.parse_action("swap")  # the centre of 3 by 3 wins
    assert match.returns() == (-1.0, 1.0)
    said = log.read_text()
    assert "> genmove white" in said and "< = swap-pieces" in said
    assert "> play white b2" in said  # black is told the stones as they lie after the swap
    assert "time_left black" in said


def test_it_is_told_its_time(tmp_path: Path) -> None:
    agent = program("clocked", log=tmp_path / "log")
    first(agent, Limit(seconds=100))
    assert "> time_left black 9" in (tmp_path / "log").read_text()  # a little less than what there is
    first(agent, Limit())
    assert (tmp_path / "log").read_text().count("time_left") == 2  # known to it, and said once


def test_one_that_wants_both_sides_of_the_board_is_told_them() -> None:
    assert first(program("square")).action == 0


def test_a_swap_is_understood_only_where_it_is_legal() -> None:
    assert first(program("swapping", seat=1), played="b2").action == HEX.parse_action("swap")
    plain = ludoteca.game("hex:size=3,orientation=standard")
    match = Match(plain, 0, [4])
    with pytest.raises(InvalidAction, match="answered genmove with 'swap-pieces'"):
        program("swapping", seat=1, game=plain).act(match.view(1), Limit(seconds=60))


def test_a_match_is_played_on_where_it_resigns() -> None:
    decision = first(program("resigning"))
    assert decision.action == 0 and "resigns" in decision.note


def test_one_that_dies_is_started_again_and_told_the_stones(tmp_path: Path) -> None:
    agent = program(f"mortal {shlex.quote(str(tmp_path / 'asked'))}", log=tmp_path / "log")
    assert HEX.action_name(first(agent, played="a1 b2").action) == "b1"
    said = (tmp_path / "log").read_text()
    assert said.count("starting") == 3 and said.count("> play white b2") == 3
    assert said.count("the program ended with status 3: out of luck") == 2


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("dying", "the program ended with status 3: out of luck"),
        ("silly", "it answered 'genmove black' with 'hello', which begins with neither = nor ?"),
        ("endless", "its answer does not end"),
    ],
)
def test_one_that_fails_is_told_by_its_name(how: str, reason: str) -> None:
    with pytest.raises(BrokenAgent, match=reason.replace("?", "[?]")) as caught:
        first(program(how))
    assert "htp_stranger.py" in str(caught.value)


def test_one_that_hangs_is_waited_for_no_longer_than_its_limit() -> None:
    with pytest.raises(BrokenAgent, match="no answer to 'genmove black' within 0"):
        first(program("hanging"), Limit(seconds=0.3))
    with pytest.raises(BrokenAgent, match="no answer to 'genmove black' within"):
        first(program("hanging", timeout=20.0), Limit(seconds=0.3))


@pytest.mark.parametrize("how", ["elsewhere", "wordy"])
def test_what_is_no_move_is_refused(how: str) -> None:
    with pytest.raises(InvalidAction, match="answered genmove with"):
        first(program(how))


def test_one_that_refuses_a_stone_has_failed() -> None:
    with pytest.raises(BrokenAgent, match="I do not like a1"):
        first(program("stubborn", seat=1), played="a1")


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("htp", "say which program plays, as in htp:/usr/bin/mohex"),
        ("htp:/no/such/program --fast=1,2", "there is no program /no/such/program"),
        ("htp:no-such-program", "there is no program no-such-program"),
        ('htp:command="sh \'x"', "cannot be read"),
        ("htp:/bin/sh,timeout=0", "there is no program"),
        ("htp:command=/bin/sh,timeout=0", "timeout=0.0 must be more than 0"),
        ("htp:command=/bin/sh,speed=3", "htp has no option 'speed'"),
    ],
)
def test_a_wrong_spec_is_told(spec: str, reason: str) -> None:
    with pytest.raises(InvalidOption, match=reason):
        agents.agent(spec)(HEX, 0, 0)


def test_what_is_no_engine_or_another_game_is_told_before_the_match() -> None:
    with pytest.raises(BrokenAgent, match="true: the program "):
        agents.agent("htp:command=true")(HEX, 0, 0)
    with pytest.raises(InvalidAgent, match="layout=axial"):
        agents.agent("htp:command=true")(ludoteca.game("hex:layout=odd-r"), 0, 0)
    with pytest.raises(InvalidAgent, match="htp does not play kittens"):
        agents.agent("htp:command=true")(ludoteca.game("kittens"), 0, 0)


def test_the_page_neither_offers_nor_takes_it() -> None:
    """Whoever visits must not start programs on the server."""
    assert "htp" not in agents_of("hex")
    for spec in ("htp:/bin/sh", "htp:command=/bin/sh", "HTP:/bin/sh"):
        with pytest.raises(InvalidAgent, match="hex has no agent called 'htp'"):
            allowed_agent(spec, "hex")


def test_it_has_an_identity_by_its_program(tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text("one")
    before = identity_of(f"htp:/bin/sh {script}", "hex")
    assert before.spec == f"htp:command=/bin/sh {script}"
    assert identity_of(before.spec, "hex") == before
    script.write_text("two")
    assert identity_of(before.spec, "hex").digest != before.digest


def test_the_arena_plays_it_in_a_process_of_its_own() -> None:
    with Pool() as pool:
        player = pool.player(HEX, f"htp:command={STRANGER} taking")
        assert type(player).__name__ == "Child"
        try:
            player.prepare(1, 0)
            decision = player.decide(Match(HEX, 0, [0]).view(1), Limit(seconds=60), 120)
        finally:
            player.close()
    assert decision.action == 0  # which is taken: the referee's business
