"""The generalised sequential probability ratio test (SPRT): stops a series as soon as it is decided.

It decides between two differences in strength, elo0 and elo1. After every match or pair, the log-likelihood ratio says
how much better the results fit elo1 than elo0. When it leaves the range from lower to upper, the series may stop; the
probabilities of a wrong answer are about alpha and beta.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ludoteca.errors import InvalidOption
from ludoteca.ratings.elo import Outcomes, expected_score


@dataclass(frozen=True)
class Verdict:
    """The state of the test after some results."""

    llr: float
    """The log-likelihood ratio: positive favours elo1, negative elo0."""
    lower: float
    """At or below this, the test decides for elo0."""
    upper: float
    """At or above this, the test decides for elo1."""

    @property
    def decision(self) -> Literal["accept", "reject"] | None:
        """``accept`` for elo1, ``reject`` for elo0, None to play on."""
        return "accept" if self.llr >= self.upper else "reject" if self.llr <= self.lower else None

    def __str__(self) -> str:
        verdict = {"accept": "accepted", "reject": "rejected", None: "undecided"}[self.decision]
        return f"{verdict}: LLR {self.llr:.2f} in ({self.lower:.2f}, {self.upper:.2f})"


@dataclass(frozen=True)
class Sprt:
    """Tests whether an agent is stronger than its opponent by elo1 or only by elo0. Raises InvalidOption.

    >>> test = Sprt(0, 30)
    >>> print(test.update((30, 45, 25)))
    undecided: LLR 0.11 in (-2.94, 2.94)
    >>> test.update((2, 11, 40, 30, 9)).decision
    'accept'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance of accepting although elo0 is true."""
    beta: float = 0.05
    """The chance of rejecting although elo1 is true."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise InvalidOption(
                "sprt: elo0={elo0:g} must be less than elo1={elo1:g}, as in 0,10", elo0=self.elo0, elo1=self.elo1
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise InvalidOption(
                    "sprt: {name}={value:g} must lie between 0 and 0.5, as 0.05 does", name=name, value=value
                )

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """``elo0,elo1`` or ``elo0,elo1,alpha,beta`` as a test. Raises InvalidOption.

        >>> Sprt.parse("0, 10")
        Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
        """
        parts = text.split(",")
        try:
            if len(parts) not in (2, 4):
                raise ValueError
            return cls(*(float(part) for part in parts))
        except InvalidOption:
            raise
        except ValueError:
            raise InvalidOption(
                "{text!r} is not of the form elo0,elo1 or elo0,elo1,alpha,beta, as in 0,10", text=text
            ) from None

    def update(self, counts: Sequence[int]) -> Verdict:
        """The verdict on all results so far: three or five counts, as `elo_difference` takes them.

        The ratio is that of the likeliest distribution of results with the score expected at elo1 to the likeliest
        one with the score expected at elo0, so draws and pairs need no model. Five counts where there are pairs:
        three would count the matches of a pair as independent, and they are not.
        """
        outcomes = Outcomes(counts)
        llr = outcomes.surprise(expected_score(self.elo0)) - outcomes.surprise(expected_score(self.elo1))
        return Verdict(llr, math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))
