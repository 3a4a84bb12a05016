"""OpenSpiel's players in our matches, in its games and in ours."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import ludoteca
from ludoteca import Decision, InvalidAgent, InvalidOption, Limit, Match, agents
from ludoteca.adapters.openspiel.quiet import quiet
from ludoteca.agents.digests import identity_of
from ludoteca.play.match import play_out
from ludoteca.terminal.playing import saved_match
from ludoteca.web.serving.allowed_specs import agents_of
from ludoteca.web.tables import match_request

pytest.importorskip("pyspiel", reason="needs open-spiel")


def decision(game: str, agent: str, played: str = "", limit: Limit = Limit(), seed: int = 1) -> Decision:  # noqa: B008
    rules = ludoteca.game(game)
    match = Match(rules, seed, [rules.parse_action(word) for word in played.split()])
    assert match.turn is not None
    found = agents.agent(agent)(rules, match.turn, seed).act(match.view(match.turn), limit)
    assert isinstance(found, Decision) and found.action in match.view(match.turn).legal()
    return found


def test_mcts_proves_a_win_in_its_games_and_in_ours() -> None:
    theirs = decision("openspiel:game=tic_tac_toe", "openspiel.mcts", "(0,0) (1,0) (0,1) (1,1)")
    assert (theirs.action, theirs.value, theirs.proven) == (2, 1.0, True)
    ours = decision("hex:size=3", "openspiel.mcts", "a2 a1 b2 a3")
    assert (ludoteca.game("hex:size=3").action_name(ours.action), ours.value) in (("c2", 1.0), ("c1", 1.0))
    assert ours.scores[ours.action] == 1.0 and "simulation" in ours.note


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("openspiel:game=hex(board_size=4)", "openspiel.mcts:sims=300"),
        ("hex:size=4", "openspiel.mcts:sims=50"),
        ("horses:size=5", "openspiel.mcts:sims=20"),
        ("kittens", "openspiel.ismcts:sims=40"),
        ("dominoes:start=seat", "openspiel.ismcts:sims=40"),
    ],
)
def test_the_same_seed_decides_the_same_within_its_nodes(game: str, agent: str) -> None:
    first = decision(game, agent)
    assert first == decision(game, agent)
    assert first.nodes == int(agent.rpartition("=")[2])
    assert decision(game, agent, limit=Limit(nodes=10)).nodes == 10


def test_ismcts_plays_its_own_games() -> None:
    """There is nothing to fold to at the first action."""
    game = ludoteca.game("openspiel:game=leduc_poker")
    found = decision(game.spec, "openspiel.ismcts:sims=300")
    assert found.nodes == 300 and game.action_name(found.action) in ("Call", "Raise")


def test_ismcts_keeps_to_its_clock() -> None:
    limited = decision("kittens", "openspiel.ismcts:sims=1000000", limit=Limit(seconds=0.05))
    assert 0 < limited.nodes < 1_000_000
    assert decision("hex:size=5", "openspiel.mcts:sims=1000000", limit=Limit(seconds=0.05)).nodes < 1_000_000


def test_a_match_against_ours() -> None:
    for name, theirs in (("openspiel:game=leduc_poker", "ismcts"), ("openspiel:game=tic_tac_toe", "mcts")):
        game = ludoteca.game(name)
        match = Match(game, 3)
        players = {0: agents.agent(f"openspiel.{theirs}:sims=50")(game, 0, 1), 1: agents.agent("mcts")(game, 1, 1)}
        for _ in play_out(match, players, Limit(nodes=50)):
            pass
        assert match.turn is None


@pytest.mark.parametrize(
    ("game", "agent", "reason"),
    [
        ("hex", "openspiel.ismcts", "hex is for openspiel.mcts"),
        ("kittens", "openspiel.mcts", "kittens is for openspiel.ismcts"),
        (
            "openspiel:game=liars_dice",
            "openspiel.ismcts",
            "because what it hides cannot be sampled; the agents that can are random",
        ),
        ("openspiel:game=liars_dice", "mcts", "mcts cannot play openspiel:game=liars_dice, because what it hides"),
        ("hex", "openspiel.mcts:sims=0", "openspiel.mcts: sims=0 must be a whole number from 1"),
        ("hex", "openspiel.mcts:exploration=-1", "exploration=-1.0 must be a number from 0 to 100"),
        ("hex", "openspiel.mcts:speed=1", "openspiel.mcts has no option 'speed'"),
    ],
)
def test_what_it_cannot_play_is_refused_with_a_reason(
    game: str, agent: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises((InvalidAgent, InvalidOption), match=reason):
        agents.agent(agent)(ludoteca.game(game), 0, 0)
    assert capfd.readouterr().err == ""  # OpenSpiel itself writes what it raises there


def test_it_is_refused_before_the_match_everywhere() -> None:
    """In the arena, in the terminal and on the page."""
    game, reason = "openspiel:game=liars_dice", "the agents that can are random"
    with pytest.raises(InvalidAgent, match=reason):
        ludoteca.series(game, "random", "mcts", 2, store=":memory:", workers=1)
    with pytest.raises(InvalidAgent, match=reason):
        saved_match.new_match(saved_match.MatchRequest(game, "mcts", None, None, "", "1s"))
    with pytest.raises(InvalidAgent, match=reason):
        match_request.new_match(match_request.MatchRequest(game, ("person", "mcts")))


def test_only_the_lines_of_openspiel_are_kept_from_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    with quiet(), quiet():
        os.write(2, b"OpenSpiel exception: no\na line of another thread\n")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "a line of another thread\n"


def test_it_has_an_identity_and_no_page_offers_it() -> None:
    assert identity_of("openspiel.mcts:sims=1000", "hex").spec == "openspiel.mcts"
    assert agents.is_ours("openspiel.mcts:sims=5") and not agents.starts_program("openspiel.mcts")
    assert not any("openspiel" in name for game in ("hex", "kittens", "openspiel") for name in agents_of(game))


def test_it_says_what_to_install() -> None:
    program = """
import sys
sys.modules["pyspiel"] = None
import ludoteca
try:
    ludoteca.agent("openspiel.mcts")(ludoteca.game("hex"), 0, 0)
except ludoteca.LudotecaError as error:
    print(error)
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output == "OpenSpiel needs pyspiel, which is not installed: pip install 'ludoteca[openspiel]'\n"
