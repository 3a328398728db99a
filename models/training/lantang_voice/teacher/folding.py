"""Kokoro's int8 graph rewritten to float convolutions.

The published graph quantises every activation at run time and multiplies unsigned bytes by unsigned bytes,
for which the runtime has no fast kernel on a processor and none at all on a GPU. Weights times their scales
as floats, and one-dimensional convolutions written as two-dimensional ones of height 1, reach the runtime's
blocked kernels. The weights are the same numbers; only the rounding of activations is gone.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper


class _Graph:
    """A graph with its nodes by output, its consumers by input and its constants by name."""

    def __init__(self, graph: onnx.GraphProto):
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.producers = {output: node for node in graph.node for output in node.output}
        self._consumers: dict[str, list[onnx.NodeProto]] = {}
        for node in graph.node:
            for name in node.input:
                self._consumers.setdefault(name, []).append(node)

    def consumer(self, name: str) -> onnx.NodeProto:
        (node,) = self._consumers[name]
        return node


def fold_quantised_weights(quantised: Path, folded: Path) -> None:
    """Write `quantised`'s graph with every ConvInteger and MatMulInteger as a float node to `folded`."""
    model = onnx.load(quantised)
    graph = _Graph(model.graph)
    replaced: dict[str, list[onnx.NodeProto]] = {}
    constants: list[onnx.TensorProto] = []
    for node in model.graph.node:
        if node.op_type in ("ConvInteger", "MatMulInteger"):
            result, nodes, tensors = _as_float(graph, node)
            replaced[result] = nodes
            constants += tensors
    nodes = [new for old in model.graph.node for new in replaced.get(old.output[0], [old])]
    keep_needed(model.graph, nodes, constants)
    onnx.save(model, folded)


def _as_float(graph: _Graph, node: onnx.NodeProto):
    """Name of the value that the integer chain ends in, float nodes that give it, and their constants."""
    bias, following = None, graph.consumer(node.output[0])
    if following.op_type == "Add":
        bias = _bias(graph, following)
        following = graph.consumer(following.output[0])
    rescale = graph.consumer(following.output[0])
    scale = graph.constants[graph.producers[rescale.input[1]].input[1]]
    zero_point = graph.constants[node.input[3]].astype(np.float32)
    weight = (graph.constants[node.input[1]].astype(np.float32) - zero_point) * scale
    source, result = graph.producers[node.input[0]].input[0], rescale.output[0]
    make = _convolution if node.op_type == "ConvInteger" else _product
    nodes, tensors = make(node, source, result, weight, bias)
    return result, nodes, [numpy_helper.from_array(value, name) for name, value in tensors.items()]


def _bias(graph: _Graph, add: onnx.NodeProto) -> np.ndarray:
    """The float bias that the graph quantises at run time: Div, Floor, Cast, Reshape, then this Add."""
    name = add.input[1]
    while name not in graph.constants:
        name = graph.producers[name].input[0]
    return graph.constants[name]


def _convolution(node, source, result, weight, bias):
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    (before, after) = attributes["pads"]
    tensors = {result + "/axis": np.array([2], np.int64), result + "/weight": weight[:, :, None, :]}
    inputs = [result + "/plane", result + "/weight"]
    if bias is not None:
        tensors[result + "/bias"] = bias
        inputs.append(result + "/bias")
    convolution = helper.make_node(
        "Conv",
        inputs,
        [result + "/filtered"],
        name=result + "/Conv",
        dilations=[1, *attributes["dilations"]],
        group=attributes.get("group", 1),
        kernel_shape=[1, *attributes["kernel_shape"]],
        pads=[0, before, 0, after],
        strides=[1, *attributes.get("strides", [1])],
    )
    raise_rank = helper.make_node("Unsqueeze", [source, result + "/axis"], [result + "/plane"])
    lower_rank = helper.make_node("Squeeze", [result + "/filtered", result + "/axis"], [result])
    return [raise_rank, convolution, lower_rank], tensors


def _product(_node, source, result, weight, _bias):
    node = helper.make_node("MatMul", [source, result + "/weight"], [result], name=result + "/MatMul")
    return [node], {result + "/weight": weight}


def keep_needed(graph: onnx.GraphProto, nodes: Iterable[onnx.NodeProto], constants: Iterable[onnx.TensorProto]) -> None:
    """Put `nodes` and `constants` into `graph`, less what no longer leads to an output."""
    needed = {output.name for output in graph.output}
    kept = []
    for node in reversed(list(nodes)):
        if needed & set(node.output):
            kept.append(node)
            needed |= set(node.input)
    tensors = [tensor for tensor in [*graph.initializer, *constants] if tensor.name in needed]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(reversed(kept))
    graph.initializer.extend(tensors)
