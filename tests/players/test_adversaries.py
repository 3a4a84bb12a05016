"""What no agent can do, each attempted by an agent of `adversaries`."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ludoteca
from ludoteca.errors import ForkServerKilled, InvalidAgent
from ludoteca.play.match import Match
from ludoteca.play.seeds import agent_seed, deal_seed, new_secret
from ludoteca.players.admission import Admission
from ludoteca.players.decisions import encode
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.players.processes.child import MAX_CPU_WHILE_SUSPENDED, Child
from ludoteca.players.processes.linux import cpu_seconds
from ludoteca.protocols import Decision, Limit
from tests.ending import has_ended
from tests.players.adversaries import disguised_forms
from tests.players.test_crowd import family

GAME = ludoteca.game("hex:size=4")
VIEW = GAME.deal(1).view(0)
LIMIT = Limit(seconds=5.0)


@pytest.fixture(scope="module")
def pool(adversaries: Path) -> Iterator[Pool]:
    with Pool(memory=256) as pool:
        yield pool


@pytest.fixture
def seat(pool: Pool) -> Iterator[Callable[[str], Player]]:
    """Puts an agent into a seat until the test is over."""
    seated: list[Player] = []

    def seat(agent: str) -> Player:
        player = pool.player(GAME, agent)
        seated.append(player)
        player.prepare(0, 7)
        return player

    yield seat
    for player in seated:
        player.close()


def test_nothing_of_the_deal_is_found_in_an_agents_process(pool: Pool, adversaries: Path) -> None:
    """Its memory, arguments and environment are searched for the secret and its seeds; its own seed must be found."""
    secret = new_secret()
    deal, own, other = deal_seed(secret, 3), agent_seed(secret, 6, 0), agent_seed(secret, 6, 1)
    wanted = [disguised_forms(number) for number in (deal, own, other, int(secret, 16))]
    (adversaries / "wanted").write_text("\n".join(wanted), encoding="ascii")
    for spec in ("hex:size=4", "dominoes", "kittens"):
        game = ludoteca.game(spec)
        match = Match(game, deal)
        assert match.turn is not None
        player, opponent = pool.player(game, "searches"), pool.player(game, "remembers")
        try:
            player.prepare(match.turn, own)
            opponent.prepare(1 - match.turn, other)
            assert player.decide(match.view(match.turn), LIMIT, 60).note == "1"
        finally:
            player.close()
            opponent.close()


def test_no_trace_of_a_match_is_left_for_the_next(seat: Callable[[str], Player]) -> None:
    for _ in range(3):
        player = seat("remembers")
        assert player.decide(VIEW, LIMIT, 5).note == ""
        player.close()


def test_two_seats_of_one_agent_know_nothing_of_each_other(seat: Callable[[str], Player]) -> None:
    one, two = seat("remembers"), seat("remembers")
    assert [player.decide(VIEW, LIMIT, 5).note for player in (one, two)] == ["", ""]


def used(player: Player) -> float:
    """CPU seconds that a player's process has used, with everything that it has started."""
    assert isinstance(player, Child)
    return sum(map(cpu_seconds, family(player._process.pid)))


def computes_more(player: Player, seconds: float) -> bool:
    """Whether its process uses so much CPU time more within a minute, or ends: the machine may be busy."""
    assert isinstance(player, Child)
    enough, deadline = used(player) + seconds, time.monotonic() + 60
    while used(player) < enough and time.monotonic() < deadline:
        has_ended(player._process.pid, within=seconds)
    return used(player) >= enough


def let_opponent_think(seconds: float) -> None:
    """An agent in this process thinks for so long."""
    game = ludoteca.game("hex")
    ludoteca.agent("mcts")(game, 0, 1).act(game.deal(1).view(0), Limit(seconds))


@pytest.mark.parametrize("agent", ["thinks-in-a-thread", "thinks-in-a-fork", "thinks-in-a-session"])
def test_no_agent_thinks_between_its_turns(seat: Callable[[str], Player], agent: str) -> None:
    player = seat(agent)
    assert isinstance(player, Child)
    for _ in range(2):
        player.decide(VIEW, LIMIT, 60)
        before = used(player)
        let_opponent_think(0.3)
        assert used(player) - before < 0.05
    player._process.resume()  # and this is what it would do otherwise
    assert computes_more(player, 0.05)


def test_a_daemon_is_killed_before_the_next_request(seat: Callable[[str], Player]) -> None:
    player = seat("thinks-in-a-daemon")
    first = player.decide(VIEW, LIMIT, 5).note
    let_opponent_think(0.3)
    assert player.decide(VIEW, LIMIT, 5).note == first


def test_an_agent_that_wakes_itself_between_its_turns_is_caught(seat: Callable[[str], Player]) -> None:
    player = seat("wakes-itself")
    assert computes_more(player, 2 * MAX_CPU_WHILE_SUSPENDED)
    with pytest.raises(Fault, match="kept computing between its turns") as caught:
        player.decide(VIEW, LIMIT, 5)
    assert caught.value.ending is Ending.timeout


def test_honest_agents_take_next_to_no_time_between_their_turns(seat: Callable[[str], Player]) -> None:
    player = seat("remembers")
    assert isinstance(player, Child)
    for _ in range(200):
        player.decide(VIEW, LIMIT, 5)
    assert player._process.cpu_while_suspended < 0.04


def alive(number: int) -> bool:
    try:
        with open(f"/proc/{number}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_nothing_that_an_agent_started_outlives_the_match(seat: Callable[[str], Player]) -> None:
    player = seat("leaves")
    numbers = json.loads(player.decide(VIEW, LIMIT, 5).note)
    assert len(numbers) == 4
    assert any(map(alive, numbers))
    player.close()
    assert not any(map(alive, numbers))


def test_a_small_fork_bomb_is_gone_after_the_match(seat: Callable[[str], Player], pool: Pool) -> None:
    player = seat("multiplies")
    assert isinstance(player, Child)
    session = player._process.pid
    player.decide(VIEW, LIMIT, 5)
    assert len(_session(session)) > 2  # not all of them have come so far
    player.close()
    assert _session(session) == []


def _session(leader: int) -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii") as stat:
                found += [int(name)] if int(stat.read().rsplit(")", 1)[1].split()[3]) == leader else []
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def test_everything_ends_with_the_pool(adversaries: Path) -> None:
    with Pool() as pool:
        player = pool.player(GAME, "leaves")
        player.prepare(0, 1)
        numbers = json.loads(player.decide(VIEW, LIMIT, 5).note)
    assert not any(map(alive, numbers))
    with pytest.raises(Fault):
        player.decide(VIEW, LIMIT, 5)
    player.close()


def test_a_late_answer_is_never_taken_for_a_new_one(seat: Callable[[str], Player]) -> None:
    player = seat("answers-old-questions")
    assert [player.decide(VIEW, LIMIT, 5).action for _ in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("floods", "sent too much data"),
        ("floods-with-old", "sent too much data"),
        ("sends-huge", "broke the protocol: a frame of 4294967295 bytes"),
        ("sends-nonsense", "broke the protocol"),
        ("sends-nested", "broke the protocol"),
        ("collides", "broke the protocol: a frame of|broke the protocol: a decision of"),
        ("annotates", "broke the protocol: a decision of"),
        ("sends-a-pickle", "broke the protocol"),
        ("sends-false-faults", "broke the protocol: a fault with an ending that is no fault"),
        ("sends-unknown-kinds", "broke the protocol: a frame of kind b'?'"),
        ("closes", "closed its connection"),
    ],
)
def test_an_agent_that_breaks_the_protocol_has_crashed(
    pool: Pool, seat: Callable[[str], Player], adversaries: Path, agent: str, message: str
) -> None:
    player = seat(agent)
    assert player.decide(VIEW, LIMIT, 5).action == 0
    with pytest.raises(Fault, match=message) as caught:
        player.decide(VIEW, LIMIT, 5)
    assert caught.value.ending is Ending.crash
    assert not list(adversaries.glob("*.made"))
    assert seat("remembers").decide(VIEW, LIMIT, 5).action == 0  # and the pool goes on


def test_what_a_reply_holds_too_much_of_is_left_out(seat: Callable[[str], Player]) -> None:
    replies = {}
    for agent in ("collides-briefly", "annotates-briefly", "repeats", "writes-half-letters"):
        player = seat(agent)
        player.decide(VIEW, LIMIT, 5)
        replies[agent] = player.decide(VIEW, LIMIT, 60)
    assert replies["collides-briefly"] == Decision(0, scores={2: 0.5})
    assert replies["annotates-briefly"].note == "1"
    assert len(encode(replies["annotates-briefly"])) < 100
    assert replies["repeats"] == Decision(0)
    assert replies["writes-half-letters"] == Decision(0, note="� �")


def test_a_fork_server_that_dies_is_no_fault_of_the_agent(seat: Callable[[str], Player]) -> None:
    """An agent that is not in a sandbox may have killed it; the referee decides that (see `test_referee`)."""
    player = seat("kills-the-fork-server")
    player.decide(VIEW, LIMIT, 5)
    with pytest.raises(ForkServerKilled) as caught:
        player.decide(VIEW, LIMIT, 5)
    assert not caught.value.sandbox
    assert seat("remembers").decide(VIEW, LIMIT, 5).action == 0  # and the pool goes on


def test_a_number_that_is_no_action_is_not_shown_in_full(seat: Callable[[str], Player]) -> None:
    player = seat("counts-high")
    player.decide(VIEW, LIMIT, 5)
    with pytest.raises(Fault, match=r"no action but 9{79}…") as caught:
        player.decide(VIEW, LIMIT, 60)
    assert caught.value.ending is Ending.illegal and len(caught.value.message) < 200


def test_an_agent_that_reads_no_requests_does_not_block_us(seat: Callable[[str], Player]) -> None:
    """It answers before it is asked; in the end its socket is full of requests."""
    large = ludoteca.game("hex:size=19").deal(1).view(0)
    player = seat("never-reads")
    started = time.monotonic()
    fault = None
    while fault is None:
        try:
            player.decide(large, LIMIT, 0.5)
        except Fault as error:
            fault = error
    assert fault.ending in (Ending.timeout, Ending.crash)
    assert time.monotonic() - started < 20


def test_what_is_too_much_of_a_decision_is_cut(seat: Callable[[str], Player]) -> None:
    decision = seat("exaggerates").decide(VIEW, LIMIT, 5)
    assert decision.action == 0
    assert decision.value is None
    assert decision.scores == {each: float(each) for each in range(16)}
    assert decision.line == (0,) * 200
    assert len(decision.note) == 600
    assert (decision.nodes, decision.depth) == (0, 0)


def test_an_agent_cannot_declare_itself_trusted(pool: Pool, adversaries: Path) -> None:
    agent = "pretends"
    player = pool.player(GAME, agent)
    assert isinstance(player, Child)
    player.close()
    with pytest.raises(InvalidAgent, match="is not ours and not trusted"):
        pool.player(GAME, agent, "inside")
    shared = pool.player(GAME, agent, "shared")
    assert isinstance(shared, Child)
    shared.close()
    with Pool(Admission(trusted=(agent,))) as trusting:
        inside = trusting.player(GAME, agent)
        inside.prepare(0, 1)
        assert inside.decide(VIEW, LIMIT, 5).note == str(os.getpid())


@contextmanager
def stopping(player: Player, every: float = 0.2) -> Iterator[None]:
    """Within, another thread asks a player to stop, again and again: a request before it decides has no effect."""
    done = threading.Event()

    def stop() -> None:
        while not done.wait(every):
            player.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_a_thinker_is_stopped_with_its_best_so_far(seat: Callable[[str], Player]) -> None:
    player = seat("thinks")
    for _ in range(3):
        for decision in player.think(VIEW, Limit(), 60):
            if int(decision.note) >= 20:
                player.stop()
        assert int(decision.note) >= 20
        with stopping(player):
            assert player.decide(VIEW, Limit(), 60).action == 0
    again = player.decide(VIEW, Limit(seconds=0.1), 5)
    assert int(again.note) >= 0


@pytest.mark.parametrize("agent", ["ignores-stop", "refuses-to-close", "sleeps"])
def test_an_agent_that_does_not_stop_is_killed(seat: Callable[[str], Player], agent: str) -> None:
    player = seat(agent)
    with stopping(player), pytest.raises(Fault):
        player.decide(VIEW, Limit(), 600)
    with pytest.raises(Fault):
        player.decide(VIEW, LIMIT, 5)


def test_closing_the_stream_stops_the_agent(seat: Callable[[str], Player]) -> None:
    player = seat("thinks")
    notes = []
    for decision in player.think(VIEW, Limit(), 30):
        notes.append(int(decision.note))
        if len(notes) == 4:
            break
    assert notes == sorted(notes) and len(set(notes)) == 4
    assert player.decide(VIEW, Limit(seconds=0.1), 5).action == 0


def test_a_thinker_that_knows_no_limit_is_closed_when_its_time_is_over(seat: Callable[[str], Player]) -> None:
    player = seat("thinks")
    assert int(player.decide(VIEW, Limit(seconds=1), 60).note) >= 1


def test_a_player_is_closed_from_another_thread(seat: Callable[[str], Player]) -> None:
    player = seat("sleeps")
    threading.Timer(0.2, player.close).start()
    started = time.monotonic()
    with pytest.raises(Fault):
        player.decide(VIEW, LIMIT, 30)
    assert time.monotonic() - started < 15
    player.close()


def test_views_seen_before_are_shown_again(pool: Pool, adversaries: Path) -> None:
    player = pool.player(GAME, "remembers")
    player.prepare(0, 1, seen=[VIEW, VIEW])
    note = player.decide(VIEW, LIMIT, 5).note
    assert note == ""  # it tells only at its first turn, and this is its third
    player.close()
