"""A model's own files: how it wants text to be prepared, and its tokens' vectors to be pooled.

They are those of sentence-transformers; each of them may be missing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from contracts import UnavailableError

Pooling: TypeAlias = Literal["mean", "cls", "last", "max"]
POOLINGS: Final[tuple[Pooling, ...]] = get_args(Pooling)

_POOLING_FLAGS: Final[Mapping[str, Pooling]] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",  # the same direction, and rows are normalised
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
}
_POOLING_NAMES: Final[Mapping[str, Pooling]] = {
    "cls": "cls",
    "mean": "mean",
    "mean_sqrt_len_tokens": "mean",
    "max": "max",
    "lasttoken": "last",
}
_IN_EVERY_GRAPH: Final = ("Transformer", "Pooling", "Normalize")
"""The modules of a model that the graph or this package computes."""

_MOST_TOKENS: Final = 512
"""The length of a text if the model declares none, in tokens."""

_NO_LIMIT: Final = 1_000_000
"""Tokenizers write a number far above this one for "no limit"."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declarations of a model's files.

    pooling      None if they do not say
    max_tokens   a longer text is cut
    lower_case   text is put into lower case first
    prompts      by name; `default_prompt` is the name of the one for everything
    further      modules that follow the pooling, which only a graph with its own output has
    """

    pooling: Pooling | None
    max_tokens: int
    lower_case: bool
    prompts: Mapping[str, str | None]
    default_prompt: str | None
    further: tuple[str, ...]


def read_declaration(folder: Path) -> Declaration:
    """Read the files in `folder`. Raises UnavailableError when one of them is broken."""
    modules = _read(folder / "modules.json", list)
    names = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
    sentence = _read(folder / "sentence_bert_config.json", dict)
    prompts = _read(folder / "config_sentence_transformers.json", dict)
    return Declaration(
        pooling=_pooling(folder, modules),
        max_tokens=_max_tokens(folder, sentence),
        lower_case=bool(sentence.get("do_lower_case")),
        prompts=prompts.get("prompts") or {},
        default_prompt=prompts.get("default_prompt_name"),
        further=tuple(name for name in names if name not in _IN_EVERY_GRAPH),
    )


def _pooling(folder: Path, modules: list[dict[str, Any]]) -> Pooling | None:
    paths = [m.get("path", "") for m in modules if str(m.get("type", "")).endswith(".Pooling")]
    file = folder / (paths[0] if paths else "1_Pooling") / "config.json"
    found = _read(file, dict)
    if not found:
        return None
    modes = [name for name, on in found.items() if name.startswith("pooling_mode_") and on is True]
    known: Mapping[str, Pooling] = _POOLING_FLAGS
    if not modes:
        named = found.get("pooling_mode", [])
        modes, known = [named] if isinstance(named, str) else list(named), _POOLING_NAMES
    poolings = {known.get(mode) for mode in modes}
    pooling = poolings.pop() if len(poolings) == 1 else None
    if pooling is None or found.get("include_prompt") is False:
        raise UnavailableError(
            f"the pooling that {file} declares is not one of {', '.join(POOLINGS)}",
            hint="choose a graph that has a sentence embedding as output and remove that file,"
            " or set memory.embeddings.provider to sentence_transformers",
        )
    return pooling


def _max_tokens(folder: Path, sentence: Mapping[str, Any]) -> int:
    declared = [
        sentence.get("max_seq_length"),
        _read(folder / "tokenizer_config.json", dict).get("model_max_length"),
    ]
    numbers = [int(n) for n in declared if isinstance(n, int | float) and 0 < n < _NO_LIMIT]
    return numbers[0] if numbers else _MOST_TOKENS


def _read(file: Path, kind: type[Any]) -> Any:
    """The JSON in `file`; empty if there is no such file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError) as error:
        raise _broken(file, str(error)) from error
    if not isinstance(found, kind):
        raise _broken(file, f"it holds no {kind.__name__}")
    return found


def _broken(file: Path, reason: str) -> UnavailableError:
    return UnavailableError(
        f"the file {file} is broken: {reason}",
        hint="download the model again, or set memory.embeddings.model to another one",
    )
