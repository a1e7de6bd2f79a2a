"""Choose the loader of a file. To add a format, add a `Format` beside its module, or the suffixes
of one more kind of text in `formats`.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

from contracts import install_hint
from contracts.named_tuple import NamedTuple
from ingest.loaders import formats
from ingest.loaders.base import TEXT_LIMIT, Kind, LoadedText, Loader
from ingest.loaders.encodings.decoding import decoded_text
from ingest.loaders.reading import DEFAULT_MAX_SIZE_BYTES, read_bytes, refuse, too_much_text
from ingest.values import LoadLimits, SkippedFile

DOCUMENTS_EXTRA: Final = "documents"
NOTE_LOADER: Final = "markdown-1"
"""The loader of Markdown, whose files have properties, names and links."""

SUBTITLES_LOADER: Final = "subtitles-1"
TEXT_LOADERS: Final = ("rst-1", "text-1")
"""The loaders of reStructuredText and of plain text, which may be reStructuredText."""

_LIMITS: Final = LoadLimits()


class Format(NamedTuple):
    """A format other than plain text: its loader is `read` in `ingest.loaders.<module>`.

    `id` has a version, which rises whenever the loader gives another text for some file, so that
    files are read again. `library` must be importable, None for none. `heavy` formats run under the
    limits of time and memory. `kind` is the structure of a text without a stored layout.
    """

    id: str
    module: str
    suffixes: tuple[str, ...]
    library: str | None = None
    heavy: bool = True
    kind: Kind = "markdown"
    language: str | None = None


FORMATS: Final = (
    Format("epub-1", "web.epub", (".epub",), library="selectolax"),
    Format("html-2", "web.html", (".htm", ".html", ".xhtml"), library="selectolax"),
    Format("mail-4", "mail.mail", (".eml", ".mbox", ".mht", ".mhtml"), library="selectolax"),
    Format(NOTE_LOADER, "notes.markdown", (*sorted(formats.MARKDOWN_SUFFIXES),), heavy=False),
    Format("notebook-2", "notebook", (".ipynb",), heavy=False),
    Format(
        SUBTITLES_LOADER,
        "subtitles",
        (".srt", ".vtt"),
        heavy=False,
        kind="subtitles",
        language="subtitles",
    ),
    Format("rst-1", "plain", (".rst",), heavy=False, kind="rst"),
    Format("slides-2", "office.slides", (".pptm", ".pptx"), library="lxml"),
    Format("opendocument-2", "office.opendocument", (".odp", ".odt"), library="lxml"),
    Format(
        "ods-2",
        "office.opendocument_sheets",
        (".ods",),
        library="lxml",
        kind="table",
        language="sheet",
    ),
    Format("rtf-1", "office.rtf", (".rtf",), library="striprtf"),
    Format("text-1", "plain", (".text", ".txt"), heavy=False, kind="text"),
    Format("word-1", "office.word", (".docm", ".docx"), library="lxml"),
    Format(
        "workbook-2",
        "office.workbook",
        (".xlsm", ".xlsx"),
        library="openpyxl",
        kind="table",
        language="sheet",
    ),
    Format("pdf-2", "pdf.pdf", (".pdf",), library="pypdfium2"),
)


def is_extracted(loader: str) -> bool:
    """Return whether the loader of that id gives another text than the bytes of the file."""
    return loader not in ("", NOTE_LOADER, SUBTITLES_LOADER, *TEXT_LOADERS)


def load(
    path: str | os.PathLike[str],
    *,
    max_size_bytes: int = DEFAULT_MAX_SIZE_BYTES,
    limits: LoadLimits = _LIMITS,
) -> LoadedText | SkippedFile:
    """Read and decode one file. Any problem is returned as a `SkippedFile`."""
    data = read_bytes(path, max_size_bytes=max_size_bytes)
    if isinstance(data, SkippedFile):
        return data
    return load_bytes(data, os.fspath(path), limits=limits)


def load_bytes(data: bytes, name: str, *, limits: LoadLimits = _LIMITS) -> LoadedText | SkippedFile:
    """The text of a file called `name` (a path or a bare name) with these bytes.

    Only the limit of the text is enforced here.
    """
    if missing_extra(name) is not None:
        return refuse(name, "missing-extra", f"needs {install_hint(DOCUMENTS_EXTRA)}")
    limit = min(limits.text_bytes, TEXT_LIMIT.get())
    token = TEXT_LIMIT.set(limit)
    try:
        loaded = loader_for(name)(data, name)
    finally:
        TEXT_LIMIT.reset(token)
    if isinstance(loaded, LoadedText) and _exceeds(loaded.text, limit):
        return too_much_text(name, limit)
    return loaded


def _exceeds(text: str, limit_bytes: int) -> bool:
    if len(text) * 4 <= limit_bytes:
        return False
    return len(text) > limit_bytes or len(text.encode("utf-8", "replace")) > limit_bytes


def loader_for(name: str) -> Loader:
    """The loader of a file name; plain text if no other applies."""
    base = name.rpartition(os.sep)[2].lower()
    return _BY_NAME.get(base) or _BY_SUFFIX.get(base[base.rfind(".") :], _PLAIN)


def is_known(name: str) -> bool:
    """Return whether the name shows that a loader can read the file, rather than that it may be
    text.
    """
    base = name.rpartition(os.sep)[2].lower()
    return base in _BY_NAME or base[base.rfind(".") :] in _BY_SUFFIX


def loader_id(name: str) -> str:
    """The id of the loader for this name, with a version; empty for text."""
    found = _FORMATS.get(loader_for(name))
    return found.id if found else ""


def reads_alike(one: str, other: str) -> bool:
    """Return whether equal bytes under these two names give equal text, cut in the same way."""
    return (loader_id(one), form_of(one)) == (loader_id(other), form_of(other))


def is_heavy(name: str) -> bool:
    """Return whether a file of this name must be read under the limits of time and memory."""
    found = _FORMATS.get(loader_for(name))
    return found is not None and found.heavy


def missing_extra(name: str) -> str | None:
    """The extra to install before a file of this name can be read; None if not needed."""
    found = _FORMATS.get(loader_for(name))
    if found is None or found.library is None or find_spec(found.library) is not None:
        return None
    return DOCUMENTS_EXTRA


def form_of(name: str) -> tuple[Kind, str | None]:
    """The structure by which a file of this name is cut, if nothing else is known, and its
    language.
    """
    return _FORMS[loader_for(name)]


_FORMS: Final[dict[Loader, tuple[Kind, str | None]]] = {}
"""The structure by which each loader's texts are cut, and their language."""

_FORMATS: Final[dict[Loader, Format]] = {}
"""The formats of the loaders other than text."""


def _text_loader(kind: Kind, language: str | None = None) -> Loader:
    def read(data: bytes, name: str) -> LoadedText | SkippedFile:
        decoded = decoded_text(data, name)
        if isinstance(decoded, SkippedFile):
            return decoded
        text, encoding = decoded
        return LoadedText(text, kind, encoding, language)

    _FORMS[read] = kind, language
    return read


def _format_loader(described: Format) -> Loader:
    def read(data: bytes, name: str) -> LoadedText | SkippedFile:
        module = import_module(f"ingest.loaders.{described.module}")
        return cast("Loader", module.read)(data, name)

    _FORMS[read] = described.kind, described.language
    _FORMATS[read] = described
    return read


def _by_suffixes() -> dict[str, Loader]:
    known: dict[str, Loader] = {}
    for described in FORMATS:
        known.update(dict.fromkeys(described.suffixes, _format_loader(described)))
    return known


_PLAIN: Final = _text_loader("text")
_BY_SUFFIX: Final[dict[str, Loader]] = {
    **dict.fromkeys(formats.TEXT_SUFFIXES, _PLAIN),
    **{suffix: _text_loader(kind) for suffix, kind in formats.MARKUP_SUFFIXES.items()},
    **{suffix: _text_loader("code", name) for suffix, name in formats.CODE_SUFFIXES.items()},
    **{suffix: _text_loader("table", name) for suffix, name in formats.TABLE_FORMATS.items()},
    **{suffix: _text_loader("data", name) for suffix, name in formats.DATA_SUFFIXES.items()},
    **{suffix: _text_loader("text", name) for suffix, name in formats.LINE_FORMATS.items()},
    **_by_suffixes(),
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
