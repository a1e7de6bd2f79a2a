"""The structure that the paragraph styles of a word processor's document define."""

import re
from typing import TYPE_CHECKING, Final

from contracts.named_tuple import NamedTuple
from ingest.loaders.office.open_xml import attribute, first, local

if TYPE_CHECKING:
    from lxml.etree import _Element

TITLE: Final = 0
_HEADING: Final = re.compile(r"heading ([1-9])")
_DEEPEST: Final = 20


class Style(NamedTuple):
    """One paragraph style, with inherited properties. `level` is that of a heading (`TITLE` for the
    document's title), None for other text.
    """

    level: int | None = None
    list_number: str | None = None
    list_level: str | None = None
    is_contents: bool = False


PLAIN: Final = Style()


def styles_of(root: "_Element") -> dict[str, Style]:
    """The paragraph styles by their ids."""
    found = {attribute(item, "styleId") or "": item for item in root if local(item) == "style"}
    return {name: _style(found, name) for name in found}


def _style(found: "dict[str, _Element]", name: str) -> Style:
    style = PLAIN
    for _ in range(_DEEPEST):
        item = found.get(name)
        if item is None:
            break
        shown = (attribute(first(item, "name"), "val") or "").lower()
        known = direct_style(first(item, "pPr"))
        style = Style(
            style.level if style.level is not None else _level(shown, known),
            style.list_number or known.list_number,
            style.list_level or known.list_level,
            style.is_contents or shown.startswith("toc "),
        )
        name = attribute(first(item, "basedOn"), "val") or ""
    return style


def _level(shown: str, known: Style) -> int | None:
    if shown == "title":
        return TITLE
    heading = _HEADING.fullmatch(shown)
    return int(heading[1]) if heading else known.level


def direct_style(properties: "_Element | None") -> Style:
    """The own properties of one paragraph, or of one style."""
    outline = attribute(first(properties, "outlineLvl"), "val")
    numbers = first(properties, "numPr")
    return Style(
        int(outline) + 1 if outline and outline.isdecimal() and int(outline) < 9 else None,
        attribute(first(numbers, "numId"), "val"),
        attribute(first(numbers, "ilvl"), "val"),
    )
