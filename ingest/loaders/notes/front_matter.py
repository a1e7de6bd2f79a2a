"""Front matter: YAML between `---`, TOML between `+++`, or properties as `key:: value` lines.

Nothing here fails for a text: what cannot be read stays text, and a warning has the reason.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from ingest.loaders.notes.dates import iso_date
from ingest.loaders.notes.values import FrontMatterError
from ingest.loaders.notes.yaml_values import MOST_DEPTH, MOST_VALUES, read_yaml

MOST_CHARS: Final = 32 * 1024
"""Longer front matter is text."""

_MOST_TEXT: Final = 400
_MOST_NAMES: Final = 100
_MOST_METADATA: Final = 8 * 1024

_YAML: Final = re.compile(
    r"---[ \t\r]*\n(?=\s*[\w\"'#-][^\n]*:(?:[ \t\r\n]|\Z))"
    r"(.*?)(?:^|\n)(?:---|\.\.\.)[ \t\r]*(?:\n|\Z)",
    re.DOTALL,
)
_TOML: Final = re.compile(r"\+\+\+[ \t\r]*\n(.*?)(?:^|\n)\+\+\+[ \t\r]*(?:\n|\Z)", re.DOTALL)
_PROPERTY: Final = re.compile(r"(?:- )?([A-Za-z][\w-]{0,60}):: ?(.*)")
_DATE_KEYS: Final = frozenset({"created", "date", "lastmod", "modified", "publishdate", "updated"})
_RESERVED: Final = frozenset({"agent", "imported"})
"""Keys by which the engine marks the writer of a record."""


class FrontMatter(NamedTuple):
    """Metadata and tags of a note, and why some or all of it is text only."""

    metadata: Mapping[str, Any]
    tags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


_NONE: Final = FrontMatter({})


def front_matter(text: str) -> FrontMatter:
    """The front matter of a note; empty for a note without it."""
    try:
        values = _values(text)
    except FrontMatterError as error:
        return FrontMatter({}, (), (f"its front matter is text only: {error}",))
    return _described(values) if values else _NONE


def _values(text: str) -> Mapping[str, Any]:
    if text.startswith("---"):
        return _mapping(_YAML.match(text, 0, MOST_CHARS), text, read_yaml)
    if text.startswith("+++"):
        return _mapping(_TOML.match(text, 0, MOST_CHARS), text, _read_toml)
    return _properties(text)


def _mapping(found: re.Match[str] | None, text: str, read: Any) -> Mapping[str, Any]:
    if found is None:
        if len(text) > MOST_CHARS and re.search(rf"\n{re.escape(text[:3])}[ \t\r]*\n", text):
            raise FrontMatterError(f"it is longer than {MOST_CHARS // 1024} KiB, or not keys")
        return {}
    values = read(found[1].replace("\r\n", "\n"))
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise FrontMatterError("it is not a list of keys and values")
    return values


def _read_toml(text: str) -> Any:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = re.search(r"at line (\d+)", str(error))
        line = f" in line {int(place[1]) + 1}" if place else ""
        raise FrontMatterError(f"it is not valid TOML{line}") from error


def _properties(text: str) -> Mapping[str, Any]:
    """The lines `key:: value` that a page begins with."""
    values: dict[str, Any] = {}
    for line in text[:MOST_CHARS].split("\n"):
        found = _PROPERTY.fullmatch(line.strip("\r"))
        if found is None:
            break
        if found[1] in values:
            raise FrontMatterError("a property occurs twice")
        values[found[1]] = re.sub(r"\[\[([^\[\]]+)\]\]", r"\1", found[2].strip())
    return values


def _described(values: Mapping[str, Any]) -> FrontMatter:
    lowered = {str(key).lower(): value for key, value in values.items()}
    warnings: list[str] = []
    metadata: dict[str, Any] = {}
    title = lowered.get("title")
    if isinstance(title, str | int | float) and str(title).strip():
        metadata["title"] = str(title).strip()[:_MOST_TEXT]
    aliases = _texts(lowered.get("aliases", lowered.get("alias")), comma=True)
    if aliases:
        metadata["aliases"] = list(aliases)
    for key in sorted(_DATE_KEYS & lowered.keys()):
        written = _plain(lowered[key], 0)
        moment = iso_date(written) if isinstance(written, str) else None
        if moment is not None:
            metadata[key] = moment
        elif written not in (None, ""):
            warnings.append(f"its {key} is not a date, such as 2026-03-04, and is text only")
    known = {"title", "alias", "aliases", "tag", "tags"} | _DATE_KEYS | _RESERVED
    size = 0
    for key, value in values.items():
        if str(key).lower() in known:
            continue
        plain = _plain(value, 0)
        size += len(str(key)) + len(repr(plain))
        if size <= _MOST_METADATA:
            metadata[str(key)[:_MOST_TEXT]] = plain
    tags = _texts(lowered.get("tags", lowered.get("tag")), comma=True, blank=True)
    return FrontMatter(
        metadata, tuple(tag.lstrip("#") for tag in tags if tag.strip("#")), tuple(warnings)
    )


def _texts(value: Any, *, comma: bool = False, blank: bool = False) -> tuple[str, ...]:
    """A list of texts, or one text of several with commas, or with blanks, between them."""
    if isinstance(value, str) and comma:
        parts: list[Any] = value.split(",")
        if blank and len(parts) == 1:
            parts = value.split()
    else:
        parts = value if isinstance(value, list) else [value]
    texts = (str(part).strip() for part in parts if isinstance(part, str | int | float))
    return tuple(dict.fromkeys(text[:_MOST_TEXT] for text in texts if text))[:_MOST_NAMES]


def _plain(value: Any, depth: int) -> Any:
    """A value as JSON can hold it."""
    if depth > MOST_DEPTH:
        raise FrontMatterError(f"it is nested more than {MOST_DEPTH} deep")
    if isinstance(value, dict):
        return {str(key): _plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, depth + 1) for each in value[:MOST_VALUES]]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, float) and not -1e300 < value < 1e300:
        return str(value)
    if isinstance(value, int) and not -(2**63) < value < 2**63:
        return str(value)
    return value
