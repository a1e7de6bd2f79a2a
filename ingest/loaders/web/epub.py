"""E-books (EPUB): their chapters in reading order, each a place."""

import posixpath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft
from ingest.loaders.encodings.charsets import decode_page
from ingest.loaders.encodings.decoding import Undecodable
from ingest.loaders.failure_containment import damage_of, drafted
from ingest.loaders.office.archive import open_archive
from ingest.loaders.office.open_xml import attribute, below, parse_xml
from ingest.loaders.web.hypertext import add_page
from ingest.values import SkippedFile

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTAINER = "META-INF/container.xml"
_LOCKS = "META-INF/encryption.xml"


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The book: its title and authors, then chapter by chapter."""
    return drafted(lambda draft, data: _Book(data).fill(draft), data, name, what="e-book")


class _Book:
    """One book. Its files name each other by relative paths."""

    def __init__(self, data: bytes) -> None:
        self._archive = open_archive(data)
        self._names = set(self._archive.namelist())
        root = next(below(self._xml(_CONTAINER), "rootfile"), None)
        self._opf = attribute(root, "full-path") or ""
        self._package = self._xml(self._opf)
        self._items = {attribute(item, "id") or "": item for item in below(self._package, "item")}

    def fill(self, draft: Draft) -> None:
        """Add title, authors and chapters. An unreadable chapter costs only itself."""
        titles = [" ".join(item.itertext()) for item in below(self._package, "title")]
        level = 2 if titles else 1
        draft.place("chapter 1")
        draft.heading(1, next(iter(titles), ""))
        draft.paragraph(
            ", ".join(" ".join(item.itertext()) for item in below(self._package, "creator"))
        )
        names = self._contents()
        locked = self._locked()
        for number, path in enumerate(self._spine(), start=1):
            if path in locked:
                raise DocumentError("encrypted", "its chapters are encrypted")
            draft.place(f"chapter {number}")
            try:
                add_page(draft, self._page(path), title_level=level, title=names.get(path, ""))
            except DocumentError as error:
                if error.reason != "broken":
                    raise
                draft.paragraph(f"[Chapter {number} cannot be read.]")

    def _xml(self, name: str) -> "_Element":
        if name not in self._names:
            raise DocumentError("broken", "not an e-book: a part is missing")
        with damage_of("part"):
            return parse_xml(self._archive.read(name), allows_type=True)

    def _page(self, path: str) -> str:
        if path not in self._names:
            raise DocumentError("broken", "a chapter is missing")
        with damage_of("chapter"):
            decoded = decode_page(self._archive.read(path))
        if isinstance(decoded, Undecodable):
            raise DocumentError("broken", decoded.detail)
        return decoded[0]

    def _path(self, reference: str, base: str) -> str:
        joined = posixpath.join(posixpath.dirname(base), unquote(urldefrag(reference).url))
        return posixpath.normpath(joined)

    def _spine(self) -> list[str]:
        """The pages in reading order, without pages that hold only the contents."""
        paths = []
        for reference in below(self._package, "itemref"):
            item = self._items.get(attribute(reference, "idref") or "")
            if item is not None and "nav" not in (attribute(item, "properties") or "").split():
                paths.append(self._path(attribute(item, "href") or "", self._opf))
        return paths

    def _locked(self) -> set[str]:
        """The encrypted files; an encrypted font prevents nobody from reading."""
        if _LOCKS not in self._names:
            return set()
        references = below(self._xml(_LOCKS), "CipherReference")
        return {self._path(attribute(item, "URI") or "", "") for item in references}

    def _contents(self) -> dict[str, str]:
        """The title of each page in the table of contents; empty if that cannot be read."""
        found: dict[str, str] = {}
        for item in self._items.values():
            properties = (attribute(item, "properties") or "").split()
            is_old = attribute(item, "media-type") == "application/x-dtbncx+xml"
            if not is_old and "nav" not in properties:
                continue
            path = self._path(attribute(item, "href") or "", self._opf)
            try:
                tree = self._xml(path)
            except DocumentError:
                continue
            for target, label in _labels(tree, is_old=is_old):
                found.setdefault(self._path(target, path), label)
        return found


def _labels(tree: "_Element", *, is_old: bool) -> list[tuple[str, str]]:
    """Targets and their names; those of whole pages before those of places inside one."""
    if is_old:
        pairs = [
            (
                attribute(next(below(point, "content"), None), "src") or "",
                "".join(next(below(point, "text"), point).itertext()),
            )
            for point in below(tree, "navPoint")
        ]
    else:
        pairs = [
            (attribute(link, "href") or "", "".join(link.itertext())) for link in below(tree, "a")
        ]
    named = [(target, " ".join(label.split())) for target, label in pairs if target]
    return sorted(named, key=lambda pair: "#" in pair[0])
