"""The filters of a search, and the chips that add one which the present hits suggest."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from contracts import Scope
from contracts.named_tuple import NamedTuple
from memory.files.roots import known_roots
from memory.retrieval import searching
from memory.values.results import SearchResult
from memory.values.scope_parsing import narrowed
from memory.workspace import Workspace
from search import SearchOptions

MOST_SHOWN: Final = 20
_MOST_CHIPS: Final = 4
_NAMES: Final[Mapping[str, str]] = {
    "source": "kind",
    "session": "conversation",
    "mode": "by",
    "path": "folder",
}
"""The names of fields of the form on the page, where they differ."""

_TAGS_SQL: Final = "SELECT tags FROM chunks WHERE uid IN (:uids) AND tags IS NOT NULL"
_AGES: Final = (("7d", "the last 7 days"), ("30d", "the last 30 days"), ("1y", "the last year"))


class Asked(BaseModel):
    """The fields of the search form; an empty one is not set."""

    model_config = ConfigDict(extra="ignore")

    q: str = ""
    source: str = ""
    collection: str = ""
    path: str = ""
    tag: str = ""
    since: str = ""
    until: str = ""
    speaker: str = ""
    session: str = ""
    mode: Literal["", "hybrid", "keyword", "vector"] = ""

    def given(self) -> Mapping[str, str]:
        """Return the fields that are set."""
        return {name: value for name, value in self if value}


class Chip(NamedTuple):
    """A filter to add or to take away: its name and value in words, and the fields afterwards."""

    name: str
    label: str
    fields: Mapping[str, str]


def options_of(workspace: Workspace, asked: Asked) -> SearchOptions:
    """Return the options of the form. Raises InputError for what cannot be used."""
    usual = searching.default_options(workspace.config.search)
    scope: Scope = narrowed(
        (asked.source,) if asked.source else (),
        (asked.path,) if asked.path else (),
        since=asked.since or None,
        until=asked.until or None,
        tags=(asked.tag,) if asked.tag else (),
        cwd=Path.cwd(),
    )
    if asked.collection:
        scope = scope._replace(within=(*scope.within, asked.collection))
    return replace(
        usual,
        mode=asked.mode or usual.mode,
        max_results=MOST_SHOWN,
        scope=scope._replace(session_id=asked.session or None, speaker=asked.speaker or None),
        explain=True,
    )


def chips_in_use(asked: Asked) -> list[Chip]:
    """Return a chip for each filter that is set, with the fields that remain without it."""
    given = asked.given()
    return [
        Chip(_NAMES.get(name, name), _short(name, value), _without(given, name))
        for name, value in given.items()
        if name != "q"
    ]


def chips_to_add(workspace: Workspace, asked: Asked, results: Sequence[SearchResult]) -> list[Chip]:
    """Return the filters that would keep some of these hits and leave out others."""
    chips: list[Chip] = []
    given = asked.given()
    for name, values in _found(workspace, asked, results).items():
        if name in given:
            continue
        for value, number in Counter(values).most_common(_MOST_CHIPS):
            if number < len(results):
                chips.append(
                    Chip(_NAMES.get(name, name), _short(name, value), {**given, name: value})
                )
    if results and "since" not in given:
        chips += [Chip("time", label, {**given, "since": age}) for age, label in _AGES]
    return chips


def _found(
    workspace: Workspace, asked: Asked, results: Sequence[SearchResult]
) -> Mapping[str, Iterable[str]]:
    """Return the values of each filter in the hits, each once for a hit."""
    paths = [hit.file_path for hit in results if hit.file_path is not None]
    roots = [str(root) for root in known_roots(workspace)] if paths else []
    above = [each for each in roots if len(roots) > 1]
    turns = [hit for hit in results if hit.source == "turn"]
    return {
        "source": [hit.source for hit in results],
        "collection": [root for path in paths for root in above if _is_below(path, root)],
        "path": [folder for path in paths if (folder := str(Path(path).parent)) not in roots],
        "tag": list(_tags(workspace, results)),
        "speaker": [workspace.kinds["turn"].speaker(hit.metadata) or "" for hit in turns],
    }


def _tags(workspace: Workspace, results: Sequence[SearchResult]) -> Iterator[str]:
    """Yield the tags of the hits, as their chunks have them."""
    uids = {"uids": [hit.chunk_id for hit in results]}
    for (tags,) in workspace.storage.database.read(_TAGS_SQL, uids):
        yield from json.loads(tags)


def _is_below(path: str, root: str) -> bool:
    return Path(path).is_relative_to(root)


def _short(name: str, value: str) -> str:
    return Path(value).name or value if name in ("collection", "path") else value


def _without(values: Mapping[str, str], name: str) -> Mapping[str, str]:
    return {key: value for key, value in values.items() if key != name}
