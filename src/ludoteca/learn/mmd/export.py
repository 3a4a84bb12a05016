"""Networks of ``ludoteca train mmd`` as ONNX. `ludoteca.agents.networks.view_networks` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper
from torch import nn

from ludoteca.learn.mmd.network import Network

OPSET, IR = 17, 8  # what ONNX Runtime 1.16 and later read


def write_network(network: Network, path: Path, about: Mapping[str, str]) -> None:
    """``seen`` [N, inputs] -> ``policy`` [N, actions] logits, ``value`` [N], ``belief`` [N, hand] probabilities.

    about: the file's metadata.
    """
    nodes: list[NodeProto] = []
    weights: list[TensorProto] = []

    def linear(layer: nn.Linear, given: str, out: str) -> str:
        for name, values in (("weight", layer.weight), ("bias", layer.bias)):
            weights.append(numpy_helper.from_array(values.detach().cpu().numpy(), f"{out}.{name}"))
        nodes.append(helper.make_node("Gemm", [given, f"{out}.weight", f"{out}.bias"], [out], transB=1))
        return out

    def apply(kind: str, given: list[str], out: str) -> str:
        nodes.append(helper.make_node(kind, given, [out]))
        return out

    found = apply("Relu", [linear(network.first, "seen", "sum")], "found")
    for number, layer in enumerate(network.hidden):
        assert isinstance(layer, nn.Linear)
        more = apply("Relu", [linear(layer, found, f"sum{number}")], f"more{number}")
        found = apply("Add", [more, found], f"found{number}")
    linear(network.policy, found, "policy")
    apply("Tanh", [linear(network.value, found, "value_sum")], "value_column")
    nodes.append(helper.make_node("Flatten", ["value_column"], ["value"], axis=1))
    apply("Sigmoid", [linear(network.belief, found, "belief_sum")], "belief")
    sizes = {
        "seen": network.first.in_features, "policy": network.policy.out_features,
        "value": 1, "belief": network.belief.out_features,
    }  # fmt: skip
    given, *made = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", size]) for name, size in sizes.items())
    graph = helper.make_graph(nodes, "mmd", [given], made, weights)
    model = helper.make_model(graph, producer_name="ludoteca", opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = IR
    helper.set_model_props(model, dict(about))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
