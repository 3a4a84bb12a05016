from __future__ import annotations

import pytest

from ludoteca.web.errors import InvalidTable
from ludoteca.web.tables.code_rate_limit import MOST, WITHIN, CodeRateLimit


def test_after_many_wrong_codes_everybody_waits_a_minute() -> None:
    now = 0.0
    guesses = CodeRateLimit(lambda: now)
    for _ in range(MOST):
        guesses.check()
        guesses.count_wrong()
    with pytest.raises(InvalidTable, match="too many wrong codes"):
        guesses.check()
    now = WITHIN
    guesses.check()
