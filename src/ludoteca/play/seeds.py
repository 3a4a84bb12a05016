"""The seeds of a run: keyed hashes under the run's secret.

The secret determines every deal, so no agent's process ever holds it. Each agent gets its own seed, from which neither
the secret nor the deal can be computed.
"""

from __future__ import annotations

import hashlib
import secrets

from ludoteca.protocols import Seat


def new_secret() -> str:
    """128 random bits, as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def secret_from_seed(seed: int) -> str:
    """The secret for an explicit seed, so that an experiment can be repeated."""
    return hashlib.sha256(f"ludoteca seed {seed}".encode()).hexdigest()[:32]


def deal_seed(secret: str, pair: int) -> int:
    """The seed of the deal of both matches of a pair; below 2**53, so that every JSON reader keeps it exact."""
    return _keyed(secret, b"deal", pair)


def agent_seed(secret: str, match: int, seat: Seat) -> int:
    """The seed of the agent in a seat of a match."""
    return _keyed(secret, b"agent", 2 * match + seat)


def _keyed(secret: str, purpose: bytes, number: int) -> int:
    key = bytes.fromhex(secret)
    digest = hashlib.blake2b(number.to_bytes(16, "little"), key=key, person=purpose, digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 11
