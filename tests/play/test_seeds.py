"""Seeds tell nothing of each other, of the secret or of the deal."""

from __future__ import annotations

import pytest

from ludoteca.play.seeds import agent_seed, deal_seed, new_secret, secret_from_seed


def test_seeds_differ_by_match_seat_purpose_and_secret() -> None:
    secrets = [new_secret(), new_secret(), secret_from_seed(1), secret_from_seed(2)]
    seeds = {deal_seed(secret, pair) for secret in secrets for pair in range(500)}
    seeds |= {agent_seed(secret, match, seat) for secret in secrets for match in range(500) for seat in (0, 1)}
    assert len(seeds) == 4 * (500 + 1000)
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_a_secret_is_128_random_bits() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert len(bytes.fromhex(new_secret())) == len(bytes.fromhex(secret_from_seed(7))) == 16


def test_an_explicit_seed_always_gives_the_same_deals() -> None:
    assert deal_seed(secret_from_seed(5), 3) == deal_seed(secret_from_seed(5), 3)
    assert deal_seed(secret_from_seed(5), 3) != deal_seed(secret_from_seed(6), 3)


@pytest.mark.parametrize("guesses", [100_000])
def test_an_agent_that_tries_all_small_secrets_does_not_find_the_deal(guesses: int) -> None:
    """What the first version allowed: with its own seed an agent found the run's by trying small numbers."""
    secret = new_secret()
    own = agent_seed(secret, 0, 1)
    found = [seed for seed in range(guesses) if agent_seed(f"{seed:032x}", 0, 1) == own]
    assert not found
