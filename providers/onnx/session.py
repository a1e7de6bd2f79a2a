"""A graph in memory: opened by ONNX Runtime, fed with tokens, read out as one row for each text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from contracts import UnavailableError
from providers.model_files import first_line
from providers.onnx.model_folder import SECTION
from providers.onnx.model_settings import Declaration, Pooling
from providers.onnx.pooling import pool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
"""The inputs that a graph may want."""

_SENTENCE_OUTPUTS: Final = ("sentence_embedding", "sentence_embeddings")

_GPUS: Final[Mapping[str, str]] = {
    "cuda": "CUDAExecutionProvider",
    "rocm": "ROCMExecutionProvider",
    "dml": "DmlExecutionProvider",
}
_CPU: Final = "CPUExecutionProvider"

_QUANTISED: Final = (b"DynamicQuantize", b"QuantizeLinear", b"MatMulInteger")
"""Names of operations in the file of a graph that rounds what it computes to eight bits."""


@dataclass(frozen=True, slots=True)
class Graph:
    """An opened graph.

    output     name of the output that is read
    pooling    of the tokens' vectors; None if the output is one vector for each text
    quantised  its numbers depend on the texts beside one, so each text is computed alone
    """

    session: Any
    output: str
    pooling: Pooling | None
    quantised: bool

    def run(self, ids: Sequence[Sequence[int]], *, pad_id: int) -> NDArray[np.float32]:
        """One row for each text, not normalised. Raises the runtime's errors, `runtime_errors`."""
        import numpy as np

        lengths = [len(one) for one in ids]
        tokens = np.full((len(ids), max(lengths)), pad_id, np.int64)
        mask = np.zeros_like(tokens)
        for row, one in enumerate(ids):
            tokens[row, : len(one)] = one
            mask[row, : len(one)] = 1
        given = {
            "input_ids": tokens,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(tokens),
            "position_ids": np.broadcast_to(np.arange(tokens.shape[1]), tokens.shape),
        }
        feed = {one.name: given[one.name] for one in self.session.get_inputs()}
        (values,) = self.session.run([self.output], feed)
        rows: NDArray[np.float32] = np.array(values, dtype=np.float32)
        return rows if self.pooling is None else pool(rows, mask, self.pooling)


def open_graph(
    path: Path,
    declaration: Declaration,
    *,
    device: str | None,
    threads: int | None,
    pooling: Pooling | None,
) -> Graph:
    """Open a graph; `pooling` replaces the declared one, unless it is None.

    Raises UnavailableError when it is not a graph, when the runtime has no such device, and when
    the graph's inputs or outputs are not those of a model of text.
    """
    try:
        session = _session(path, device=device, threads=threads)
    except runtime_errors() as error:
        raise UnavailableError(
            f"ONNX Runtime cannot open {path}: {first_line(error)}",
            hint=f"download it again, or set {SECTION}.graph to another one",
        ) from error
    _require_known_inputs(path, [one.name for one in session.get_inputs()])
    output, is_sentence = _output(path, session.get_outputs())
    if is_sentence:
        chosen = None
    elif declaration.further:
        raise UnavailableError(
            f"{path} lacks the last part of its model: {', '.join(declaration.further)}",
            hint=f"set {SECTION}.graph to one with the output sentence_embedding,"
            " or memory.embeddings.provider to sentence_transformers",
        )
    else:
        chosen = pooling or declaration.pooling or "mean"
    content = path.read_bytes()
    return Graph(session, output, chosen, any(name in content for name in _QUANTISED))


def has_gpu(device: str | None) -> bool:
    """Return whether a graph will be computed by a GPU: the installed runtime decides."""
    return _execution_provider(device) != _CPU


def runtime_errors() -> tuple[type[Exception], ...]:
    """The classes of ONNX Runtime's errors, which have no common base of their own."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    found = [value for value in vars(state).values() if isinstance(value, type)]
    return (RuntimeError, *(one for one in found if issubclass(one, Exception)))


def _session(path: Path, *, device: str | None, threads: int | None) -> Any:
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.log_severity_level = 4  # its messages are in its errors, too
    # Threads that wait for work do not spin: on busy cores that slows everything down.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    chosen = _execution_provider(device)
    providers = [chosen] if chosen == _CPU else [chosen, _CPU]
    return onnxruntime.InferenceSession(str(path), options, providers=providers)


def _execution_provider(device: str | None) -> str:
    """The runtime's name of a device; None: a GPU if this build of the runtime knows one."""
    import onnxruntime

    there = onnxruntime.get_available_providers()
    known = {name: provider for name, provider in _GPUS.items() if provider in there}
    if device is None:
        return next(iter(known.values()), _CPU)
    if device == "cpu":
        return _CPU
    if device not in known:
        usable = ", ".join(["cpu", *known])
        raise UnavailableError(
            f"ONNX Runtime cannot use the device {device!r} here, only {usable}",
            hint=f"set {SECTION}.device to null to let the runtime choose,"
            " or install its build for that device (onnxruntime-gpu for cuda)",
        )
    return known[device]


def _require_known_inputs(path: Path, names: Sequence[str]) -> None:
    unknown = [name for name in names if name not in _INPUTS]
    if unknown or "input_ids" not in names:
        wants = f"wants the input {unknown[0]}" if unknown else "has no input input_ids"
        raise UnavailableError(
            f"{path} is not the graph of a model of text: it {wants}",
            hint=f"set {SECTION}.graph to one with the inputs input_ids and attention_mask",
        )


def _output(path: Path, outputs: Sequence[Any]) -> tuple[str, bool]:
    """The name of the output to read, and whether it has one vector for each text.

    A second output of that shape is often BERT's classification head, so tokens' vectors count
    before an output of another name.
    """
    for one in outputs:
        if one.name in _SENTENCE_OUTPUTS:
            return one.name, True
    for dimensions, is_sentence in ((3, False), (2, True)):
        for one in outputs:
            if len(one.shape) == dimensions:
                return one.name, is_sentence
    raise UnavailableError(
        f"{path} has no output with vectors of tokens or texts, only"
        f" {', '.join(one.name for one in outputs)}",
        hint=f"set {SECTION}.graph to one that was exported for feature extraction",
    )
