"""The replay buffer of ``train zero`` for one board size, on the network's device."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoteca.learn.zero.network import Shape


class Replay:
    """The last `window` positions: network input, improved policy and value target."""

    def __init__(self, shape: Shape, size: int, window: int, device: str) -> None:
        half = torch.float16 if device != "cpu" else torch.float32
        self.seen = torch.zeros((window, len(shape.planes), size, size), dtype=torch.int8, device=device)
        self.policy = torch.zeros((window, size, size), dtype=half, device=device)
        self.value = torch.zeros(window, device=device)
        self.count, self.next = 0, 0

    def add(self, seen: NDArray[np.int8], policy: NDArray[np.float32], value: NDArray[np.float32]) -> int:
        """Add positions; they replace the oldest. Returns how many were added."""
        window, rows = len(self.value), len(value)
        for start in range(0, rows, window):
            part = slice(start, min(rows, start + window))
            count = part.stop - part.start
            where = (torch.arange(count) + self.next) % window
            for to, values in ((self.seen, seen), (self.policy, policy), (self.value, value)):
                rows_of = values[part] if values.flags.writeable else values[part].copy()  # PyTorch wants to write
                some = torch.from_numpy(rows_of).reshape(count, *to.shape[1:])
                to[where.to(to.device)] = some.to(to.device, to.dtype)
            self.next = (self.next + count) % window
            self.count = min(window, self.count + count)
        return rows

    def sample(self, batch: int) -> tuple[Tensor, Tensor, Tensor]:
        """`batch` positions, uniformly, with replacement."""
        which = torch.randint(self.count, (batch,), device=self.value.device)
        return self.seen[which], self.policy[which].float(), self.value[which]

    def state(self) -> dict[str, Any]:
        """The filled part, for a checkpoint."""
        names = ("seen", "policy", "value")
        return {name: getattr(self, name)[: self.count].clone() for name in names} | {"next": self.next}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore what `state` returned."""
        self.count, self.next = len(state["value"]), state["next"]
        for name in ("seen", "policy", "value"):
            getattr(self, name)[: self.count] = state[name]
