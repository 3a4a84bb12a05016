"""What a person reads of an agent's thought: a chance or words first, figures behind the disclosure."""

from __future__ import annotations

import re

import ludoteca
from ludoteca.protocols import Decision, Limit
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.replay.review_parts import verdict
from ludoteca.web.pages.thoughts import thought_html
from ludoteca.web.thinking.opponents import opponents

RAW = re.compile(r"[+−-]\d?[.,]\d|\d[.,]\d{2}\b")
"""A value such as +0.41."""
SLOW = {"zero", "beam", "mcts"}
"""Agents whose thoughts are like those of others, left out to save time."""


def test_no_raw_value_is_read_before_the_disclosure() -> None:
    for language in ("en", "es"):
        visit, seen = Visit(language, "", "auto", "/"), 0
        for spec in ("hex:size=5", "horses:size=6", "dominoes", "kittens"):
            game = ludoteca.game(spec)
            offered = [each.spec for each in opponents(spec) if each.spec.partition(":")[0] not in SLOW]
            for agent in offered:
                view = game.deal(seed=1).view(game.deal(seed=1).turn or 0)
                decision = ludoteca.agent(agent)(game, view.seat, 1).act(view, Limit(nodes=50))
                assert isinstance(decision, Decision)
                before, _, after = thought_html(visit, game, view.seat, agent, decision, 0.25).partition("<details")
                assert not RAW.search(re.sub(r"<[^>]*>", "", before)), (agent, before)
                if decision.value is not None and not decision.proven:
                    seen += 1
                    assert re.search(r"\(\d+ ?%", before), (spec, agent, before)
                    assert RAW.search(after), "one click further"
        assert seen >= 8


def test_an_agent_without_a_map_is_quoted_in_words() -> None:
    game, visit = ludoteca.game("hex"), Visit("en", "", "auto", "/")
    thought = Decision(0, value=0.41, note="I like corners")
    before, _, after = thought_html(visit, game, 1, "ana/solution.py", thought, 0.25).partition("<details")
    assert "Blue is ahead." in before and "I like corners." in before
    assert "%" not in re.sub(r"<[^>]*>", "", before) and "+0.41" in after


def test_a_review_speaks_of_chances_and_not_of_values() -> None:
    game, visit = ludoteca.game("horses:size=6"), Visit("en", "", "auto", "/")
    played = ludoteca.series(game.spec, "random", "random", 2, seed=1, store=":memory:", workers=1).records[0]
    review = ludoteca.review(played, "engine:level=5", Limit(nodes=200))
    match = ludoteca.Match.of_record(played)
    for each in review.actions:
        text = verdict(visit, match, ["", ""], each, each.ply, review.agent)
        assert not RAW.search(re.sub(r"<[^>]*>", "", text)), text
        assert each.best.value is None or each.best.proven or re.search(r"\d+%", text), text
