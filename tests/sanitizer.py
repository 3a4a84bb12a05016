"""Fewer cases under ``make sanitize``: its core is slow, and what a sanitizer finds it finds in any of them.

Of each test with several cases it runs one in `SHARE`, another one in the next test, so that together they go through
every game, option and search. What it leaves out altogether is marked ``no_sanitize``: tests of Python alone, and
those that repeat the same code to see how strong or how frequent something is.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

import pytest

SANITIZED = "LUDOTECA_SANITIZED" in os.environ
SHARE = 6 if SANITIZED else 1
EXAMPLES = 10 if SANITIZED else 30
"""How many examples Hypothesis makes."""

T = TypeVar("T")


def some(items: Sequence[T], first: int = 0) -> Sequence[T]:
    """All of them, or one in `SHARE`, but at least one; `first` says which.

    >>> list(some(range(3))) == list(range(0, 3, SHARE))
    True
    """
    return items[first % min(len(items), SHARE) :: SHARE]


def some_cases(tests: list[pytest.Item]) -> list[pytest.Item]:
    """`some` of the cases of each test, beginning with another one in each."""
    by_test = groupby(tests, key=lambda test: test.nodeid.partition("[")[0])
    return [case for number, (_, cases) in enumerate(by_test) for case in some([*cases], number)]
