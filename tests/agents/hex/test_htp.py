"""Other people's programs as agents: a good one, a second copy of ourselves, those that die, hang or talk nonsense."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca import InvalidAgent, InvalidOption, Limit, Match, agents
from ludoteca.agents.digests import identity_of
from ludoteca.agents.hex.htp import Htp
from ludoteca.errors import BrokenAgent, IllegalAnswer, LateAnswer
from ludoteca.play.clock import MatchLimit
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


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(memory=32) as pool:
        yield pool


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
    assert "> play white b2" in said  # the program gets the stones as they are after the swap
    assert "time_left black" in said


def test_it_is_sent_its_time(tmp_path: Path) -> None:
    agent = program("clocked", log=tmp_path / "log")
    first(agent, Limit(seconds=100))
    assert "> time_left black 9" in (tmp_path / "log").read_text()  # a little less than what there is
    first(agent, Limit())
    assert (tmp_path / "log").read_text().count("time_left") == 2  # known to it, and said once


def test_an_engine_that_wants_both_sides_of_the_board_is_sent_them() -> None:
    assert first(program("square")).action == 0


def test_a_swap_is_understood_only_where_it_is_legal() -> None:
    assert first(program("swapping", seat=1), played="b2").action == HEX.parse_action("swap")
    plain = ludoteca.game("hex:size=3,orientation=standard")
    match = Match(plain, 0, [4])
    with pytest.raises(IllegalAnswer, match="answered genmove with 'swap-pieces'"):
        program("swapping", seat=1, game=plain).act(match.view(1), Limit(seconds=60))


def test_a_match_is_played_on_where_it_resigns() -> None:
    decision = first(program("resigning"))
    assert decision.action == 0 and "resigns" in decision.note


def test_an_engine_that_dies_is_started_again_and_sent_the_stones(tmp_path: Path) -> None:
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
def test_the_error_of_an_engine_that_fails_has_its_name(how: str, reason: str) -> None:
    with pytest.raises(BrokenAgent, match=reason.replace("?", "[?]")) as caught:
        first(program(how))
    assert "htp_stranger.py" in str(caught.value)


def test_one_that_hangs_without_a_limit_is_late() -> None:
    with pytest.raises(LateAnswer, match="no answer to 'genmove black' within 0"):
        first(program("hanging", timeout=0.3), Limit())


def played(pool: Pool, spec: str, moves: str, limit: str, margin: float = 3000.0) -> Match:
    """The match after the program has been asked once."""
    match = Match(HEX, 0, map(HEX.parse_action, moves.split()), limit=MatchLimit.parse(limit), margin=margin)
    assert match.turn is not None
    with pool.seated(HEX, spec, match.turn, 0) as player:
        match.step({match.turn: player})
    return match


def test_the_margin_holds_for_a_program(pool: Pool) -> None:
    """It answers 50 ms after a limit of 1 ms."""
    late = f"htp:command={STRANGER} late"
    assert played(pool, late, "", "0.001s").actions == [0]
    assert played(pool, late, "", "0.001s", margin=0.0).ending is Ending.timeout


@pytest.mark.parametrize("how", ["elsewhere", "wordy", "taking", "passing", "silent"])
def test_a_wrong_answer_is_an_illegal_action(pool: Pool, how: str) -> None:
    match = played(pool, f"htp:command={STRANGER} {how}", "a1", "60s")
    assert (match.ending, match.fault_seat) == (Ending.illegal, 1)
    assert "'a1' (action 0) is not legal" in match.message or "answered genmove with" in match.message


def test_its_memory_is_limited_by_its_own_option(pool: Pool) -> None:
    """The arena allows its agents 32 MiB here."""
    hungry = f"htp:command={STRANGER} hungry"
    assert played(pool, hungry, "", "60s").actions == [0]
    assert played(pool, f"{hungry},memory=128", "", "60s").ending is Ending.memory


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
def test_a_wrong_spec_is_refused(spec: str, reason: str) -> None:
    with pytest.raises(InvalidOption, match=reason):
        agents.agent(spec)(HEX, 0, 0)


def test_a_program_that_is_no_engine_is_refused_before_the_match() -> None:
    with pytest.raises(BrokenAgent, match="true: the program "):
        agents.agent("htp:command=true")(HEX, 0, 0)
    with pytest.raises(InvalidAgent, match="layout=axial"):
        agents.agent("htp:command=true")(ludoteca.game("hex:layout=odd-r"), 0, 0)
    with pytest.raises(InvalidAgent, match="htp does not play kittens"):
        agents.agent("htp:command=true")(ludoteca.game("kittens"), 0, 0)


def test_the_page_neither_offers_nor_takes_it() -> None:
    """A visitor must not start programs on the server."""
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


def test_the_arena_plays_it_in_a_process_of_its_own(pool: Pool) -> None:
    with pool.seated(HEX, f"htp:command={STRANGER} good", 0, 0) as player:
        assert type(player).__name__ == "Child"


def test_its_identity_covers_what_its_scripts_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that starts another, which starts a program found on the path; a settings file; what an option names."""
    parts = {name: tmp_path / name for name in ("bin/mohex", "lib/start.sh", "settings.htp", "books/one", "other")}
    for name, path in parts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    parts["lib/start.sh"].write_text('exec mohex "$@"\n')
    parts["bin/mohex"].chmod(0o755)
    script = tmp_path / "engine"
    script.write_text('#!/bin/sh\nhere=$(dirname "$0")\n. "$here/lib/start.sh"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    spec = f"htp:command={script} --config={parts['settings.htp']},files={tmp_path / 'books'}"
    for name, path in parts.items():
        before = identity_of(spec, "hex")
        path.write_text(path.read_text() + " ")
        assert (identity_of(spec, "hex") == before) is (name == "other"), name
    with pytest.raises(InvalidOption, match="there is no /no/such/book"):
        agents.agent(f"htp:command={script},files=/no/such/book")(HEX, 0, 0)


MOHEX = STRANGER.replace("htp_stranger", "htp_mohex")
GUIDE = Path(__file__).parents[3] / "docs" / "htp.md"


def documented() -> str:
    """The setup for MoHex that the guide gives, but it thinks for no time at all."""
    found = re.search(r'setup="(param_mohex [^"]*)"', GUIDE.read_text())
    assert found is not None
    return re.sub(r"max_time [\d.]+", "max_time 0", found[1])


def test_a_program_like_mohex_plays_with_the_settings_of_the_guide(pool: Pool, tmp_path: Path) -> None:
    """It swaps, it resigns, and the board changes its size between two matches."""
    for size in (4, 3):
        game, log = ludoteca.game(f"hex:size={size},swap=true"), tmp_path / f"{size}.log"
        spec = f'htp:command="{MOHEX}",setup="{documented()}",log={log}'
        match = Match(game, 0, limit=MatchLimit.parse("300s"), margin=3000.0)
        with pool.seated(game, spec, 0, 0) as one, pool.seated(game, "random", 1, 0) as other:
            while match.step({0: one, 1: other}):
                pass
        assert match.ending is Ending.finished, match.message
        assert any("resigns" in turn.decision.note for turn in match.turns if turn.decision)
        said = log.read_text()
        assert f"> boardsize {size}" in said and "> param_game allow_swap 1" in said
        assert said.count(" 1\n", said.index("> time_left")) <= 2  # refused once: it wants no number of stones
        assert re.search(r"> time_left black 28\d\n", said)
    answer = played(pool, f'htp:command="{MOHEX}",setup="{documented()}"', "b2", "300s")
    assert answer.actions[-1] == HEX.parse_action("swap")


def test_a_program_like_mohex_knows_when_no_swap_is_allowed(tmp_path: Path) -> None:
    """It would swap, and after our swap it must not swap back."""
    plain = ludoteca.game("hex:size=3,orientation=standard")
    for game, moves, seat in ((plain, "b2", 1), (HEX, "b2 swap", 0)):
        log = tmp_path / f"{seat}.log"
        agent = Htp(game, seat, 0, f"{MOHEX}", setup=documented(), log=log)  # type: ignore[arg-type]
        match = Match(game, 0, map(game.parse_action, moves.split()))
        assert game.action_name(agent.act(match.view(seat), Limit(seconds=300)).action) == "a1"
        assert log.read_text().rindex("allow_swap 0") > log.read_text().index("boardsize")


def test_a_program_that_takes_whole_seconds_gets_them(tmp_path: Path) -> None:
    log = tmp_path / "log"
    agent = Htp(HEX, 0, 0, f"{MOHEX} --old", setup=documented(), log=log)  # type: ignore[arg-type]
    for _ in range(2):
        first(agent, Limit(seconds=2))
    asked = re.findall("> time_left black (.*)", log.read_text())
    assert [len(each.split()) for each in asked] == [2, 1, 2, 1, 1]
    assert asked[-2:] == ["1", "1"]


def test_without_settings_a_program_like_mohex_thinks_too_long(pool: Pool) -> None:
    """Its default is ten seconds a move, whatever its clock says. A settings file is as good as the option."""
    assert played(pool, f"htp:command={MOHEX}", "", "0.2s", margin=0.05).ending is Ending.timeout


def test_a_setting_that_the_program_refuses_is_reported_before_the_match(tmp_path: Path) -> None:
    with pytest.raises(BrokenAgent, match="refused the setup command 'param_mohex speed 9': Unknown parameter: speed"):
        Htp(HEX, 0, 0, MOHEX, setup="param_mohex ponder 0; param_mohex speed 9")  # type: ignore[arg-type]


def test_a_program_without_a_list_of_commands_is_asked_for_each(tmp_path: Path) -> None:
    agent = program("reticent", log=tmp_path / "log")
    first(agent, Limit(seconds=100))
    said = (tmp_path / "log").read_text()
    assert "> known_command param_game" in said and "> time_left black 9" in said and "> param_game" not in said
