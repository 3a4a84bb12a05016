"""Our games as OpenSpiel's: what `registration` registers and OpenSpiel's bots search.

There is one chance node, at the root: it chooses the deal, and with it all chance to come. It has `deals` equally
likely outcomes, dealt from the seeds 0, 1, 2…, so every history can be replayed. With ``deals=0`` it has every deal
with its probability, as CFR and exact best responses need. That works for games that list their deals: see
`ludoteca.games.deals`.

Returns are in the game's amounts, such as chips: ours times its stake.

A player's information state is everything that it has seen and done, in order (perfect recall). Its string is a digest,
so two are equal exactly if the player cannot tell them apart. Its tensor holds the same as numbers, for our own games:
see `information_state`. The observation is what the player sees now: the string is the text board, the tensor that of
our view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pyspiel

from ludoteca.adapters.openspiel.information_state import Moment, shape_of, write
from ludoteca.errors import InvalidOption
from ludoteca.games.deals import Deals, every_deal
from ludoteca.games.details import details_of, stake_of
from ludoteca.protocols import Action, Game, Seat, State, View

DEALS: Final = 1000
"""The default number of outcomes of the chance node."""
MOST_DEALS: Final = 1_000_000
LONGEST: Final = 10_000
"""The game length to report if the longest match is unknown."""
LOOKS: Final = 8
"""If this many deals look the same, the game has no chance."""


def short_name(game: str) -> str:
    """OpenSpiel's name for our game of this name."""
    return f"ludoteca_{game.replace('-', '_')}"


def has_chance(game: Game) -> bool:
    """Whether deals differ, or anything is hidden."""
    first = game.deal(0).view(0)
    return details_of(game).hidden_information or any(game.deal(seed).view(0) != first for seed in range(1, LOOKS))


def game_type(game: Game, parameters: Mapping[str, Any]) -> Any:
    """How OpenSpiel describes our game. parameters: its options with their defaults."""
    kinds = pyspiel.GameType
    chance, hidden = has_chance(game), details_of(game).hidden_information
    return kinds(
        short_name=short_name(game.name),
        long_name=f"Ludoteca: {getattr(game, 'title', game.name)}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if details_of(game).zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=shape_of(game) is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(parameters),
    )


def as_spiel_game(game: Game, deals: int = DEALS, *, scaled: bool = False) -> ExportedGame:
    """A game of ours as a `pyspiel.Game`, registered or not. Raises InvalidOption.

    scaled: its returns lie in [-1, 1], as ours do, and are not in the game's amounts.
    """
    return ExportedGame(game, game_type(game, {}), deals, {}, scaled=scaled)


class ExportedGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game of ours; see the module."""

    def __init__(
        self, rules: Game, kind: Any, deals: int, parameters: Mapping[str, Any], *, scaled: bool = False
    ) -> None:
        """deals: in the chance node; 0 for all that there are. Raises InvalidOption."""
        if not 0 <= deals <= MOST_DEALS:
            raise InvalidOption(
                "deals={deals} must be from 0, for all of them, to {most}", deals=deals, most=MOST_DEALS
            )
        self.rules, self.shape = rules, shape_of(rules)
        self.stake = 1.0 if scaled else stake_of(rules)
        """The utility of a return of 1."""
        self._listed: Deals = ()
        self.outcomes: list[tuple[int, float]] = []
        """The deals of the chance node with their probabilities; empty for a game without chance."""
        if kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
            if deals == 0:
                self._listed = every_deal(rules)
                self.outcomes = [(number, probability) for number, (_, probability) in enumerate(self._listed)]
            else:
                self.outcomes = [(seed, 1.0 / deals) for seed in range(deals)]
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=len(self.outcomes),
            num_players=2,
            min_utility=-self.stake,
            max_utility=self.stake,
            utility_sum=0.0 if details_of(rules).zero_sum else None,
            max_game_length=LONGEST if self.shape is None else self.shape.rows,
        )
        super().__init__(kind, info, dict(parameters))

    def deal(self, number: int) -> State:
        """The state after an outcome of the chance node."""
        return self._listed[number][0].copy() if self._listed else self.rules.deal(number)

    def new_initial_state(self) -> ExportedState:
        """The state before the deal; without chance, the first position."""
        return ExportedState(self)

    def around(self, view: View, seed: int) -> ExportedState:
        """A state sampled from a view. It has no history that could be replayed."""
        return ExportedState(self, _Held.of(view.sample(seed)))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """An observer of what a player sees, with perfect recall of all that it has seen; None for other types."""
        if params:
            raise ValueError(f"observers of {self.rules.name} have no parameters, not {params}")
        if iig_obs_type is not None and iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self, recall=bool(iig_obs_type is not None and iig_obs_type.perfect_recall))


class _Held:
    """The contents of a state. It copies cheaply, because OpenSpiel copies the attributes of a state deeply."""

    __slots__ = ("memories", "world")

    def __init__(self, world: State | None, memories: tuple[Moment, ...] = ()) -> None:
        self.world, self.memories = world, memories

    @classmethod
    def of(cls, world: State) -> _Held:
        """A first or resampled state: the seats remember only what they see now."""
        return cls(world, tuple(Moment(world.view(seat)) for seat in (0, 1)))

    def __deepcopy__(self, memo: object) -> _Held:
        return _Held(None if self.world is None else self.world.copy(), self.memories)


class ExportedState(pyspiel.State):  # type: ignore[misc]
    """A state of ours."""

    def __init__(self, game: ExportedGame, held: _Held | None = None) -> None:
        super().__init__(game)
        if held is None:
            held = _Held(None) if game.outcomes else _Held.of(game.rules.deal(0))
        self._held = held

    @property
    def world(self) -> State | None:
        """Our own state; None before the deal."""
        return self._held.world

    def trail(self, seat: Seat) -> str:
        """A digest of all that a seat has seen and done."""
        return self._held.memories[seat].trail().hex() if self._held.memories else ""

    def memory(self, seat: Seat) -> Moment | None:
        """All that a seat has seen and done; None before the deal."""
        return self._held.memories[seat] if self._held.memories else None

    def current_player(self) -> int:
        """The seat on turn, or OpenSpiel's signs for chance and the end."""
        world = self._held.world
        if world is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if world.turn is None else world.turn

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self._held.world is not None and self._held.world.turn is None

    def returns(self) -> list[float]:
        """By seat, in the game's amounts; zeros before the end."""
        if self._held.world is None:
            return [0.0, 0.0]
        stake = self.get_game().stake
        return [stake * each for each in self._held.world.returns()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals."""
        outcomes: list[tuple[int, float]] = self.get_game().outcomes
        return outcomes

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> ExportedState:
        """A state that the player cannot tell from this one, sampled from its view alone.

        It has no history: it can be continued and observed, but not serialized.
        """
        world = self._held.world
        assert world is not None, "before the deal there is nothing to sample"
        sampled = world.view(player_id).sample(int(probability_sampler() * 2**53))
        held = _Held.of(sampled)
        held.memories = tuple((self._held if seat == player_id else held).memories[seat] for seat in (0, 1))
        return ExportedState(self.get_game(), held)

    def _legal_actions(self, player: int) -> list[Action]:
        return [] if self._held.world is None else self._held.world.legal()

    def _apply_action(self, action: Action) -> None:
        held, game = self._held, self.get_game()
        if held.world is None:
            self._held = _Held.of(game.deal(action))
            return
        mover, open_play = held.world.turn, not details_of(game.rules).hidden_information
        held.world.apply(action)
        held.memories = tuple(
            Moment(
                held.world.view(seat) if game.outcomes else None,  # without chance the actions say everything
                before,
                mover,
                action if open_play or seat == mover else None,
            )
            for seat, before in enumerate(held.memories)
        )

    def _action_to_string(self, player: int, action: Action) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"deal {action}"
        return str(self.get_game().rules.action_name(action))

    def __str__(self) -> str:
        world, rules = self._held.world, self.get_game().rules
        return "before the deal" if world is None else "\n".join(rules.text(world.view(seat)) for seat in (0, 1))


class Observer:
    """What a player sees, in the form that OpenSpiel asks for."""

    def __init__(self, game: ExportedGame, *, recall: bool) -> None:
        self._rules, self._recall, self._shape = game.rules, recall, game.shape
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not recall:
            numbers = np.zeros(int(np.prod(game.rules.tensor_shape)), np.float32)
            self.tensor, self.dict = numbers, {"observation": numbers.reshape(game.rules.tensor_shape)}
        elif game.shape is not None:
            self.tensor = np.zeros(game.shape.size, np.float32)
            self.dict = {"memory": self.tensor}

    def set_from(self, state: ExportedState, player: int) -> None:
        """Fills the tensor; with zeros before the deal."""
        if self.tensor is None:
            return
        memory = state.memory(player)
        if state.world is None or memory is None:
            self.tensor[:] = 0
        elif self._recall:
            assert self._shape is not None
            write(self._shape, player, memory, self.tensor)
        else:
            self.tensor[:] = state.world.view(player).tensor().ravel()

    def string_from(self, state: ExportedState, player: int) -> str:
        """The text board, or with perfect recall the digest of all that was seen."""
        if self._recall:
            return f"{player} {state.trail(player)}"
        return "" if state.world is None else str(self._rules.text(state.world.view(player)))
