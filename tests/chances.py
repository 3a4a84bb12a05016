"""Generators for Hypothesis that cost nothing to draw from."""

from __future__ import annotations

import random

from hypothesis import strategies as st


def chances() -> st.SearchStrategy[random.Random]:
    """Generators whose seed Hypothesis chooses.

    Those of `st.randoms()` are asked for every number: slow, and a match of hundreds of draws is thrown away as too
    large to be an example, so that long matches are the ones that are never seen.
    """
    return st.integers(0, 2**63).map(random.Random)
