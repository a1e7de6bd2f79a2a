"""The inside of Office Open XML files: their parts, and the relations between them.

Only parts that hold text are unpacked, each on its own, so a damaged picture costs nothing and a
damaged part costs that part.
"""

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from contracts.named_tuple import NamedTuple
from ingest.loaders.draft import DocumentError
from ingest.loaders.failure_containment import damage_of
from ingest.loaders.office.archive import DECLARES_TYPE, open_archive, refuse_declarations

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAIN_KIND: Final = "officeDocument"


class Relation(NamedTuple):
    """A relation of a part: the last word of the relation's type, and the other part's name."""

    kind: str
    target: str


class Package:
    """The parts of one file. Raises `DocumentError` if it is invalid or needs a password."""

    def __init__(self, data: bytes) -> None:
        self._archive = open_archive(data)
        self._names = {name.lower(): name for name in self._archive.namelist()}
        main = [link.target for link in self.relations("").values() if link.kind == _MAIN_KIND]
        if not main:
            raise DocumentError("broken", "not an office file: it names no main part")
        self.main = main[0]

    def xml(self, part: str) -> "_Element":
        """The tree of a part. Raises `DocumentError` if it is missing or damaged."""
        name = self._names.get(part.lower())
        if name is None:
            raise DocumentError("broken", "a part is missing")
        with damage_of("part"):
            return parse_xml(self._archive.read(name))

    def relations(self, part: str) -> dict[str, Relation]:
        """The relations of `part` within the file, by id; the file itself is the part ''."""
        folder, _, base = part.rpartition("/")
        name = posixpath.join(folder, "_rels", f"{base}.rels")
        if name.lower() not in self._names:
            return {}
        return {
            link.get("Id", ""): Relation(
                link.get("Type", "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, link.get("Target", ""))).lstrip("/"),
            )
            for link in self.xml(name)
            if link.get("TargetMode") != "External"
        }


def parse_xml(data: bytes, *, allows_type: bool = False) -> "_Element":
    """A tree without entities, whose parser opens no other file and no connection.

    With `allows_type` a document type is skipped, as e-books have one; its declarations are not
    expanded either.
    """
    from lxml import etree

    if not allows_type:
        refuse_declarations(data)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True
    )
    root = etree.fromstring(data, parser)
    if (
        not allows_type and root.getroottree().docinfo.doctype
    ):  # in an encoding incompatible with ASCII
        raise DocumentError("broken", DECLARES_TYPE)
    return root


def local(element: "_Element") -> str:
    """The name of an element without its namespace, which differs between editions of the standard.

    Empty for a processing instruction.
    """
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: "_Element | None", name: str) -> str | None:
    """The attribute of that local name, in any namespace."""
    if element is not None:
        for key, value in element.attrib.items():
            if str(key).rpartition("}")[2] == name:
                return str(value)
    return None


def first(element: "_Element | None", *path: str) -> "_Element | None":
    """The first child of that local name, and so on down the path."""
    for name in path:
        if element is None:
            return None
        element = next((child for child in element if local(child) == name), None)
    return element


def below(element: "_Element", name: str) -> Iterator["_Element"]:
    """Every element of that local name below `element`, in order."""
    yield from element.iterdescendants(f"{{*}}{name}")
