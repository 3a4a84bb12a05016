"""Decisions, reviews and runs as plain fields by name: what ``--json`` prints and what becomes columns of a frame."""

from __future__ import annotations

from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.games import game as game_of
from ludoteca.play.store import Run, Store
from ludoteca.protocols import Decision, Game, View
from ludoteca.reports.chance import chance_to_win
from ludoteca.reports.review import Review, ReviewedAction


def decision_fields(view: View, decision: Decision, agent: str = "") -> dict[str, Any]:
    """A decision with the names of actions. agent: the spec of the one that decides, for its chance to win."""
    game = view.game
    return {
        "action": str(game.action_name(decision.action)),
        "value": decision.value,
        "chance": chance_to_win(game, agent, decision),
        "proven": decision.proven,
        "line": _names(game, decision.line),
        "scores": {str(game.action_name(action)): score for action, score in decision.scores.items()},
        "reasons": [str(reason.text) for reason in decision.reasons],
        "note": str(decision.note),
        "nodes": decision.nodes,
        "depth": decision.depth,
    }


def reviewed_actions(review: Review) -> list[dict[str, Any]]:
    """A row for each action of a review."""
    game = game_of(review.record.game)
    return [_reviewed_action(each, game, review) for each in review.actions]


def _reviewed_action(each: ReviewedAction, game: Game, review: Review) -> dict[str, Any]:
    return {
        "ply": each.ply,
        "seat": each.seat,
        "player": str(review.record.seats[each.player].name),
        "action": str(game.action_name(each.action)),
        "mark": each.mark,
        "sure": each.sure,
        "value": each.value,
        "chance": each.chance,
        "points_lost": each.points_lost,
        "best": str(game.action_name(each.best.action)),
        "best_value": each.best.value,
        "best_chance": each.best_chance,
        "proven": each.best.proven,
        "line": _names(game, each.best.line),
    }


def run_fields(store: Store, run: Run) -> dict[str, Any]:
    """A stored run: what was played, and how many matches are saved."""
    agents = [Identity.from_json(each) for each in run.key.get("agents", ())]
    kept = {name: run.key.get(name) for name in ("kind", "format", "game", "limit")}
    return {"run": run.id, "created": run.created, **kept, "agents": list(map(str, agents)),
            "matches": store.count(run.id)}  # fmt: skip


def _names(game: Game, actions: Any) -> list[str]:
    return [str(game.action_name(action)) for action in actions]
