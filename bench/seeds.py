"""Seeds for measuring strength: fixed, so that published figures can be repeated to the match."""

from __future__ import annotations

import hashlib

__all__ = ["agent_seed"]


def agent_seed(match_seed: int, seat: int) -> int:
    """The seed of the agent in a seat of the match dealt from `match_seed`."""
    digest = hashlib.sha256(f"ludoteca agent {match_seed} {seat}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1
