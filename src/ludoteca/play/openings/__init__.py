"""Openings: where all deals are the same, each pair of matches starts from its own first actions.

Without openings, deterministic agents would repeat one match. Both matches of a pair start from the same opening with
sides swapped, so an unbalanced opening is fair, but it decides the match and tells us nothing. So openings are chosen
to be balanced. Hex has suites from 5×5 on in this folder, made by ``ludoteca openings`` and judged by one of our
agents. For other games openings are made when a run needs them, and judged by random playouts.
"""

from ludoteca.play.openings.choosing import needs_openings, openings_for
from ludoteca.play.openings.making import make_suite, more_openings
from ludoteca.play.openings.suite import Suite, suite_of

__all__ = ["Suite", "make_suite", "more_openings", "needs_openings", "openings_for", "suite_of"]
