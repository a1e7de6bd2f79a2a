"""Checked options of a search, and `sources` as users write them."""

from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import datetime
from pathlib import Path
from sys import float_info
from types import NoneType
from typing import Literal, TypeAlias, get_args

from contracts.errors import InputError, did_you_mean
from contracts.lazy_regex import deferred
from contracts.values import Scope, Source
from search.ranking.decay import TimeDecay, is_number
from search.ranking.file_weight import FILE_RULES, FileRule

Mode: TypeAlias = Literal["hybrid", "keyword", "vector"]
Fusion: TypeAlias = Literal["convex", "rrf"]
Fold: TypeAlias = Literal["shingles", "mmr", "none"]

MODES: tuple[Mode, ...] = get_args(Mode)
FUSIONS: tuple[Fusion, ...] = get_args(Fusion)
FOLDS: tuple[Fold, ...] = get_args(Fold)
MOST_RESULTS = 1000
MOST_NEIGHBOURS = 10
MOST_CANDIDATES = 200
MOST_DEPTH = 10_000
DEADLINES_MS = (10, 600_000)
MOST_WEIGHT = float_info.max / 2
"""The largest weight; two of them can still be added."""

SOURCE_NAMES: tuple[Source, ...] = get_args(Source)

_PLURALS = {f"{name}s": name for name in SOURCE_NAMES} | {"memories": "memory", "people": "person"}
_GLOB_CHARACTER = deferred(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of a search; every value is checked, an invalid one raises InputError.

    max_results  1 to 1000
    min_score    0 to 1, compared with the cosine of hits that only the vector leg found
    all_chunks   any number of chunks of a document may answer
    fold         `shingles`: near-identical chunks are one hit, which lists the others; `mmr`: hits
                 are chosen by maximal marginal relevance; `none`: as they come
    mmr_lambda   0 to 1, the weight of relevance in `mmr`; the rest is that of novelty
    vector_weight, keyword_weight  None: the model's own; one alone: the other is its rest to 1;
                                   both: divided by their sum. Given weights are used for every
                                   script.
    neighbours   0 to 10: as many chunks before and after each hit come with it
    depth        candidates of each leg, 1 to 10,000; None: ten times `max_results`, at least 100
    decay        how records fade by age, up to `now` (None: the present)
    lowered_files  kinds of files that weigh less unless the query asks for them
    archived     records that are archived or expired by then answer too
    rerank       let a cross-encoder put the best `rerank_candidates` hits (1 to 200) in order, if
                 it can do so within `rerank_deadline_ms` (10 to 600,000)
    sources      sets the scope by source names, folders, files, types and globs, as
                 `parse_sources` reads them in the working directory
    """

    mode: Mode = "hybrid"
    max_results: int = 10
    min_score: float = 0.3
    scope: Scope = field(default_factory=Scope)
    all_chunks: bool = False
    fold: Fold = "shingles"
    mmr_lambda: float = 0.7
    neighbours: int = 0
    depth: int | None = None
    explain: bool = False
    vector_weight: float | None = None
    keyword_weight: float | None = None
    fusion: Fusion = "convex"
    decay: TimeDecay = field(default_factory=TimeDecay)
    lowered_files: tuple[FileRule, ...] = FILE_RULES
    now: datetime | None = None
    archived: bool = False
    rerank: bool = False
    rerank_candidates: int = 30
    rerank_deadline_ms: int = 2000
    sources: InitVar[Sequence[str] | None] = None

    def __post_init__(self, sources: Sequence[str] | None) -> None:
        _check_name("mode", self.mode, MODES)
        _check_name("fusion", self.fusion, FUSIONS)
        _check_name("fold", self.fold, FOLDS)
        _check_whole("max_results", self.max_results, 1, MOST_RESULTS)
        _check_whole("neighbours", self.neighbours, 0, MOST_NEIGHBOURS)
        if self.depth is not None:
            _check_whole("depth", self.depth, 1, MOST_DEPTH)
        _check_whole("rerank_candidates", self.rerank_candidates, 1, MOST_CANDIDATES)
        _check_whole("rerank_deadline_ms", self.rerank_deadline_ms, *DEADLINES_MS)
        _check_rules(self.lowered_files)
        _check_scope(self.scope)
        if sources is not None:
            object.__setattr__(self, "scope", _narrowed(self.scope, sources))
        for name, kinds in _KINDS.items():
            if not isinstance(value := getattr(self, name), kinds):
                names = " or ".join(kind.__name__ for kind in kinds)
                raise InputError(f"{name} is {value!r}", hint=f"give a {names}")
        for name in ("min_score", "mmr_lambda"):
            if not is_number(share := getattr(self, name), 0, 1):
                raise InputError(f"{name} is {share!r}", hint="give a number from 0 to 1")
        for name in ("vector_weight", "keyword_weight"):
            weight = getattr(self, name)
            if weight is not None and not is_number(weight, 0, MOST_WEIGHT):
                raise InputError(f"{name} is {weight!r}", hint="give a number of 0 or more")
        if self.given_weight is not None and not 0 <= self.given_weight <= 1:
            raise InputError(
                f"vector_weight is {self.vector_weight}, keyword_weight {self.keyword_weight}",
                hint="give one of them from 0 to 1, or both and not both 0",
            )

    @property
    def given_weight(self) -> float | None:
        """The vector leg's weight given by the options, in [0, 1] if valid."""
        vector, keyword = self.vector_weight, self.keyword_weight
        if vector is None:
            return None if keyword is None else 1 - keyword
        if keyword is None:
            return vector
        return vector / (vector + keyword) if vector + keyword else -1.0


def _narrowed(scope: Scope, entries: Sequence[str]) -> Scope:
    """The scope, limited to these sources. Raises InputError where it names sources already."""
    if scope.sources or scope.paths or scope.globs:
        raise InputError(
            f"the options have both the sources {entries!r:.80} and a scope with sources or paths",
            hint="give sources or a scope, not both",
        )
    if isinstance(entries, str) or not isinstance(entries, Sequence):
        raise InputError(f"the sources are {entries!r:.80}", hint="give a list of texts")
    parsed = parse_sources(entries, cwd=Path.cwd())
    return scope._replace(sources=parsed.sources, paths=parsed.paths, globs=parsed.globs)


def parse_sources(entries: Iterable[str], *, cwd: Path) -> Scope:
    """The scope described by a list of source names, folders, files, types and globs.

    `file`, `turn` ... are sources. `docs/`, `./text`, `/srv/notes`, `docs/setup.md` are folders and
    files (relative ones below `cwd`). `.md`, `md`, `*.md` are types, `setup.py` any file of that
    name, other patterns globs; a bare word that names a folder in `cwd` also means that folder. An
    answer is from one of the sources and, if any is given, below one of the paths or under one of
    the globs. Raises InputError for an empty entry, the plural of a source, or paths without the
    source `file`.
    """
    sources: list[str] = []
    paths: list[str] = []
    globs: list[str] = []
    for entry in entries:
        if not isinstance(entry, str):
            raise InputError(f"a source is {entry!r:.80}", hint="give a list of texts")
        name = entry.strip()
        if name in SOURCE_NAMES:
            sources.append(name)
        else:
            _check_entry(name, entry)
            try:
                _place(name, cwd, paths=paths, globs=globs)
            except (OSError, ValueError, RuntimeError) as error:  # too long, no Unicode, a loop
                raise InputError(
                    f"the source {name!r} is not a usable path: {error}",
                    hint="name an existing folder, or a pattern such as '*.md'",
                ) from error
    if (paths or globs) and sources and "file" not in sources:
        raise InputError(
            f"paths and types choose among files, and the sources are {', '.join(sources)}",
            hint="add 'file' to the sources, or leave the paths out",
        )
    once = [tuple(dict.fromkeys(part)) for part in (sources, paths, globs)]
    return Scope(sources=once[0], paths=once[1], globs=once[2])


def _check_entry(name: str, entry: str) -> None:
    if not name or "\0" in name:
        raise InputError(
            f"a source is {entry!r}", hint="name a source, a folder, a file, a type or a pattern"
        )
    if name.lower() in _PLURALS:
        singular = _PLURALS[name.lower()]
        raise InputError(
            f"there is no source {name!r}",
            hint=f"the source is {singular!r}; the folder is './{name}', the type '.{name}'",
        )


def _place(name: str, cwd: Path, *, paths: list[str], globs: list[str]) -> None:
    has_folder = "/" in name or name in (".", "..", "~")
    if is_pattern(name):
        globs.append(_rooted(name, cwd) if has_folder else _anywhere(name))
    elif has_folder:
        paths.append(str(Path(cwd, Path(name).expanduser()).resolve()))
    elif name.startswith("."):
        globs.append(f"*{name}")
    elif "." in name:
        globs.append(f"*/{name}")
    else:
        globs.append(f"*.{name}")
        if (cwd / name).is_dir():
            paths.append(str((cwd / name).resolve()))


def is_pattern(name: str) -> bool:
    """Return whether a name has the characters of a glob."""
    return _GLOB_CHARACTER.search(name) is not None


def _anywhere(pattern: str) -> str:
    return pattern if pattern.startswith("*") else f"*/{pattern}"


def _rooted(pattern: str, cwd: Path) -> str:
    """A pattern with folders as a pattern for the whole path; `*` matches slashes too."""
    if pattern.startswith(("/", "*")):
        return pattern
    root = _GLOB_CHARACTER.sub(lambda found: f"[{found[0]}]", str(cwd.resolve()))
    return f"{root}/{pattern.removeprefix('./')}"


_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("all_chunks", "archived", "explain", "rerank"), (bool,)),
    "decay": (TimeDecay,),
    "now": (datetime, NoneType),
}
"""Options checked by type alone."""


def _check_scope(scope: object) -> None:
    """Raise InputError for an invalid scope, or one with a field that cannot be compared.

    An empty path would match every file, and a string in place of a tuple each of its letters.
    """
    if not isinstance(scope, Scope):
        raise InputError(f"the scope is {scope!r}", hint="give a Scope; Scope() lets all answer")
    lists = ("sources", "paths", "globs", "within", "tags", "without_tags", "without_sources")
    for name in lists:
        values = getattr(scope, name)
        if not isinstance(values, tuple | list) or not all(isinstance(one, str) for one in values):
            raise InputError(f"the scope's {name} are {values!r}", hint="give a tuple of texts")
        if not name.endswith("tags") and not all(map(str.strip, values)):
            raise InputError(f"one of the scope's {name} is empty", hint="leave it out")
    for source in (*scope.sources, *scope.without_sources):
        _check_name("source", source, SOURCE_NAMES)
    for name in ("session_id", "since", "until", "shown_after", "speaker"):
        value = getattr(scope, name)
        if not isinstance(value, str | None):
            raise InputError(f"the scope's {name} is {value!r}", hint="give a text or None")


def _check_name(kind: str, value: str, names: tuple[str, ...]) -> None:
    if value not in names:
        raise InputError(f"the {kind} is {value!r}", hint=did_you_mean(str(value), names))


def _check_rules(rules: object) -> None:
    if not isinstance(rules, tuple | list):
        raise InputError(f"lowered_files is {rules!r}", hint="give a tuple of kinds of files")
    for rule in rules:
        _check_name("kind of files", rule, FILE_RULES)


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or not is_number(value, low, high):
        raise InputError(f"{name} is {value!r}", hint=f"give a whole number from {low} to {high}")
