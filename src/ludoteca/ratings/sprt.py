"""The generalised sequential probability ratio test (SPRT): stops a series as soon as it is decided.

It decides between two hypotheses: that the difference in strength is h0 or h1, in Elo; in games with stakes, that the
mean return per match is h0 or h1. After every pair, the log-likelihood ratio says how much better the results
fit h1 than h0. When it leaves the range from lower to upper, the series may stop; the probabilities of a wrong answer
are about alpha and beta.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ludoteca.errors import InvalidOption
from ludoteca.messages import Message, say
from ludoteca.ratings.elo import Outcomes, expected_score
from ludoteca.ratings.returns import ReturnTally

FEWEST_PAIRS = 10
"""Returns are not judged before this: so few do not show how far they spread."""


@dataclass(frozen=True)
class SprtVerdict:
    """The state of the test after some results."""

    llr: float
    """The log-likelihood ratio: positive favours h1, negative h0."""
    lower: float
    """At or below this, the test decides for h0."""
    upper: float
    """At or above this, the test decides for h1."""

    @property
    def decision(self) -> Literal["accept", "reject"] | None:
        """``accept`` for h1, ``reject`` for h0, None to play on."""
        return "accept" if self.llr >= self.upper else "reject" if self.llr <= self.lower else None

    @property
    def message(self) -> Message:
        """The decision in words, with the log-likelihood ratio between its bounds."""
        words = {"accept": say("accepted"), "reject": say("rejected"), None: say("undecided")}
        return say(
            "{verdict}: LLR {llr:.2f} in ({lower:.2f}, {upper:.2f})", verdict=words[self.decision], llr=self.llr,
            lower=self.lower, upper=self.upper,
        )  # fmt: skip

    def __str__(self) -> str:
        return str(self.message)


@dataclass(frozen=True)
class Sprt:
    """Tests whether an agent is better than its opponent by h1 or only by h0. Raises InvalidOption.

    >>> test = Sprt(0, 30)
    >>> print(test.update((30, 45, 25)))
    undecided: LLR 0.11 in (-2.94, 2.94)
    >>> test.update((2, 11, 40, 30, 9)).decision
    'accept'
    """

    h0: float
    h1: float
    alpha: float = 0.05
    """The chance of accepting although h0 is true."""
    beta: float = 0.05
    """The chance of rejecting although h1 is true."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.h0) and math.isfinite(self.h1) and self.h0 < self.h1):
            raise InvalidOption("sprt: {h0:g} must be less than {h1:g}, as in 0,10", h0=self.h0, h1=self.h1)
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise InvalidOption(
                    "sprt: {name}={value:g} must lie between 0 and 0.5, as 0.05 does", name=name, value=value
                )

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """``h0,h1`` or ``h0,h1,alpha,beta`` as a test. Raises InvalidOption.

        >>> Sprt.parse("0, 10")
        Sprt(h0=0.0, h1=10.0, alpha=0.05, beta=0.05)
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
                "{text!r} is not of the form H0,H1 or H0,H1,alpha,beta, as in 0,10", text=text
            ) from None

    def update(self, counts: Sequence[int]) -> SprtVerdict:
        """The verdict on all results so far: three or five counts, as `elo_difference` takes them.

        The ratio is that of the likeliest distribution of results with the score expected at h1 to the likeliest
        one with the score expected at h0, so draws and pairs need no model. Five counts where there are pairs:
        three would count the matches of a pair as independent, and they are not.
        """
        outcomes = Outcomes(counts)
        return self._verdict(outcomes.surprise(expected_score(self.h0)) - outcomes.surprise(expected_score(self.h1)))

    def update_returns(self, returns: ReturnTally, stake: float) -> SprtVerdict:
        """The verdict on all pairs so far, by their mean return; h0 and h1 are amounts, 1 stands for `stake`.

        The ratio is that of two normal distributions, each with its mean and the likeliest spread.

        >>> tally = ReturnTally()
        >>> for number in range(500):
        ...     tally.add(0.1 if number % 3 else -0.1)
        >>> Sprt(0, 0.5).update_returns(tally, 13).decision
        'accept'
        """
        if returns.pairs < FEWEST_PAIRS or not returns.squares:
            return self._verdict(0.0)
        variance = returns.squares / returns.pairs
        off0, off1 = ((returns.mean - mean / stake) ** 2 for mean in (self.h0, self.h1))
        return self._verdict(returns.pairs / 2 * math.log((variance + off0) / (variance + off1)))

    def _verdict(self, llr: float) -> SprtVerdict:
        return SprtVerdict(llr, math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))
