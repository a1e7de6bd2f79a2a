"""The numbers and bullets that a word processor shows before paragraphs.

They are not in the text, but people quote them: "as 3.2 (b) says".
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ingest.loaders.office.open_xml import attribute, first, local

if TYPE_CHECKING:
    from lxml.etree import _Element

_LEVELS: Final = 9
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST: Final = 3_999
BULLET: Final = "-"


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    form: str
    text: str


@dataclass(slots=True)
class Numbering:
    """Counts the numbered paragraphs of one document, in the order of the calls."""

    _levels: dict[str, dict[int, _Level]] = field(default_factory=dict)
    _lists: dict[str, str] = field(default_factory=dict)
    _restarts: dict[str, dict[int, int]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)

    def learn(self, root: "_Element") -> None:
        """Read the definitions from the numbering part of the document."""
        for item in root:
            if local(item) == "abstractNum":
                levels = {
                    _number(attribute(level, "ilvl"), 0): _Level(
                        _number(attribute(first(level, "start"), "val"), 1),
                        attribute(first(level, "numFmt"), "val") or "decimal",
                        attribute(first(level, "lvlText"), "val") or "",
                    )
                    for level in item
                    if local(level) == "lvl"
                }
                self._levels[attribute(item, "abstractNumId") or ""] = levels
            elif local(item) == "num":
                number = attribute(item, "numId") or ""
                self._lists[number] = attribute(first(item, "abstractNumId"), "val") or ""
                self._restarts[number] = {
                    _number(attribute(level, "ilvl"), 0): _number(
                        attribute(first(level, "startOverride"), "val"), 1
                    )
                    for level in item
                    if local(level) == "lvlOverride" and first(level, "startOverride") is not None
                }

    def label(self, number: str, level: int) -> str:
        """The label of the next paragraph of this list: `-`, `3.2`, `(b)`, or nothing."""
        abstract = self._lists.get(number)
        levels = self._levels.get(abstract or "", {})
        described = levels.get(level)
        if abstract is None or described is None:
            return ""
        if described.form == "bullet":
            return BULLET
        counts = self._counts.setdefault(abstract, {})
        restart = self._restarts.get(number, {}).pop(level, None)
        if restart is not None:
            counts[level] = restart
        else:
            counts[level] = counts.get(level, described.start - 1) + 1
        for deeper in [known for known in counts if known > level]:
            del counts[deeper]
        return self._shown(described, levels, counts)

    def _shown(self, described: _Level, levels: dict[int, _Level], counts: dict[int, int]) -> str:
        text = described.text
        for index in range(_LEVELS):
            mark = f"%{index + 1}"
            if mark in text:
                level = levels.get(index, described)
                text = text.replace(mark, _written(counts.get(index, level.start), level.form))
        return text.strip()


def _written(count: int, form: str) -> str:
    """`count` in the document's number format; in digits for an unknown format."""
    if form == "none":
        return ""
    if form in {"lowerLetter", "upperLetter"} and 0 < count <= _MOST:
        letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letters.upper() if form == "upperLetter" else letters
    if form in {"lowerRoman", "upperRoman"} and 0 < count <= _MOST:
        parts = []
        for value, sign in _ROMAN:
            parts.append(sign * (count // value))
            count %= value
        roman = "".join(parts)
        return roman.upper() if form == "upperRoman" else roman
    return f"{count:02}" if form == "decimalZero" else str(count)


def _number(value: str | None, default: int) -> int:
    try:
        return int(value) if value else default
    except ValueError:
        return default
