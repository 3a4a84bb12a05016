"""Where a network runs."""

from __future__ import annotations

import torch

from ludoteca.errors import InvalidOption


def device_of(name: str, text: str) -> torch.device:
    """The device of this name, such as cpu, cuda or cuda:1. name: the training. Raises InvalidOption."""
    try:
        device = torch.device(text)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InvalidOption(
            "train {name}: device={device} cannot be used here; choose cpu, or cuda on a machine with an NVIDIA GPU. "
            "PyTorch says: {reason}",
            name=name, device=text, reason=str(error).split("\n")[0],
        ) from None  # fmt: skip
    return device
