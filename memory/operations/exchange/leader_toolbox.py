"""Reading of a Leader-Toolbox store: texts with metadata, an embedding matrix, a FAISS file.

The toolbox kept them in memory and defined no file format; a folder is read that has them under
obvious names (docs/import.md). Pickles are refused: reading one runs any code its writer put into
it.
"""

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from contracts import InputError, NotFoundError

if TYPE_CHECKING:
    from providers import Rows

_METADATA: Final = ("metadatas", "metadata", "documents", "entries")
_EMBEDDINGS: Final = ("embeddings_store", "embeddings", "vectors")
_INDEXES: Final = ("index.faiss", "faiss.index", "faiss_index.bin", "faiss_index.index")
_TEXTS: Final = ("text", "content", "chunk", "page_content", "document")
_TIMES: Final = ("timestamp", "created_at", "created", "time", "date", "ts")
_PICKLES: Final = frozenset({".pkl", ".pickle", ".joblib"})

_UNREADABLE: Final = (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error)
"""Errors of numpy for a damaged file, or one of other values than numbers."""

_MILLISECONDS_FROM: Final = 1e11
"""The number of seconds (the year 5000) above which a time is in milliseconds."""


@dataclass(frozen=True, slots=True)
class ToolboxEntry:
    """One entry: its number from 1, its text (None when it has none), and its metadata."""

    number: int
    text: str | None
    metadata: dict[str, Any]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolboxStore:
    """The entries of a store, and its vectors, `(n, dimensions)`, if there is one for each.

    `note` says why there are no vectors.
    """

    entries: list[ToolboxEntry]
    vectors: "Rows | None"
    note: str | None


def read_store(path: Path) -> ToolboxStore:
    """Return the store in a folder, or the entries of its metadata file alone.

    Raises NotFoundError for a missing folder or missing metadata, InputError for unreadable files,
    including pickles.
    """
    if path.is_file():
        return ToolboxStore(list(_entries(_read_list(path))), None, "no embeddings were given")
    if not path.is_dir():
        raise NotFoundError(f"there is no folder {path}", hint="name the folder of the store")
    file = _first(path, [f"{name}{end}" for name in _METADATA for end in (".json", ".jsonl")])
    if file is None:
        raise _without_metadata(path)
    entries = list(_entries(_read_list(file)))
    vectors = _vectors(path)
    if isinstance(vectors, str):
        return ToolboxStore(entries, None, vectors)
    if len(vectors) != len(entries):
        note = f"there are {len(vectors)} embeddings for {len(entries)} entries"
        return ToolboxStore(entries, None, note)
    return ToolboxStore(entries, vectors, None)


def _without_metadata(folder: Path) -> InputError | NotFoundError:
    pickled = [file.name for file in sorted(folder.iterdir()) if file.suffix in _PICKLES]
    if pickled:
        return InputError(
            f"{folder / pickled[0]} is a pickle, which runs code when it is read",
            hint="write its list with json.dump to metadatas.json there, as docs/import.md shows",
        )
    return NotFoundError(
        f"{folder} has no metadatas.json",
        hint="see docs/import.md for the files that a store consists of",
    )


def _first(folder: Path, names: Sequence[str]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _read_list(file: Path) -> list[Any]:
    try:
        text = file.read_text("utf-8")
        if file.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        values = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            f"{file} cannot be read: {error}", hint="it must be a JSON list of objects"
        ) from error
    if isinstance(values, dict) and len(values) == 1:  # {"metadatas": [...]}
        (values,) = values.values()
    if not isinstance(values, list):
        raise InputError(f"{file} is not a list", hint="it must be a JSON list of objects")
    return values


def _entries(values: Sequence[Any]) -> Iterator[ToolboxEntry]:
    for number, value in enumerate(values, 1):
        if isinstance(value, str):
            yield ToolboxEntry(number, value, {}, ())
            continue
        known = dict(value) if isinstance(value, Mapping) else {}
        inner = known.pop("metadata", None)
        if isinstance(inner, Mapping):
            known = {**inner, **known}
        text = next((known.pop(name) for name in _TEXTS if isinstance(known.get(name), str)), None)
        tags = known.pop("tags", None)
        moment = _moment(known)
        if moment is not None:
            known["timestamp"] = moment
        else:
            known.pop("timestamp", None)
        yield ToolboxEntry(number, text, known, _tags(tags))


def _tags(value: Any) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list):
        return ()
    return tuple(name.strip() for name in names if isinstance(name, str) and name.strip())


def _moment(known: Mapping[str, Any]) -> str | None:
    """Return when an entry was written, ISO 8601: the first of its times that is valid."""
    for name in _TIMES:
        value = known.get(name)
        try:
            if isinstance(value, str):
                return datetime.fromisoformat(value).isoformat()
            if isinstance(value, int | float) and not isinstance(value, bool):
                seconds = value / 1000 if value > _MILLISECONDS_FROM else value
                return datetime.fromtimestamp(seconds, UTC).isoformat()
        except (ValueError, OverflowError, OSError):
            continue
    return None


def _vectors(folder: Path) -> "Rows | str":
    """Return the embeddings, from numpy's file or FAISS's; else the reason for their absence."""
    file = _first(folder, [f"{name}{end}" for name in _EMBEDDINGS for end in (".npy", ".npz")])
    if file is not None:
        return _matrix(file)
    index = _first(folder, _INDEXES)
    if index is None:
        return "there are no embeddings beside them"
    return _of_faiss(index)


def _matrix(file: Path) -> "Rows | str":
    import numpy as np

    try:
        with file.open("rb") as stream:
            found = np.load(stream, allow_pickle=False)
            if not isinstance(found, np.ndarray):
                with found:
                    arrays = [found[name] for name in found.files]
                found = next((array for array in arrays if array.ndim == 2), np.zeros(0))
        rows = np.asarray(found, dtype=np.float32)
    except (*_UNREADABLE, MemoryError) as error:  # a header may claim any size
        return f"{file.name} cannot be read: {error}"
    if rows.ndim != 2 or not np.isfinite(rows).all():
        return f"{file.name} has no matrix of numbers"
    return rows


def _of_faiss(index: Path) -> "Rows | str":
    import faiss

    try:
        read = faiss.read_index(str(index))
        rows: Rows = read.reconstruct_n(0, read.ntotal)
    except RuntimeError as error:
        return f"{index.name} cannot be read: {str(error).splitlines()[0][:200]}"
    return rows
