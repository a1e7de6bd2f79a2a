"""The choice among a model's graphs: repositories hold one for each kind of machine."""

import platform
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

FOLDERS: Final = ("onnx", ".")
"""The folders of a model where graphs are looked for, in this order."""

_PREFERENCES: Final = (
    ("model_O4", "gpu"),
    ("model_fp16", "gpu"),
    ("model_qint8_arm64", "arm64"),
    ("model_qint8_avx512_vnni", "avx512_vnni"),
    ("model_qint8_avx512", "avx512f"),
    ("model_quint8_avx2", "avx2"),
    ("model_quantized", "cpu"),
    ("model_int8", "cpu"),
    ("model_uint8", "cpu"),
    ("model_O3", "cpu"),
    ("model_O2", "any"),
    ("model_O1", "any"),
    ("model", "any"),
)
"""Names that exporters give to graphs, best first, each with the feature its use demands."""


def choose_graph(names: Iterable[str], features: Collection[str]) -> str | None:
    """The path of the best graph among a model's files; None without one that is known.

    A graph of another name is chosen if it is the only one.
    """
    paths = [PurePosixPath(name) for name in names if name.endswith(".onnx")]
    for folder in FOLDERS:
        here = {path.stem: path for path in paths if str(path.parent) == folder}
        for stem, feature in _PREFERENCES:
            if stem in here and feature in features:
                return str(here[stem])
    return str(paths[0]) if len(paths) == 1 else None


def graph_files(graph: str) -> tuple[str, str, str]:
    """The file of a graph, and those that exporters put the weights of a large one in."""
    return graph, f"{graph}_data", f"{graph}.data"


def features_of(*, gpu: bool) -> frozenset[str]:
    """The features of this machine that the choice depends on."""
    return frozenset({"any", "gpu"} if gpu else {"any", "cpu", *_processor_features()})


@cache
def _processor_features() -> frozenset[str]:
    machine = platform.machine().lower()
    if machine in ("arm64", "aarch64"):
        return frozenset({"arm64"})
    if machine not in ("x86_64", "amd64"):
        return frozenset()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux; processors without AVX2 are older than the systems that run this
        return frozenset({"avx2"})
    flags = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(flags.partition(":")[2].split())
