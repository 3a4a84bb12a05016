"""Where chance comes from: every seed of a run is a keyed hash under the run's secret.

Whoever has the secret can rebuild every deal, so no agent's process ever holds it. An agent gets a seed of its own,
from which neither the secret nor the deal can be computed.
"""

from __future__ import annotations

import hashlib
import secrets

from ludoteca.protocols import Seat

__all__ = ["agent_seed", "deal_seed", "new_secret", "secret_from_seed"]


def new_secret() -> str:
    """128 random bits, as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def secret_from_seed(seed: int) -> str:
    """The secret that an explicit seed stands for: an experiment can be repeated by whoever knows the seed."""
    return hashlib.sha256(f"ludoteca seed {seed}".encode()).hexdigest()[:32]


def deal_seed(secret: str, pair: int) -> int:
    """The seed from which both matches of a pair are dealt; below 2**53, so that JSON holds it everywhere."""
    return _keyed(secret, b"deal", pair)


def agent_seed(secret: str, match: int, seat: Seat) -> int:
    """The seed of the agent in a seat of a match."""
    return _keyed(secret, b"agent", 2 * match + seat)


def _keyed(secret: str, purpose: bytes, number: int) -> int:
    key = bytes.fromhex(secret)
    digest = hashlib.blake2b(number.to_bytes(16, "little"), key=key, person=purpose, digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 11
