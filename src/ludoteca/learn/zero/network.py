"""The residual network of ``train zero``: board planes in, policy logits by cell and a value out, for any board size.

    planes ─ pad 2 ─ conv 5×5 ─ blocks of two 3×3 with a skip connection ─┬────────────┬─┬─ conv 1×1 ─ policy by cell
                                                                          └─ head 3×3 ─┘ └─ mean and max ─ 64 ─ value

The policy and the value, both logits, read the blocks' output and the head's. Each plane is padded with the value that
its border stands for (in Hex the sides count as stones), so the network sees edges without knowing the size. The value
logit v means a return of tanh(v / 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ludoteca import _core
from ludoteca.protocols import Game

PADDING = 2
"""Cells beyond each edge of the board that the first layer sees."""
POLICY_LAYER = "cells"
"""The exported node that computes the policy from the blocks' output."""


@dataclass(frozen=True)
class Shape:
    """The network's input for a game (core/zero/encoding.hpp), for boards of any size."""

    planes: tuple[tuple[float, int, int], ...]
    """For each plane: its scale, and the padding above and below the board, and left and right of it."""
    square: bool
    """Whether the game has all eight symmetries of a square; otherwise only the half turn."""

    @staticmethod
    def of(game: Game) -> Shape:
        """Raises ValueError if these rules cannot be encoded, TypeError if the game has no encoding."""
        planes, square = _core.network_planes(game)  # type: ignore[call-overload]
        return Shape(tuple(planes), square)

    def pad(self, seen: Tensor, to: torch.dtype) -> Tensor:
        """[N, planes, side, side] of int8 -> [N, planes, side + 4, side + 4] as the first layer takes it."""
        around, out = PADDING, []
        for index, (scale, above, beside) in enumerate(self.planes):
            plane = seen[:, index : index + 1].to(to) * scale
            plane = nn.functional.pad(plane, (0, 0, around, around), value=above * scale)
            out.append(nn.functional.pad(plane, (around, around, 0, 0), value=beside * scale))
        return torch.cat(out, 1)

    def transformed(self, seen: Tensor, policy: Tensor, symmetry: int) -> tuple[Tensor, Tensor]:
        """A position and its policy [N, side, side] after a symmetry, numbered below `symmetries`."""
        if not self.square:
            symmetry *= 2
        if symmetry & 4:
            seen, policy = seen.transpose(-1, -2), policy.transpose(-1, -2)
        quarters = symmetry & 3
        return torch.rot90(seen, quarters, (-2, -1)), torch.rot90(policy, quarters, (-2, -1))

    @property
    def symmetries(self) -> int:
        """The number of symmetries, including the identity."""
        return 8 if self.square else 2


class Block(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(width)
        nn.init.zeros_(self.second_norm.weight)  # a block starts as the identity, which learns faster

    def forward(self, x: Tensor) -> Tensor:
        """[N, width, side, side] -> the same shape."""
        hidden = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(hidden)))


def head_width(width: int) -> int:
    """Channels of the head: two thirds of the others', a multiple of eight for tensor cores."""
    return max(8, width * 2 // 3 // 8 * 8)


class Network(nn.Module):
    """[N, planes, side, side] of int8 -> logits [N, side²] and value logits [N], for the seat on turn."""

    def __init__(self, shape: Shape, blocks: int, width: int) -> None:
        super().__init__()
        self.shape = shape
        self.stem = nn.Conv2d(len(shape.planes), width, 2 * PADDING + 1, bias=False)
        self.stem_norm = nn.BatchNorm2d(width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        head = head_width(width)
        self.head = nn.Conv2d(width, head, 3, padding=1, bias=False)
        self.head_norm = nn.BatchNorm2d(head)
        self.policy = nn.Conv2d(width + head, 1, 1)
        self.hidden = nn.Linear(2 * (width + head), 64)
        self.value = nn.Linear(64, 1)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Policy and value, both as logits."""
        x = self.shape.pad(seen, torch.float32).contiguous(memory_format=torch.channels_last)
        x = torch.relu(self.stem_norm(self.stem(x)))
        for block in self.blocks:
            x = block(x)
        x = torch.cat([x, torch.relu(self.head_norm(self.head(x)))], 1)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        return self.policy(x).flatten(1), self.value(torch.relu(self.hidden(pooled))).squeeze(1)


def _fold(layer: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[Tensor, Tensor]:
    """Weights and bias of one convolution that replaces convolution and norm."""
    assert norm.running_mean is not None and norm.running_var is not None
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return layer.weight * factor[:, None, None, None], norm.bias - norm.running_mean * factor


def convolutions(network: Network) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """The convolutions and their norms: the stem, then the blocks, then the head."""
    pairs = [(network.stem, network.stem_norm)]
    for block in network.blocks:
        assert isinstance(block, Block)
        pairs += [(block.first, block.first_norm), (block.second, block.second_norm)]
    return [*pairs, (network.head, network.head_norm)]


@torch.no_grad()
def folded_weights(network: Network) -> dict[str, Tensor]:
    """The weights with each norm folded into its convolution: w0 b0, w1 b1 and so on in the order of `convolutions`."""
    out = {}
    for index, pair in enumerate(convolutions(network)):
        out[f"w{index}"], out[f"b{index}"] = _fold(*pair)
    for name in ("policy", "hidden", "value"):
        layer = getattr(network, name)
        out[f"{name}.w"], out[f"{name}.b"] = layer.weight, layer.bias
    return out


class Folded:
    """The network for inference: norms folded, and on a GPU in half precision with fused layers.

    `take` copies new weights into the same tensors, so that a recorded CUDA graph uses them.
    """

    def __init__(self, network: Network) -> None:
        self.shape = network.shape
        self.fast = next(network.parameters()).is_cuda
        self.kind = torch.float16 if self.fast else torch.float32
        self.layers = 1 + 2 * len(network.blocks)
        self.weights: dict[str, Tensor] = {}
        self.take(network)
        self.fused = self.fast and self._can_fuse()

    def _can_fuse(self) -> bool:
        """Whether cuDNN has convolution, addition and ReLU as one operation for these layers."""
        device = self.weights["w0"].device
        self.fused = True
        try:
            self(torch.zeros((8, len(self.shape.planes), 8, 8), dtype=torch.int8, device=device))
        except (AttributeError, RuntimeError):
            return False
        return True

    @torch.no_grad()
    def take(self, network: Network) -> None:
        """Copy the weights of `network`."""
        self.load(folded_weights(network))

    @torch.no_grad()
    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Copy weights that `folded_weights` returned."""
        for name, fresh in weights.items():
            if self.fast and name == "w0":  # tensor cores need a multiple of eight channels
                fresh = nn.functional.pad(fresh, (0, 0, 0, 0, 0, -fresh.shape[1] % 8))
            if name not in self.weights:
                layout = torch.channels_last if fresh.dim() == 4 else torch.contiguous_format
                self.weights[name] = torch.empty_like(fresh, dtype=self.kind, memory_format=layout)
            self.weights[name].copy_(fresh)

    @torch.no_grad()
    def __call__(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """[N, planes, side, side] of int8 -> logits [N, side²] and values [N] in [-1, 1]."""
        x, w = self.shape.pad(seen, self.kind), self.weights
        if self.fast:
            x = nn.functional.pad(x, (0, 0, 0, 0, 0, -x.shape[1] % 8))
        x = x.contiguous(memory_format=torch.channels_last)
        x = self._layer(x, 0, 0)
        for index in range(1, self.layers, 2):
            x = self._layer(self._layer(x, index, 1), index + 1, 1, x)
        x = torch.cat([x, self._layer(x, self.layers, 1)], 1)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        hidden = torch.relu(nn.functional.linear(pooled, w["hidden.w"], w["hidden.b"]))
        value = nn.functional.linear(hidden, w["value.w"], w["value.b"]).squeeze(1).float()
        policy = nn.functional.conv2d(x, w["policy.w"], w["policy.b"]).flatten(1).float()
        return policy, torch.tanh(value / 2)

    def _layer(self, x: Tensor, index: int, padding: int, added: Tensor | None = None) -> Tensor:
        """Convolution, skip connection and ReLU."""
        weight, bias = self.weights[f"w{index}"], self.weights[f"b{index}"]
        if self.fused:
            if added is None:
                return torch.cudnn_convolution_relu(x, weight, bias, (1, 1), (padding, padding), (1, 1), 1)
            return torch.cudnn_convolution_add_relu(x, weight, added, 1.0, bias, (1, 1), (padding, padding), (1, 1), 1)
        x = nn.functional.conv2d(x, weight, bias, padding=padding)
        return torch.relu_(x if added is None else x + added)


def export(network: Network, path: Path, about: Mapping[str, str]) -> None:
    """Write it as ONNX: ``seen`` [N, planes, side, side] float -> ``policy`` [N, side²] logits and ``value`` [N]."""
    helper, nodes, tensors = onnx.helper, [], []

    def constant(name: str, values: NDArray[Any]) -> str:
        tensors.append(onnx.numpy_helper.from_array(values, name))
        return name

    def add(kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    for name, weight in folded_weights(network).items():
        constant(name, weight.detach().float().cpu().contiguous().numpy())
    planes = []
    constant("axis", np.array([1]))
    constant("rows", np.array([0, 0, PADDING, 0, 0, 0, PADDING, 0]))
    constant("columns", np.array([0, 0, 0, PADDING, 0, 0, 0, PADDING]))
    for i, (scale, above, beside) in enumerate(network.shape.planes):
        span = [constant(f"from{i}", np.array([i])), constant(f"to{i}", np.array([i + 1])), "axis"]
        plane = add("Slice", ["seen", *span], f"plane{i}")
        plane = add("Mul", [plane, constant(f"scale{i}", np.array(scale, np.float32))], f"scaled{i}")
        plane = add("Pad", [plane, "rows", constant(f"above{i}", np.array(above * scale, np.float32))], f"rows{i}")
        beside_value = constant(f"beside{i}", np.array(beside * scale, np.float32))
        planes.append(add("Pad", [plane, "columns", beside_value], f"padded{i}"))
    x = add("Concat", planes, "planes", axis=1)

    def layer(x: str, index: int, padding: int, added: str = "") -> str:
        out = add("Conv", [x, f"w{index}", f"b{index}"], f"conv{index}", pads=[padding] * 4)
        if added:
            out = add("Add", [out, added], f"sum{index}")
        return add("Relu", [out], f"layer{index}")

    x = layer(x, 0, 0)
    for index in range(1, 1 + 2 * len(network.blocks), 2):
        x = layer(layer(x, index, 1), index + 1, 1, x)
    x = add("Concat", [x, layer(x, 1 + 2 * len(network.blocks), 1)], "features", axis=1)
    add("Flatten", [add("Conv", [x, "policy.w", "policy.b"], POLICY_LAYER)], "policy")
    pooled = [add(f"Global{kind}Pool", [x], kind) for kind in ("Average", "Max")]
    hidden = add("Flatten", [add("Concat", pooled, "pools", axis=1)], "pooled")
    hidden = add("Relu", [add("Gemm", [hidden, "hidden.w", "hidden.b"], "hidden_sum", transB=1)], "hidden")
    logit = add("Gemm", [hidden, "value.w", "value.b"], "value_logit", transB=1)
    half = add("Mul", [logit, constant("half", np.array(0.5, np.float32))], "value_half")
    value = add("Tanh", [half], "value_column")
    add("Squeeze", [value, "axis"], "value")
    info, kind = helper.make_tensor_value_info, onnx.TensorProto.FLOAT
    seen = info("seen", kind, ["N", len(network.shape.planes), "side", "side"])
    outputs = [info("policy", kind, ["N", "cells"]), info("value", kind, ["N"])]
    graph = helper.make_graph(nodes, "zero", [seen], outputs, tensors)
    model = helper.make_model(graph, producer_name="ludoteca", opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8  # what ONNX Runtime 1.16 and later read
    helper.set_model_props(model, dict(about))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
