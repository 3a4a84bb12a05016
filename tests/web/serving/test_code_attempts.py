from __future__ import annotations

import pytest

from ludoteca.web.serving.code_attempts import MOST, WITHIN, Guesses
from ludoteca.web.tables.table import InvalidTable


def test_after_many_wrong_codes_everybody_waits_a_minute() -> None:
    now = 0.0
    guesses = Guesses(lambda: now)
    for _ in range(MOST):
        guesses.check()
        guesses.wrong()
    with pytest.raises(InvalidTable, match="too many wrong codes"):
        guesses.check()
    now = WITHIN
    guesses.check()
