"""The choices that a network learns from next."""

from __future__ import annotations

import torch
from torch import Tensor

from ludoteca.learn.mmd.matches import Matches


class Played:
    """T choices in each of N matches, and what came of them."""

    def __init__(self, matches: Matches, steps: int, device: torch.device) -> None:
        def array(like: Tensor, dtype: torch.dtype | None = None) -> Tensor:
            return torch.zeros((steps, *like.shape), dtype=dtype or like.dtype, device=device)

        self.seen, self.legal, self.hands = array(matches.seen), array(matches.legal), array(matches.hands)
        """[T, N, …] as in `Matches`."""
        self.turns = array(matches.turns, torch.int64)
        self.results, self.done = array(matches.results), array(matches.done)
        """[T, N] as in `Matches`, after the choice."""
        self.acted = array(matches.turns, torch.int64)
        self.chance = array(matches.results)
        """[T, N] log-probability of the action, when it was drawn."""
        self.values = array(matches.results)
        self.mine = torch.ones_like(self.done)
        """[T, N] whether the learner acted, not an agent."""
        self.after = array(matches.results)[0]
        self.turns_after = array(matches.turns, torch.int64)[0]
        """[N] the values of the positions after all of this, for the seat on turn there, and who that is."""

    def to(self, device: torch.device) -> Played:
        """The same on another device."""
        out = Played.__new__(Played)
        for name, each in vars(self).items():
            setattr(out, name, each.to(device))
        return out

    def see(self, matches: Matches, step: int) -> None:
        """Copy the current positions."""
        self.seen[step].copy_(matches.seen, non_blocking=True)
        self.legal[step].copy_(matches.legal, non_blocking=True)
        self.hands[step].copy_(matches.hands, non_blocking=True)
        self.turns[step].copy_(matches.turns, non_blocking=True)

    def act(self, matches: Matches, step: int, acted: Tensor, chance: Tensor, values: Tensor) -> None:
        """Note the choices, their log-probabilities and the values of the positions, after the matches were stepped."""
        self.acted[step], self.chance[step], self.values[step] = acted, chance, values
        self.results[step].copy_(matches.results)
        self.done[step].copy_(matches.done)

    def advantages(self, trace: float) -> Tensor:
        """[T, N] generalised advantage estimates (GAE) for the seat that acted.

        A seat that is not on turn in the positions after this expects the opposite of their values.
        """
        after, device = self.after, self.after.device
        steps, count = self.turns.shape
        rows = torch.arange(count, device=device)
        signs = torch.tensor([[1.0], [-1.0]], device=device)  # the returns of seats 0 and 1 are opposite
        later = torch.where(self.turns_after == 0, after, -after) * signs
        """[2, N] what each seat expects at its next choice."""
        gain = torch.zeros_like(later)
        """[2, N] the advantage of each seat's next choice."""
        out = torch.zeros_like(self.values)
        for step in reversed(range(steps)):
            done, turn = self.done[step], self.turns[step]
            later = torch.where(done, self.results[step] * signs, later)
            gain = torch.where(done, 0.0, gain)
            out[step] = later[turn, rows] - self.values[step] + trace * gain[turn, rows]
            gain[turn, rows] = out[step]
            later[turn, rows] = self.values[step]
        return out
