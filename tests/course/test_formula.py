"""A formula is arithmetic, and nothing else."""

from __future__ import annotations

import math

import pytest

from ludoteca.course.formula import Formula
from ludoteca.errors import InvalidOption

KNOWN = {"score": 0.5, "place": 3, "count": 9, "qualified": 1, "faults": 2, "points": 4, "matches": 8, "elo": 100.0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10 * score", 5.0),
        ("max(0, 10 - faults) / 2", 4.0),
        ("round(10 * (count - place) / (count - 1), 1)", 7.5),
        ("-abs(-points) + 4", 0.0),
        ("min(10, 4 + 6 * score)", 7.0),
    ],
)
def test_arithmetic(text: str, value: float) -> None:
    assert Formula.parse(text).value(KNOWN) == value


@pytest.mark.parametrize("text", ["1 / (faults - 2)", "1e308 * 10 * score * 1e308 - 1e308 * 1e308"])
def test_what_has_no_value_is_no_number_and_no_error(text: str) -> None:
    assert math.isnan(Formula.parse(text).value(KNOWN))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')", "score.real", "2 ** 9999999", "[1]", "'a'", "lambda: 1", "score if 1 else 2",
        "round(score, 1000000)", "min(score)", "abs(1, 2)", "True", "", "a b", "9" * 500, "open('x')", "max(*points)",
        "unknown + 1", "(score := 3)",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption):
        Formula.parse(text)
