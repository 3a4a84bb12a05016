"""`mmd`: a network that learnt a game by playing against itself, and plays its policy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Annotated, Final, Literal

from ludoteca.agents.networks.view_networks import ViewNetwork, load_view_network, shipped
from ludoteca.agents.reasons import only_action, with_reasons
from ludoteca.errors import InvalidOption
from ludoteca.messages import joined, say
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label

NONE: Final = Path()
RARE: Final = 0.05
"""A mixed policy leaves out actions that are less likely than this: what remains of exploration."""


def _network(game: Game, weights: Path) -> ViewNetwork:
    """The network in the file, or the shipped one where there is no file. Raises InvalidOption."""
    network = shipped(game) if weights == NONE else load_view_network(weights.expanduser())
    if network is None:
        raise InvalidOption(
            "mmd: no network is shipped for {game}; train one with `ludoteca train mmd {game}` and give it as "
            "weights=PATH",
            game=game.spec,
        )
    if not network.fits(game):
        raise InvalidOption("mmd: {file} was trained on another game than {game}", file=weights.name, game=game.spec)
    return network


class MMD:
    """Plays the policy of a network that learnt from nothing but views, in matches against itself.

    The policy is close to an equilibrium, so it is mixed: the seed decides. Its scores are probabilities. It does not
    search, so a limit changes nothing.
    """

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        play: Annotated[
            Literal["mixed", "best"],
            Label(
                # Translators: a noun: how the agent plays, by which policy
                say("play"),
                say("how it chooses from its policy"),
                {"mixed": say("by the probabilities"), "best": say("the most likely action")},
            ),
        ] = "mixed",
        weights: Annotated[
            Path, Label(say("own network"), say("a network of your own, from `ludoteca train mmd`"))
        ] = NONE,
    ) -> None:
        self._network = _network(game, Path(weights))
        self._best, self._chance = play == "best", Random(seed)

    def act(self, view: View, limit: Limit) -> Decision:
        """An action of its policy, drawn by the agent's seed."""
        if len(legal := view.legal()) == 1:
            return only_action(legal[0])
        found = self._network.ask(view)
        ranked = self._ranked(found.policy)
        kept = self._kept(found.policy)
        action = self._chance.choices([*kept], [*kept.values()])[0]
        shares = [joined([view.game.action_name(each), f"{found.policy[each]:.0%}"], " ") for each in ranked[:3]]
        note = joined([say("policy"), joined(shares)], ": ")
        return with_reasons(view, Decision(action, value=found.value, scores=found.policy, note=note, nodes=1))

    def action_probabilities(self, view: View, limit: Limit) -> dict[Action, float]:
        """The policy by which it plays."""
        if len(legal := view.legal()) == 1:
            return {legal[0]: 1.0}
        kept = self._kept(self._network.ask(view).policy)
        total = sum(kept.values())
        return {action: share / total for action, share in kept.items()}

    @staticmethod
    def _ranked(policy: Mapping[Action, float]) -> list[Action]:
        return sorted(policy, key=policy.__getitem__, reverse=True)

    def _kept(self, policy: Mapping[Action, float]) -> dict[Action, float]:
        """The actions that it may play, the most likely first, with what the policy gives them."""
        ranked = self._ranked(policy)
        likely = [] if self._best else [each for each in ranked if policy[each] >= RARE]
        return {each: policy[each] for each in likely or ranked[:1]}

    def __getstate__(self) -> tuple[Path, bool, Random]:
        """Without the network: each process loads it once."""
        return self._network.path, self._best, self._chance

    def __setstate__(self, state: tuple[Path, bool, Random]) -> None:
        path, self._best, self._chance = state
        self._network = load_view_network(path)
