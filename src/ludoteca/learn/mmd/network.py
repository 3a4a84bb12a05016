"""The network of ``ludoteca train mmd``.

view -> hidden layers -> policy: a logit of every action
                      -> value: the expected return of the seat, in [-1, 1]
                      -> belief: a logit of each bit of the other's hand (core/mmd/input.hpp lists them)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


class Network(nn.Module):
    """[N, inputs] -> policy logits [N, actions], values [N] and belief logits [N, hand]."""

    def __init__(self, inputs: int, actions: int, hand: int, width: int, layers: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(layers - 1))
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        self.belief = nn.Linear(width, hand)
        for head in (self.policy, self.value):  # the first policy is uniform
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of every action, legal or not; values; belief logits."""
        found = torch.relu(self.first(seen))
        for layer in self.hidden:
            found = torch.relu(layer(found)) + found
        return self.policy(found), torch.tanh(self.value(found)).squeeze(1), self.belief(found)


def network_of(layers: Mapping[str, NDArray[np.float32]]) -> Network:
    """The network with these weights, named as `ludoteca.agents.networks.view_networks.read_layers` names them."""
    width, inputs = layers["first.weight"].shape
    hidden = sum(name.startswith("hidden.") for name in layers) // 2
    made = Network(inputs, len(layers["policy.bias"]), len(layers["belief.bias"]), width, 1 + hidden)
    made.load_state_dict({name: torch.tensor(values) for name, values in layers.items()})
    return made
