"""The names by which links find a note."""

import re
import unicodedata
from typing import Final
from urllib.parse import unquote

MARKDOWN_ENDS: Final = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".qmd", ".rmd")
_ID: Final = re.compile(r"\d{8,17}(?=$|[ _-])")
_INDEXES: Final = frozenset({"index", "_index", "readme"})


def link_name(target: str) -> str:
    """The name that a link's target looks for: its last part, without heading, suffix and case."""
    place = re.split(r"[#?^]", target, maxsplit=1)[0].strip().rstrip("/")
    parts = place.rsplit("/", 2)
    last = _folded(parts[-1])
    if last in _INDEXES and len(parts) > 1:
        last = _folded(parts[-2])
    return last


def path_names(path: str) -> tuple[str, ...]:
    """The names of a note by its path: its file name, the id that begins it, a folder's for its
    index.
    """
    folder, _, base = path.rpartition("/")
    stem = _folded(unquote(base).replace("___", "/").rpartition("/")[2])
    names = [stem]
    if found := _ID.match(stem):
        names.append(found[0])
    if stem in _INDEXES and folder:
        names.append(_folded(folder.rpartition("/")[2]))
    if stem[:4].isdecimal() and "_" in stem:
        names.append(stem.replace("_", "-"))
    return tuple(dict.fromkeys(name for name in names if name))


def plain_name(text: str) -> str:
    """A title or an alias as links find it."""
    return unicodedata.normalize("NFC", text).casefold().strip().rpartition("/")[2]


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFC", name).casefold().strip()
    for end in MARKDOWN_ENDS:
        if plain.endswith(end):
            return plain[: -len(end)]
    return plain
