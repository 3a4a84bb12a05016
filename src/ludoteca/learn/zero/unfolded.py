"""The network of an ONNX file made into one that can go on learning, for ``train zero --begin``.

A file has each norm folded into its convolution, and in 8 bits rounded weights. A network that learns needs the norms
again: they get the mean and the variance that the convolution's outputs have in matches of the file's own policy. Then
it computes what the file does, up to the rounding of the outputs of its layers, and goes on computing it when the norms
take their mean and variance from a batch.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from ludoteca.learn.quantize import positions_of
from ludoteca.learn.zero.network import Network, convolutions, folded_weights
from ludoteca.protocols import Game

MATCHES = 4
"""Matches on each board size whose positions the norms are measured with."""
USUAL_SIZE = 0.06
"""Root mean square of a convolution's weights, with which the usual learning rates are right. A norm makes it free."""


def load_onnx(network: Network, path: Path, games: Sequence[Game], seed: int) -> None:
    """Give `network` what the file has learned; games: the boards to measure the norms on.

    The same seed gives the same network. Raises InvalidOption if the file is no network, ValueError if it is another.
    """
    chance, device = random.Random(seed), next(network.parameters()).device
    positions = [np.concatenate(list(positions_of(path, [(game, MATCHES)], chance))) for game in games]
    weights = {name: each.to(device) for name, each in weights_in(path).items()}
    for name, ours in folded_weights(network).items():
        if name not in weights or weights[name].shape != ours.shape:
            raise ValueError(f"there is no {name} of shape {list(ours.shape)}")
    _unfold(network, weights, [torch.from_numpy(each.astype(np.int8)).to(device) for each in positions])


def weights_in(path: Path) -> dict[str, Tensor]:
    """The weights by their names in `folded_weights`; of a file in 8 bits, the numbers that these stand for."""
    graph = onnx.load(path).graph
    found = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in found:
            steps, scale, zero = (found[name].astype(np.float32) for name in node.input)
            by_channel = (-1, *[1] * (steps.ndim - 1))
            found[node.input[0].removesuffix("_quantized")] = (steps - zero.reshape(by_channel)) * scale.reshape(
                by_channel
            )
    return {name: torch.from_numpy(np.array(each)) for name, each in found.items()}


@torch.no_grad()
def _unfold(network: Network, weights: dict[str, Tensor], positions: Sequence[Tensor]) -> None:
    """positions: for each board [N, planes, side, side]."""
    layers, scales = convolutions(network), []
    for index, (layer, norm) in enumerate(layers):  # for now norms that only undo the scale
        weight = weights[f"w{index}"]
        scale = USUAL_SIZE / weight.flatten(1).square().mean(1).sqrt().clamp_min(1e-6)
        layer.weight.copy_(weight * scale[:, None, None, None])
        _set_norm(norm, torch.zeros_like(scale), torch.ones_like(scale), scale, weights[f"b{index}"])
        scales.append(scale)
    for name in ("policy", "hidden", "value"):
        getattr(network, name).weight.copy_(weights[f"{name}.w"])
        getattr(network, name).bias.copy_(weights[f"{name}.b"])
    sums = [torch.zeros((3, len(scale)), dtype=torch.float64, device=scale.device) for scale in scales]

    def note(into: Tensor, out: Tensor) -> None:
        values = out.double().transpose(0, 1).flatten(1)
        into += torch.stack([torch.ones_like(values).sum(1), values.sum(1), values.square().sum(1)])

    hooks = [
        layer.register_forward_hook(lambda _layer, _given, out, into=into: note(into, out))
        for (layer, _), into in zip(layers, sums, strict=True)
    ]
    network.eval()
    for seen in positions:
        network(seen)
    network.train()
    for hook in hooks:
        hook.remove()
    for index, ((_, norm), (count, total, squares)) in enumerate(zip(layers, sums, strict=True)):
        mean = total / count
        variance = (squares / count - mean.square()).clamp_min(0)
        _set_norm(norm, mean.float(), variance.float(), scales[index], weights[f"b{index}"])


def _set_norm(norm: nn.BatchNorm2d, mean: Tensor, variance: Tensor, scale: Tensor, bias: Tensor) -> None:
    """Let the norm divide its input by `scale` and add `bias`, with this running mean and variance."""
    assert norm.running_mean is not None and norm.running_var is not None
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_(torch.sqrt(variance + norm.eps) / scale)
    norm.bias.copy_(bias + mean / scale)
