"""What people read about a training of theirs: what is learnt, against whom, and what the curve means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from ludoteca.web.pages.frame import Visit


@dataclass(frozen=True)
class Words:
    """The texts about the training of one game, in the visitor's language."""

    visit: Visit
    game: str
    """The spec of the game that it learns."""
    agent: str
    """The agent that plays by such a network."""
    title: str
    learns: str
    takes: str
    unit: str
    opponents: Mapping[str, str]
    """By opponent of the curve what it is called here."""
    paragraphs: tuple[tuple[str, str], ...]
    """Headings with their text."""

    def count(self, at: int) -> str:
        """So many matches or positions."""
        if self.agent == "dqn":
            return self.visit.say("after {count:,} matches", count=at)
        return self.visit.say("after {count:,} positions", count=at)

    def reached(self, at: int, total: int) -> str:
        """How far it is."""
        if self.agent == "dqn":
            return self.visit.say(
                "{count} of {total} matches", count=self.visit.number(at, ","), total=self.visit.number(total, ",")
            )
        return self.visit.say(
            "{count} of {total} positions", count=self.visit.number(at, ","), total=self.visit.number(total, ",")
        )

    def explanation(self) -> str:
        """The paragraphs as HTML."""
        return "".join(
            f'<h2 class="subtitle">{escape(heading)}</h2><p>{escape(text)}</p>' for heading, text in self.paragraphs
        )


def words_of(visit: Visit, game: str) -> Words:
    """The words for the training of this game, by name."""
    say = visit.say
    curve = (
        say("What does the curve show?"),
        say(
            "From time to time the network plays a set of test matches, and the curve shows the share that it wins. "
            "50% means as good as that opponent. The pale band is the 95% interval: with so few matches, luck moves "
            "the curve up and down inside it, so do not trust a small step."
        ),
    )
    if game == "hex":
        return Words(
            visit, "hex:size=5", "zero", say("A network learns Hex on 5×5"),
            say("It plays against itself, searches a little ahead, and learns what the search chose and who won."),
            say("two to five minutes"), say("positions learnt from"),
            {"random": say("plays at random"), "mcts": say("tries 100 continuations (mcts)")},
            (
                (
                    say("What is being learnt?"),
                    say(
                        "About fourteen thousand numbers. They turn a board into two answers: which cell looks good, "
                        "and who will win. Nobody shows it a good match: it plays against itself with a short search, "
                        "and the search is always a little wiser than the network alone."
                    ),
                ),
                (
                    say("Why is it bad at first?"),
                    say(
                        "Its numbers are random, so all cells look alike to it, and it connects nothing except by "
                        "luck. Then it learns to finish what is nearly connected, then to block, then the centre."
                    ),
                ),
                curve,
                (
                    say("How does it play against you?"),
                    say("By its first impression alone, without search. So you meet exactly what it has learnt."),
                ),
            ),
        )  # fmt: skip
    return Words(
        visit, "kittens", "dqn", say("A network learns Kittens"),
        say("It plays against a careful opponent, tries things at random, and learns which action led to a win."),
        say("one to four minutes"), say("matches learnt from"),
        {"random": say("plays at random"), "v2": say("careful rules (v2)")},
        (
            (
                say("What is being learnt?"),
                say(
                    "One number for each action: what it may expect from it, from −1 (it explodes) to +1 (the other "
                    "does). It sees what a player sees: its hand, the number of cards left, and what was played. "
                    "Nobody tells it what a card is good for."
                ),
            ),
            (
                say("Why is it bad at first?"),
                say(
                    "Its numbers are random, so it always prefers the same cards, whatever happens. At first it plays "
                    "almost everything at random, to find out; that is the curiosity below, and it falls with time. It "
                    "first remembers matches and only then begins to learn, so the curve stays flat for a moment."
                ),
            ),
            curve,
            (
                say("How does it play against you?"),
                say("It takes the action from which it expects most, without looking ahead and without trying things."),
            ),
        ),
    )  # fmt: skip
