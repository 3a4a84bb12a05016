"""Games of OpenSpiel by their name there, such as openspiel:game=hex(board_size=5).

It needs the package open-spiel (``pip install 'ludoteca[openspiel]'``), which holds the rules. People, ``random``,
``mcts`` and OpenSpiel's own bots ``openspiel.mcts`` and ``openspiel.ismcts`` play its games, move by move and as text.

Two players must move in turn. A game with simultaneous moves is played in OpenSpiel's turn-based form:
``turn_based_simultaneous_game(game=goofspiel(num_cards=4))``. Chance follows from the seed of the deal. Returns are
divided by the largest utility of the game, so they lie within [-1, 1].

With hidden information a view holds the seat's information state and, to sample from, one world that OpenSpiel
resampled from that information state (``resample_from_infostate``), never the true one. Some games cannot do that;
only agents that do not sample play them.

The tensor is OpenSpiel's: the observation with perfect information, else the information state.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Annotated, Any, Final

from ludoteca.adapters.openspiel.imported_states import SpielState, SpielView
from ludoteca.adapters.openspiel.quiet import quiet
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction, InvalidGame, InvalidOption, extra
from ludoteca.games.core_game import CoreGame, expect
from ludoteca.messages import say
from ludoteca.protocols import Action, View
from ludoteca.spec import Label, with_suggestion

MOST_ACTIONS: Final = 100_000
LARGEST: Final = 1000
"""The largest number as a parameter: more could take all memory, and any visitor of a page may ask."""
MOST_DEALT: Final = 1000
"""Chance events before the first move, at most; some games never get there."""
TRIALS: Final = 3
LONGEST: Final = 200
"""Matches, and plies of each, that find out whether the names of actions depend on the position."""
FILES: Final = frozenset({"efg_game", "nfg_game"})
"""Games that are read from a file."""
TITLES: Final[Mapping[str, str]] = {
    "breakthrough": say("Breakthrough"),
    "connect_four": say("Connect Four"),
    "leduc_poker": say("Leduc poker"),
    "tic_tac_toe": say("Tic-tac-toe"),
}
"""Titles that are translated; every other game has OpenSpiel's English title."""


def spiel() -> Any:
    """The module pyspiel. Raises MissingExtra, with what to install."""
    with extra("openspiel", say("OpenSpiel")):
        import pyspiel
    return pyspiel


class OpenSpiel(CoreGame):
    """Any two-player game of OpenSpiel, played as text."""

    name = "openspiel"
    title: str = say("OpenSpiel")
    seats = 2

    def __init__(
        self,
        game: Annotated[
            str, Label(say("game of OpenSpiel"), say("its name there, as in leduc_poker or hex(board_size=5)"))
        ] = "tic_tac_toe",
    ) -> None:
        self.rules = _load(game)
        about = self.rules.get_type()
        self.title = TITLES.get(about.short_name, about.long_name)
        self.hidden_information = about.information != type(about).Information.PERFECT_INFORMATION
        self.zero_sum = about.utility == type(about).Utility.ZERO_SUM
        self.by_information = bool(about.provides_information_state_string)
        """Whether views are compared by their information state; else by the current observation."""
        self.with_information_tensor = self.hidden_information and bool(about.provides_information_state_tensor)
        self.with_observation_tensor = bool(about.provides_observation_tensor)
        self.shows_observation = bool(about.provides_observation_string)
        self.num_actions = self.rules.num_distinct_actions()
        self.scale = max(abs(self.rules.min_utility()), abs(self.rules.max_utility())) or 1.0
        # Utilities of 1 are a win; larger ones are amounts, as the chips of poker.
        self.stake = self.scale if self.scale != 1 else None
        self._remember(game=self.rules.to_string().removesuffix("()"))

    @staticmethod
    def check_visitor(game: str = "tic_tac_toe") -> None:
        """Raises InvalidOption for what a visitor of the page must not ask for.

        Senseless parameters make some games of OpenSpiel end the whole process, here the server.
        """
        if not game.isidentifier():
            raise InvalidOption(
                "openspiel: on the page a game has no parameters, only a name such as connect_four; not {game!r}",
                game=game[:80],
            )

    @property
    def tensor_shape(self) -> tuple[int, ...]:
        """OpenSpiel's shape; (1,) for a game without a tensor."""
        if self.with_information_tensor:
            return tuple(self.rules.information_state_tensor_shape())
        return tuple(self.rules.observation_tensor_shape()) if self.with_observation_tensor else (1,)

    def deal(self, seed: int) -> SpielState:
        """The start, chance resolved by the seed."""
        return SpielState.start(self, seed)

    def action_name(self, action: Action) -> str:
        """OpenSpiel's name without the player's sign; equal names get the action's number."""
        self._check_range(action)
        return self._names[action]

    def public_name(self, action: Action) -> str:
        """OpenSpiel does not say what others see of an action, so with hidden information nothing is shown."""
        return say("a hidden action") if self.hidden_information else self.action_name(action)

    def parse_action(self, text: str) -> Action:
        """The action of this name. Raises InvalidAction."""
        word = _folded(text)
        if word not in self._actions:
            few = [*self._names[:3]]
            wrong = say(
                "{text!r} is no action of {game}: actions are like {names}", text=text, game=self.spec, names=few
            )
            raise InvalidAction(with_suggestion(wrong, word, self._actions))
        return self._actions[word]

    def text(self, view: View, *, language: Language = "en") -> str:
        """The position as OpenSpiel prints it; with hidden information what the seat observes.

        Legal actions whose names depend on the position are listed under it with those.
        """
        seen = expect(view, SpielView)
        called = [(self.action_name(action), name) for action, name in seen.legal_names()]
        return "\n".join([seen.shown or "–", *(f"{ours}: {theirs}" for ours, theirs in called if ours not in theirs)])

    @cached_property
    def _names(self) -> tuple[str, ...]:
        seen = self._names_seen()
        # x(0,0) and o(0,0) are the same action of two players: what they share is its name.
        found = [
            _shared_end(seen.get((0, action), ""), seen.get((1, action), "")) for action in range(self.num_actions)
        ]
        names = [name or f"action {action}" for action, name in enumerate(found)]
        times = Counter(map(_folded, names))
        return tuple(name if times[_folded(name)] == 1 else f"{name} #{number}" for number, name in enumerate(names))

    def _names_seen(self) -> dict[tuple[int, Action], str]:
        """OpenSpiel's name for each player's action, empty if it depends on the position, as in chess.

        Some games know the names of all actions; others only where the action is legal.
        """
        if not self._name(0, 0).startswith("Action(id="):
            return {(seat, action): self._name(seat, action) for seat in (0, 1) for action in range(self.num_actions)}
        seen: dict[tuple[int, Action], str] = {}
        for seed in range(TRIALS):
            state = SpielState.start(self, seed)
            for step in range(LONGEST):
                if (turn := state.turn) is None:
                    break
                legal = state.legal()
                for action in legal:
                    name = state.name_of(turn, action)
                    if seen.setdefault((turn, action), name) != name:
                        seen[turn, action] = ""
                state.apply(legal[(7 * step + 5 * seed) % len(legal)])
        return seen

    @cached_property
    def _actions(self) -> Mapping[str, Action]:
        return {_folded(name): action for action, name in enumerate(self._names)}

    def _name(self, seat: int, action: Action) -> str:
        """OpenSpiel's name for an action in any position; empty if it has none."""
        try:
            with quiet():
                return " ".join(self.rules.action_to_string(seat, action).split())
        except spiel().SpielError:  # an action of the other player alone
            return ""

    @cached_property
    def can_sample(self) -> bool:  # type: ignore[override]  # no constant: it is found out when it is asked for
        """Whether OpenSpiel can resample a state from an information state."""
        if not self.hidden_information:
            return True
        try:
            with quiet():
                SpielState.start(self, 0).resampled(0)
        except spiel().SpielError:
            return False
        return True


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _shared_end(one: str, other: str) -> str:
    """What two names end with, from its first letter, digit or bracket on; one of them where the other is empty."""
    if not (one and other):
        return one or other
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(reversed(one), reversed(other), strict=False))
    return "".join(letter for letter, _ in alike)[::-1].lstrip(" ])}:,.")


@lru_cache(maxsize=64)
def _load(text: str) -> Any:
    """OpenSpiel's game. Raises InvalidGame for what it does not know and what cannot be played here."""
    pyspiel = spiel()
    try:
        parameters = pyspiel.game_parameters_from_string(text)
        name = str(parameters.get("name", ""))
        _check_parameters(text, parameters)
        if name.startswith("python_"):
            import open_spiel.python.games  # noqa: F401
        if name not in pyspiel.registered_names():
            wrong = say("OpenSpiel has no game {name!r}", name=name)
            raise InvalidGame(with_suggestion(wrong, name, pyspiel.registered_names()))
        with quiet():
            rules = pyspiel.load_game(text)
            _begin(text, rules)
    except InvalidGame:
        raise
    except Exception as error:  # senseless parameters may raise anything
        reason = " ".join(str(error).split())[:200]
        raise InvalidGame("OpenSpiel cannot make {game!r}: {reason}", game=text, reason=reason) from None
    about = rules.get_type()
    if rules.num_players() != 2:
        raise InvalidGame("{game} has {count} players; here two play", game=text, count=rules.num_players())
    if about.dynamics != type(about).Dynamics.SEQUENTIAL:
        raise InvalidGame(
            "in {game} both move at once; OpenSpiel's form of it in turns can be played: "
            "turn_based_simultaneous_game(game={game})",
            game=text,
        )
    if about.chance_mode == type(about).ChanceMode.SAMPLED_STOCHASTIC:
        raise InvalidGame("chance in {game} cannot be repeated from a seed, so it is not played here", game=text)
    if rules.num_distinct_actions() > MOST_ACTIONS:
        raise InvalidGame("{game} has more than {most} actions", game=text, most=MOST_ACTIONS)
    if not (about.provides_information_state_string or about.provides_observation_string):
        raise InvalidGame("{game} does not say what its players see, so it cannot be shown to them", game=text)
    return rules


def _begin(text: str, rules: Any) -> None:
    """Raises InvalidGame for a game without a first move."""
    state, chance = rules.new_initial_state(), random.Random(0)
    for _ in range(MOST_DEALT):
        if not state.is_chance_node():
            break
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, weights)[0])  # not always the first: that never ends in some games
    else:
        reason = say("chance decides {count} times and more before the first move", count=MOST_DEALT)
        raise InvalidGame("OpenSpiel cannot make {game!r}: {reason}", game=text, reason=reason)
    if state.is_terminal() or not state.legal_actions():
        raise InvalidGame("OpenSpiel cannot make {game!r}: {reason}", game=text, reason=say("there is no first move"))


def _check_parameters(game: str, parameters: Mapping[str, Any]) -> None:
    """Raises InvalidGame for a game that would read a file, or for too large a number."""
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            _check_parameters(game, value)
        elif (name == "name" and value in FILES) or (isinstance(value, str) and ("/" in value or "file" in name)):
            raise InvalidGame("{game} would be read from a file, which is not done here", game=game)
        elif isinstance(value, (int, float)) and abs(value) > LARGEST:
            raise InvalidGame("{name}={value} is too large: at most {most}", name=name, value=value, most=LARGEST)
