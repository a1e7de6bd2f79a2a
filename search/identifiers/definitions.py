"""Find the definition that a query names: `Session.request`, `class Session`, `import rich.pretty`.

A name may begin with the module, as far as the path of the file tells it: `requests.Session` finds
the class `Session` in `requests/sessions.py`, too.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow, KeywordQuery, Scope
from search.analysis.query import QueryAnalysis
from search.analysis.stopwords import STOP_WORDS

LOOKED_AT = 300
"""The most chunks that are looked at for a name."""

COMMON = 20
"""A name that more definitions have than this is not that of one among other words."""

_NAME = r"[^\W\d]\w*"
_DOTTED = deferred(rf"{_NAME}(?:(?:\.|::){_NAME})*")
_JOINT = deferred(r"\.|::")
_ABOUT = """
    class def enum fn func function interface method module struct trait
    code declaration declared defined definition find from implementation implemented import show
    signature source
"""
_ABOUT_A_DEFINITION = frozenset(_ABOUT.split())
"""Words of a question that asks for a definition and for nothing else."""

_IMPORTED = deferred(rf"^\s*from\s+(?P<module>[\w.]+)\s+import\s+(?P<name>{_NAME})\s*$")
_CALLED = deferred(rf"(?<![\w.]){_NAME}(?:\.{_NAME})*(?=\(\))")
_WORD = deferred(rf"(?<![\w.]){_NAME}(?:(?:\.|::){_NAME})*")
_REFERENCE = (".rst", ".text", ".txt")
_CLOSEST = 4
_STANDS_FOR_FOLDER = ("__init__", "index", "mod")


class DefinitionMatch(NamedTuple):
    """A chunk in which a definition begins that a query names.

    `closeness`: 4 the name ends as asked for; 3 its parts are in that order, with others between;
    2, 1 the same except for case.
    """

    chunk_id: int
    row: ChunkRow
    name: str
    closeness: int


class NamedDefinitions(NamedTuple):
    """The names in a query that a definition may have, dotted; `is_alone`: it asks for no more."""

    names: tuple[str, ...]
    is_alone: bool


def named_definitions(analysis: QueryAnalysis) -> NamedDefinitions:
    """The names that look like names of code, those before `()`, what is imported, and a plain word
    of a query that asks for nothing but a definition (`class request`, `where is request defined`).
    """
    text = analysis.plain
    if imported := _IMPORTED.match(text):
        return NamedDefinitions((f"{imported['module'].strip('.')}.{imported['name']}",), True)
    found = [name for name in analysis.identifiers if _DOTTED.fullmatch(name)]
    found += _CALLED.findall(text)
    about = {word.lower() for word in _WORD.findall(text)} & _ABOUT_A_DEFINITION
    others = [
        word
        for word in _WORD.findall(text)
        if word not in found and word.lower() not in STOP_WORDS | _ABOUT_A_DEFINITION
    ]
    if not found and about and len(others) == 1:
        found, others = others, []
    names = dict.fromkeys(".".join(_JOINT.split(name)) for name in found)
    return NamedDefinitions(tuple(names), not others)


def find_definitions(
    index: CandidateIndex,
    named: NamedDefinitions,
    scope: Scope,
    weight: Callable[[str | None], float],
) -> list[DefinitionMatch]:
    """The definitions and modules with these names, in turn one of each name: closest first, then
    by the weight of their files, source code before its reference.
    """
    found: list[list[DefinitionMatch]] = []
    for name in named.names:
        of_name = list(_defined(index, name, scope))
        if all(match.closeness < _CLOSEST for match in of_name):
            of_name += _modules(index, name, scope)
        best = max((match.closeness for match in of_name), default=0)
        closest = [match for match in of_name if match.closeness == best]
        if named.is_alone or "." in name or len(closest) <= COMMON:
            found.append(sorted(closest, key=lambda match: _rank(match, weight)))
    first: dict[int, DefinitionMatch] = {}
    for match in chain.from_iterable(zip_longest(*found)):
        if match is not None:
            first.setdefault(match.chunk_id, match)
    return list(first.values())


def _rank(match: DefinitionMatch, weight: Callable[[str | None], float]) -> tuple[int, float, bool]:
    path = match.row.path or ""
    return -match.closeness, -weight(path), path.lower().endswith(_REFERENCE)


def _defined(index: CandidateIndex, name: str, scope: Scope) -> Iterator[DefinitionMatch]:
    chunk_ids = index.defining([name], scope, limit=LOOKED_AT)
    rows = index.chunk_rows(chunk_ids) if chunk_ids else {}
    asked = name.split(".")
    for chunk_id in chunk_ids:
        if chunk_id not in rows:
            continue
        row = rows[chunk_id]
        module = _module(row.path or "")
        closeness = max(
            (_closeness(asked, module, own.split(".")) for own in row.defines), default=0
        )
        if closeness:
            yield DefinitionMatch(chunk_id, row, name, closeness)


def _modules(index: CandidateIndex, name: str, scope: Scope) -> Iterator[DefinitionMatch]:
    """The beginnings of the files that a dotted name imports."""
    *folders, stem = name.split(".")
    if not folders or scope.paths or scope.globs:
        return
    place = "/".join(["*", *folders, stem])
    files = (f"{place}.*", *(f"{place}/{of_folder}.*" for of_folder in _STANDS_FOR_FOLDER))
    query = KeywordQuery(words=(stem, *(word.strip("_") for word in _STANDS_FOR_FOLDER)))
    inside = scope._replace(sources=("file",), globs=files)
    # Most names belong to no module: one pattern tells, in a quarter of the time of all of them.
    if not index.keyword_candidates(query, inside._replace(globs=(f"{place}[./]*",)), limit=1):
        return
    candidates = index.keyword_candidates(query, inside, limit=LOOKED_AT)
    rows = index.chunk_rows([candidate.chunk_id for candidate in candidates])
    first: dict[str, ChunkRow] = {}
    for row in rows.values():
        known = first.get(row.owner_id)
        if known is None or (row.start_char or 0) < (known.start_char or 0):
            first[row.owner_id] = row
    for row in first.values():
        yield DefinitionMatch(row.chunk_id, row, name, _CLOSEST)


def _module(path: str) -> list[str]:
    """The folders of a file and its name without the extension."""
    *folders, file = path.replace("\\", "/").split("/")
    stem = file.partition(".")[0] if not file.startswith(".") else file
    return [*folders, stem] if stem not in _STANDS_FOR_FOLDER else folders


def _closeness(asked: Sequence[str], module: Sequence[str], own: Sequence[str]) -> int:
    """The closeness of a definition, with its module, to the name asked for; 0: another name."""
    whole = [*module, *own]
    for fold, closeness in ((str, _CLOSEST), (str.casefold, _CLOSEST - 2)):
        wanted, has = list(map(fold, asked)), list(map(fold, whole))
        if has[-len(wanted) :] == wanted:
            return closeness
        if has[-1] == wanted[-1] and _in_order(wanted[:-1], has[:-1]):
            return closeness - 1
    return 0


def _in_order(parts: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(part in rest for part in parts)
