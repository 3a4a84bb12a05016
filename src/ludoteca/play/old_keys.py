"""What older versions wrote into a run's key, in today's words."""

from __future__ import annotations

from typing import Any

from ludoteca.play.clock import MatchLimit

__all__ = ["current_key"]


def current_key(key: dict[str, Any]) -> dict[str, Any]:
    """The key of a run as this version writes it; one that is already so comes back equal. Raises InvalidOption.

    A series was called a match, the matches of a pairing games, and the limit of a whole match was ``60s/game``.

    >>> current_key({"kind": "match", "limit": "60s/game"})
    {'kind': 'series', 'limit': '60s/match'}
    """
    renamed = {"matches" if name == "games" else name: value for name, value in key.items()}
    if renamed.get("kind") == "match":
        renamed["kind"] = "series"
    if isinstance(renamed.get("limit"), str):
        renamed["limit"] = str(MatchLimit.parse(renamed["limit"], stored=True))
    return renamed
