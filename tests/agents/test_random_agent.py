from __future__ import annotations

import ludoteca
from ludoteca import agents


def test_random_plays_every_legal_action_alike() -> None:
    game = ludoteca.game("hex:size=3")
    agent = ludoteca.agent("random")(game, 0, 5)
    view = game.deal(0).view(0)
    decisions = [agent.act(view, ludoteca.Limit()) for _ in range(9 * 200)]
    counts = [0] * 9
    for decision in decisions:
        assert isinstance(decision, ludoteca.Decision) and decision.explanation == "it chose at random"
        counts[decision.action] += 1
    assert all(abs(count - 200) < 6 * 200**0.5 for count in counts)


def test_the_same_seed_plays_the_same() -> None:
    game = ludoteca.game("hex:size=5")
    view = game.deal(0).view(0)
    first, second = (ludoteca.agent("random")(game, 0, 5) for _ in range(2))
    assert [first.act(view, ludoteca.Limit()) for _ in range(20)] == [
        second.act(view, ludoteca.Limit()) for _ in range(20)
    ]


def test_random_plays_every_game() -> None:
    for game in ("dominoes", "hex", "horses", "kittens"):
        assert "random" in agents.names(game)
