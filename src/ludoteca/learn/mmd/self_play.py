"""Self-play of ``train mmd``: many matches, in which the network acts for every seat, or agents for one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from ludoteca.learn.mmd.arguments import Arguments
from ludoteca.learn.mmd.matches import Actions, Matches, Opponents
from ludoteca.learn.mmd.network import Network
from ludoteca.learn.mmd.played import Played
from ludoteca.protocols import Game, Limit

ILLEGAL = -1e9
"""The logit of an illegal action."""


def sampled(logits: Tensor, legal: Tensor, chance: torch.Generator | None = None) -> tuple[Tensor, Tensor]:
    """Draw an action [N] of each row of logits [N, actions], and its log-probability [N]."""
    logs = torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), 1)
    noise = torch.empty_like(logs).exponential_(generator=chance).log()
    acted = (logs - noise).argmax(1)
    return acted, logs.gather(1, acted[:, None]).squeeze(1)


def network_for(games: Sequence[Game], arguments: Arguments) -> Network:
    """A network with random weights for these games."""
    probe = Matches(games[:1], 1, 0)
    sizes = probe.seen.shape[1], probe.actions, probe.hands.shape[1]
    return Network(*sizes, arguments.width, arguments.layers)


class SelfPlay:
    """A source of choices: the network plays them in many matches at a time."""

    burst = 0.0  # the network learns from what the newest weights played

    def __init__(self, arguments: Arguments, network: Network, device: torch.device, seed: int) -> None:
        """network: the one that plays, which `update` changes; on this device."""
        self.network, self.steps = network, arguments.steps
        self.matches = Matches(arguments.games, arguments.matches, seed, arguments.threads, device.type != "cpu")
        self.opponents: Opponents | None = None
        if arguments.against:
            names, limit = arguments.against.split("+"), Limit(nodes=arguments.against_nodes)
            self.opponents = Opponents(self.matches, names, limit, seed, arguments.threads)
        self.played, self.ended = Played(self.matches, arguments.steps, device), 0

    @classmethod
    def of_actor(cls, arguments: Arguments, number: int) -> SelfPlay:
        """The self-play of an actor, on one core and with a network of its own."""
        torch.set_num_threads(1)
        arguments = replace(arguments, device="cpu", threads=1)
        seed = int(np.random.default_rng([arguments.seed, number]).integers(2**62))
        torch.manual_seed(seed)
        return cls(arguments, network_for(arguments.games, arguments), torch.device("cpu"), seed)

    def update(self, weights: Mapping[str, Tensor]) -> None:
        """Play with these weights."""
        self.network.load_state_dict(weights)

    @torch.no_grad()
    def play(self) -> Played:
        """Some choices in each match. The next call overwrites them."""
        matches, played = self.matches, self.played
        for step in range(self.steps):
            played.see(matches, step)
            logits, values, _ = self.network(played.seen[step])
            acted, chance = sampled(logits, played.legal[step])
            actions: Actions = acted.to(torch.int32).cpu().numpy()
            if self.opponents is None:
                matches.step(actions)
            else:
                played.mine[step].copy_(torch.from_numpy(matches.turns.numpy() == self.opponents.seats))
                self.opponents.play(actions)
            played.act(matches, step, acted, chance, values)
            self.ended += int(matches.done.sum())
        played.after.copy_(self.network(matches.seen.to(played.after.device))[1])
        played.turns_after.copy_(matches.turns)
        return played

    @property
    def counts(self) -> dict[str, int]:
        """How many matches have ended."""
        return {"matches": self.ended}
