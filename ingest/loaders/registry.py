"""Which loader reads which file. A new format enters here: a loader, and the suffixes it knows."""

import os
from typing import Final

from ingest.loaders import formats
from ingest.loaders.base import Kind, LoadedText, Loader
from ingest.loaders.decoding import Undecodable, decode
from ingest.loaders.reading import DEFAULT_MAX_SIZE_BYTES, read_bytes, refuse
from ingest.values import SkippedFile


def load(
    path: str | os.PathLike[str], *, max_size_bytes: int = DEFAULT_MAX_SIZE_BYTES
) -> LoadedText | SkippedFile:
    """Read and decode one file. Whatever is wrong with it comes back as a `SkippedFile`."""
    data = read_bytes(path, max_size_bytes=max_size_bytes)
    return data if isinstance(data, SkippedFile) else load_bytes(data, os.fspath(path))


def load_bytes(data: bytes, name: str) -> LoadedText | SkippedFile:
    """Decode the content of a file called `name` (a path or a bare name)."""
    return loader_for(name)(data, name)


def loader_for(name: str) -> Loader:
    """The loader of a file name; plain text when no other knows it."""
    base = name.rpartition(os.sep)[2].lower()
    return _BY_NAME.get(base) or _BY_SUFFIX.get(base[base.rfind(".") :], _PLAIN)


def reloaded(text: str, name: str) -> LoadedText:
    """The text that was once loaded from a file called `name`, as it was loaded.

    An ingested text, whose name is no file's, is plain.
    """
    loader = loader_for(name)
    kind, language = _FORMS[loader]
    return LoadedText(text, kind, "utf-8", language)


_FORMS: Final[dict[Loader, tuple[Kind, str | None]]] = {}
"""By which structure each loader's texts are cut, and their language."""


def _text_loader(kind: Kind, language: str | None = None) -> Loader:
    def read(data: bytes, name: str) -> LoadedText | SkippedFile:
        decoded = decode(data)
        if isinstance(decoded, Undecodable):
            return refuse(name, decoded.reason, decoded.detail)
        text, encoding = decoded
        if not text or text.isspace():
            return refuse(name, "empty", "no text in it")
        return LoadedText(text, kind, encoding, language)

    _FORMS[read] = kind, language
    return read


_PLAIN: Final = _text_loader("text")
_MARKDOWN: Final = _text_loader("markdown")
_BY_SUFFIX: Final[dict[str, Loader]] = {
    **dict.fromkeys(formats.TEXT_SUFFIXES, _PLAIN),
    **dict.fromkeys(formats.MARKDOWN_SUFFIXES, _MARKDOWN),
    **{suffix: _text_loader("code", name) for suffix, name in formats.CODE_SUFFIXES.items()},
    **{suffix: _text_loader("text", name) for suffix, name in formats.LINE_FORMATS.items()},
}
_BY_NAME: Final[dict[str, Loader]] = {
    **dict.fromkeys(formats.TEXT_NAMES, _PLAIN),
    **{name: _text_loader("code", language) for name, language in formats.CODE_NAMES.items()},
}

DEFAULT_PATTERNS: Final[tuple[str, ...]] = (
    *(f"*{suffix}" for suffix in sorted(_BY_SUFFIX)),
    *sorted(_BY_NAME),
)
"""Every file name a loader knows, as patterns; they match in upper and lower case."""
