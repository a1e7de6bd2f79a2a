"""The graph, operation by operation; exact, or with weights and products of eight bits.

It is written down here instead of exported and rewritten, so that equal weights give equal bytes.
The operations of `com.microsoft` are ONNX Runtime's own: a whole attention, a residual with its
normalisation, a bias with its GELU.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tools.minilm.weights import LAYERS, Floats, Linear, Norm, Weights

Scales: TypeAlias = Mapping[tuple[int, Linear], Floats]
"""For each product, the number that each of its inputs is divided by, and its weights multiplied
by, before both are rounded.
"""

MAX_TOKENS: Final = 256
OUTPUT: Final = "sentence_embedding"

_HEADS: Final = 12
_EPSILON: Final = 1e-12
_OPSET, _IR_VERSION = 17, 8

_LARGEST_WEIGHT: Final = 63
"""Two products of a byte and a weight up to this one fit into 16 bits, where processors without
VNNI add them; so vectors are the same on every processor.
"""


def write_graph(path: Path, weights: Weights, *, scales: Scales | None) -> None:
    """Write the graph; without `scales` an exact one, that also tells the inputs of its products.

    The name of such an output is `layer-product`.
    """
    graph = _Graph(weights, scales)
    model = helper.make_model(
        graph.made(),
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid("com.microsoft", 1)],
        ir_version=_IR_VERSION,
        producer_name="tools/minilm",
    )
    onnx.checker.check_model(model)
    onnx.save(model, path)


def rounded_weights(weight: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Weights as integers, and what one of them is worth, output by output."""
    worth = np.abs(weight).max(axis=0) / _LARGEST_WEIGHT
    return np.rint(weight / worth).astype(np.int8), worth.astype(np.float32)


class _Graph:
    """The nodes and constants, in the order in which they are added."""

    def __init__(self, weights: Weights, scales: Scales | None) -> None:
        self._weights, self._scales = weights, scales
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._outputs = [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", 384])]

    def made(self) -> Any:
        mask = self._add("Cast", "attention_mask", to=TensorProto.INT32)
        hidden = self._embedded()
        for layer in range(LAYERS):
            hidden = self._layer(layer, hidden, mask)
        self._mean(hidden)
        shape = ["batch", "length"]
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask")
        ]
        return helper.make_graph(
            self._nodes, "all-MiniLM-L6-v2", inputs, self._outputs, self._constants
        )

    def _embedded(self) -> str:
        """Words and positions, normalised; a word's row as bytes and what one of them is worth."""
        words = self._weights.words
        if self._scales is None:
            rows = self._add("Gather", self._constant(words), "input_ids")
        else:
            worth = np.abs(words).max(axis=1, keepdims=True) / 127
            whole = np.rint(words / np.where(worth > 0, worth, 1)).astype(np.int8)
            rows = self._add("Gather", self._constant(whole), "input_ids")
            rows = self._add("Cast", rows, to=TensorProto.FLOAT)
            worths = self._constant(worth.astype(np.float32))
            rows = self._add("Mul", rows, self._add("Gather", worths, "input_ids"))
        begin, one, two = (self._constant(np.array([n], np.int64)) for n in (0, 1, 2))
        length = self._add("Slice", self._add("Shape", "input_ids"), one, two)
        places = self._constant(self._weights.positions(MAX_TOKENS))
        places = self._add("Slice", places, begin, length, begin)
        return self._add(
            "LayerNormalization",
            self._add("Add", rows, places),
            *self._norm(self._weights.first_norm()),
            epsilon=_EPSILON,
        )

    def _layer(self, layer: int, hidden: str, mask: str) -> str:
        attention = self._attention(layer, hidden, mask)
        hidden = self._residual(layer, "attention_output", attention, hidden)
        inner = self._product(layer, "intermediate", hidden)
        bias = self._constant(self._weights.dense(layer, "intermediate").bias)
        inner = self._add("BiasGelu", inner, bias, own=True)
        return self._residual(layer, "output", inner, hidden)

    def _attention(self, layer: int, hidden: str, mask: str) -> str:
        weight, bias = self._weights.dense(layer, "attention")
        if self._scales is None:
            self._tell(layer, "attention", hidden)
            inputs = [hidden, self._constant(weight), self._constant(bias), mask]
            return self._add("Attention", *inputs, own=True, num_heads=_HEADS)
        by = self._scales[layer, "attention"]
        (x, scale, zero), (w, worth, nought) = self._rounded(weight, hidden, by)
        inputs = [x, w, self._constant(bias), scale, worth, mask, zero, nought]
        return self._add("QAttention", *inputs, own=True, num_heads=_HEADS)

    def _product(self, layer: int, name: Linear, value: str) -> str:
        """The product with a layer's weights, without its bias."""
        weight = self._weights.dense(layer, name).weight
        if self._scales is None:
            self._tell(layer, name, value)
            return self._add("MatMul", value, self._constant(weight))
        by = self._scales[layer, name]
        (x, scale, zero), (w, worth, nought) = self._rounded(weight, value, by)
        return self._add("MatMulIntegerToFloat", x, w, scale, worth, zero, nought, own=True)

    def _residual(self, layer: int, name: Linear, value: str, residual: str) -> str:
        after = self._weights.norm(layer, "attention" if name == "attention_output" else "output")
        product = self._product(layer, name, value)
        parts = (*self._norm(after), self._constant(self._weights.dense(layer, name).bias))
        return self._add(
            "SkipLayerNormalization", product, residual, *parts, own=True, epsilon=_EPSILON
        )

    def _rounded(
        self, weight: Floats, value: str, by: Floats
    ) -> tuple[tuple[str, str, str], tuple[str, str, str]]:
        """Inputs and weights of a product as bytes, each with its scale and its zero."""
        value = self._add("Mul", value, self._constant(1 / by))
        names = tuple(f"{value}-{part}" for part in ("rounded", "scale", "zero"))
        self._nodes.append(helper.make_node("DynamicQuantizeLinear", [value], names))
        whole, worth = rounded_weights(weight * by[:, None])
        nought = np.zeros(len(worth), np.int8)
        constants = (self._constant(whole), self._constant(worth), self._constant(nought))
        return (names[0], names[1], names[2]), constants

    def _mean(self, hidden: str) -> None:
        """The mean of the tokens that are not filling."""
        along, last = (self._constant(np.array([n], np.int64)) for n in (1, 2))
        own = self._add("Cast", "attention_mask", to=TensorProto.FLOAT)
        own = self._add("Unsqueeze", own, last)
        total = self._add("ReduceSum", self._add("Mul", hidden, own), along, keepdims=0)
        count = self._add("ReduceSum", own, along, keepdims=0)
        self._nodes.append(helper.make_node("Div", [total, count], [OUTPUT]))

    def _tell(self, layer: int, name: Linear, value: str) -> None:
        output = f"{layer}-{name}"
        self._nodes.append(helper.make_node("Identity", [value], [output]))
        shape = ["batch", "length", None]
        self._outputs.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, shape))

    def _norm(self, norm: Norm) -> tuple[str, str]:
        return self._constant(norm.scale), self._constant(norm.shift)

    def _constant(self, value: NDArray[Any]) -> str:
        name = f"constant-{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _add(self, operation: str, *inputs: str, own: bool = False, **attributes: Any) -> str:
        name = f"{operation}-{len(self._nodes)}"
        domain = "com.microsoft" if own else ""
        node = helper.make_node(operation, inputs, [name], domain=domain, **attributes)
        self._nodes.append(node)
        return name
