"""Models in ONNX of a few words and no training, made in a folder for each test."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "query", "passage", ":", "cat", "dog", "sat", "text")
DIMENSIONS = 8
TABLE: NDArray[np.float32] = (
    np.random.default_rng(3).normal(size=(len(WORDS), DIMENSIONS)).astype(np.float32)
)
"""The vector of each word; a token's place counts, too, see `hidden_of`."""


def hidden_of(ids: Sequence[int]) -> NDArray[np.float32]:
    """What the graph computes for the tokens of one text."""
    return TABLE[list(ids)] * np.cos(np.arange(len(ids)))[:, None].astype(np.float32)


def write_model(folder: Path, *, pooling: str | None = "mean", **graph: Any) -> Path:
    """A folder as exporters write it; `graph` goes to `write_graph`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder / "tokenizer.json")
    files: dict[str, object] = {"sentence_bert_config.json": {"max_seq_length": 12}}
    if pooling:
        files["1_Pooling/config.json"] = {
            "word_embedding_dimension": DIMENSIONS,
            "pooling_mode_cls_token": pooling == "cls",
            "pooling_mode_mean_tokens": pooling == "mean",
            "pooling_mode_max_tokens": pooling == "max",
            "pooling_mode_lasttoken": pooling == "last",
        }
    for name, content in files.items():
        write_json(folder / name, content)
    write_graph(folder / "onnx" / "model.onnx", **graph)
    return folder


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def write_tokenizer(path: Path) -> None:
    """Words between spaces, in lower case, between [CLS] and [SEP]; control characters are gone."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(path))


def write_graph(
    path: Path,
    *,
    table: NDArray[np.float32] = TABLE,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    outputs: Sequence[str] = ("last_hidden_state",),
    rounded: bool = False,
) -> None:
    """A graph with these inputs, which looks at the tokens and their places alone.

    Outputs: `last_hidden_state`; `pooler_output`, of no use; `sentence_embedding`, the largest of
    each column. `rounded` makes numbers depend on the largest of all texts of a call.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Shape", ["input_ids"], ["shape"]),
        helper.make_node("Gather", ["shape", "one"], ["length"]),
        helper.make_node("Range", ["nought", "length", "one"], ["places"]),
        helper.make_node("Cast", ["places"], ["places_f"], to=TensorProto.FLOAT),
        helper.make_node("Cos", ["places_f"], ["factors"]),
        helper.make_node("Unsqueeze", ["factors", "last"], ["column"]),
        helper.make_node("Mul", ["words", "column"], ["exact"]),
    ]
    if rounded:
        nodes += [
            helper.make_node("DynamicQuantizeLinear", ["exact"], ["q", "scale", "zero"]),
            helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["last_hidden_state"]),
        ]
    else:
        nodes.append(helper.make_node("Identity", ["exact"], ["last_hidden_state"]))
    nodes += [
        _reduced("ReduceMax", "sentence_embedding"),
        _reduced("ReduceMin", "pooler_output"),
    ]
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array(0, np.int64), "nought"),
        numpy_helper.from_array(np.array(1, np.int64), "one"),
        numpy_helper.from_array(np.array([1], np.int64), "last"),
    ]
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in inputs
    ]
    shapes = {"last_hidden_state": ["batch", "length", DIMENSIONS]}
    found = [
        helper.make_tensor_value_info(
            name, TensorProto.FLOAT, shapes.get(name, ["batch", DIMENSIONS])
        )
        for name in outputs
    ]
    model = helper.make_model(
        helper.make_graph(nodes, "tiny", given, found, constants),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.save(model, path)


def _reduced(operation: str, output: str) -> Any:
    return helper.make_node(operation, ["last_hidden_state"], [output], axes=[1], keepdims=0)
