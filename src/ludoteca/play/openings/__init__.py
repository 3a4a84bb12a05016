"""Openings: where every deal is the same, each pair of matches begins from actions of its own.

Agents that leave nothing to chance would else play one match over and over. Both matches of a pair begin from the same
opening with the seats exchanged, so a lopsided one favours nobody; but it decides the match whoever plays, and says
nothing. So openings are chosen to be balanced. For common sizes of Hex there are suites beside this file, made by
``ludoteca openings`` and judged by an agent of ours; for all other games openings are made when they are
needed, and measured by random play.
"""

from ludoteca.play.openings.chance import needs_openings
from ludoteca.play.openings.making import make_suite, more_openings
from ludoteca.play.openings.suites import Suite, openings_for, suite_of

__all__ = ["Suite", "make_suite", "more_openings", "needs_openings", "openings_for", "suite_of"]
