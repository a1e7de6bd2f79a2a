"""Reserved ranks for chunks with an identifier of the query.

Thresholds and fusion arithmetic lose exact matches in other hybrid searches; here up to three of
them rank first, whatever their scores. An identifier without a match is looked for in other
spellings, and then as a one-edit typo of other names.
"""

import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from itertools import chain, islice, zip_longest

from contracts.named_tuple import NamedTuple
from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow, KeywordQuery, Scope
from search.analysis.query import QueryAnalysis, phrase_of, split_words
from search.identifiers.definitions import find_definitions, named_definitions
from search.identifiers.detection import is_distinctive, is_hash
from search.identifiers.matching import Level, match_level, similar_name
from search.identifiers.variants import (
    compact_form,
    digits_of,
    file_name,
    joints_of,
    one_edit_variants,
    split_identifier,
)

RESERVED = 3
"""The most hits ranked first because of an identifier."""

MOST_IDENTIFIERS = 4
"""The most identifiers of a query that are looked for."""

CANDIDATES = 1000
"""The most chunks that may hold an identifier."""

CHECKED = 50
"""The number of those compared at once. The next follow only if none matches exactly: others that
differ in case or an ending alone may have displaced it.
"""

COMMON_SHARE, COMMON_COUNT = 0.01, 20
"""An identifier among other words that exceeds both this share and this number of chunks reserves
no rank: the other words must choose among those chunks.
"""

FEWEST_SLIPPED, FEWEST_SLIPPED_AMID = 4, 5
"""The fewest letters and digits of a name that is checked for typos, alone and among other words;
shorter ones are too easily another name.
"""

LONGEST_SLIPPED = 80
"""The most letters and digits of such a name (a SHA-256 has 64): looking for all typos of a longer
one takes longer than everything else.
"""

_DEFINITION = (
    r"\b(?:class|def|enum|fn|func|function|interface|macro_rules!|mod|module|namespace|proc|struct|"
    r"sub|trait|type|typedef|union)\s+(?:\([^()]*\)\s*)?{name}(?!\w)|^\s*{name}\s*[:=]"
)


NO_DEFINITION = 1_000_000


class Match(NamedTuple):
    """A chunk's match with the query's identifiers: the best level, and the number at it.

    `own` counts those that its own text or path holds: the rest of a long definition has the name
    only in its heading. `identifier` is the first of them, or for SIMILAR the name found instead;
    `turn` then ranks the best chunk of each such name before its next best. `defines` is true of a
    text that defines the identifier; `definition` is the place among the definitions that the query
    names, 0 for the first, or NO_DEFINITION.
    """

    level: Level
    times: int
    own: int
    identifier: str
    turn: int = 0
    defines: bool = False
    definition: int = NO_DEFINITION

    @property
    def how(self) -> str:
        """The kind of match, as an explanation names it."""
        return self.level.name.lower() if self.definition == NO_DEFINITION else "definition"


class IdentifierMatches(NamedTuple):
    """The chunks with identifiers, and the names found for identifiers without a match.

    `narrowed`: they may occur where a scope, a phrase or an excluded word prevented the search; a
    kind of records that is left out does not count, as its records repeat others.
    """

    matches: Mapping[int, Match]
    similar: Mapping[str, tuple[str, ...]]
    narrowed: bool = False

    def ranked(self, scores: Mapping[int, float], lowered: Container[int] = ()) -> dict[int, Match]:
        """Best first: definitions that the query names, then by level, turn, files that are not
        lowered, count, own count, definition, score, and id.
        """

        def rank(chunk_id: int) -> tuple[float, ...]:
            level, times, own, _, turn, defines, definition = self.matches[chunk_id]
            score = scores.get(chunk_id, 0.0)
            is_lowered = chunk_id in lowered
            return definition, -level, turn, is_lowered, -times, -own, -defines, -score, chunk_id

        return {chunk_id: self.matches[chunk_id] for chunk_id in sorted(self.matches, key=rank)}

    @property
    def has_definition(self) -> bool:
        """Return whether a definition was found that the query names."""
        return any(match.definition != NO_DEFINITION for match in self.matches.values())

    def misspelt(self) -> tuple[str, ...]:
        """The names that may be typos of those found for them; a different number is a different
        thing.
        """
        return tuple(
            identifier
            for identifier, names in self.similar.items()
            if digits_of(identifier) in map(digits_of, names)
        )

    def warnings(self) -> Iterator[str]:
        """Messages about names that were looked for in place of others."""
        nothing = "nothing within these limits" if self.narrowed else "nothing"
        for identifier, names in self.similar.items():
            instead = " and ".join(map(repr, names))
            verb = "was" if len(names) == 1 else "were"
            yield f"{nothing} has {identifier!r}; {instead} {verb} looked for instead"


NO_IDENTIFIER_MATCHES = IdentifierMatches({}, {})


def find_identifier_matches(
    index: CandidateIndex,
    analysis: QueryAnalysis,
    scope: Scope,
    *,
    found: Collection[int],
    n_chunks: int,
    weight: Callable[[str | None], float] = lambda _: 1.0,
) -> IdentifierMatches:
    """Look for the query's identifiers within a scope of an index with this many chunks.

    `found` are the chunks of the keyword leg, best first: they are compared first, since they also
    hold the query's other words. `weight` is that of a file, by its path.
    """
    asked, is_alone = identifier_words(analysis)
    definitions = _definitions(index, analysis, scope, weight)
    if not asked:
        return IdentifierMatches(definitions, {}) if definitions else NO_IDENTIFIER_MATCHES
    search = _IdentifierSearch(index, analysis.keyword, scope, found)
    most = CANDIDATES if is_alone else max(COMMON_COUNT, int(COMMON_SHARE * n_chunks))
    frequencies = index.document_frequencies(asked.values(), most=most + 1)
    binds = bool(analysis.keyword.required or analysis.keyword.excluded)
    matches: dict[int, Match] = {}
    similar: dict[str, tuple[str, ...]] = {}
    for identifier, word in asked.items():
        if frequencies.get(word, 0) > most:
            continue
        holding = search.holding(identifier, word, defining=is_alone)
        if not holding and not definitions:
            fewest = FEWEST_SLIPPED if is_alone else FEWEST_SLIPPED_AMID
            # In a question, a name that the index holds outside the scope is not mistyped.
            is_known = not (is_alone or binds) and frequencies.get(word, 0) > 0
            may_slip = not is_known and fewest <= len(word) <= LONGEST_SLIPPED
            holding = search.similar(identifier, word, numbers=is_alone) if may_slip else {}
            names = tuple(dict.fromkeys(match.identifier for match in holding.values()))
            similar |= {identifier: names} if names else {}
        for chunk_id, match in holding.items():
            matches[chunk_id] = _better(matches.get(chunk_id), match)
    narrowed = binds or not scope.is_open
    return IdentifierMatches(matches | definitions, similar, narrowed=narrowed)


def identifier_words(analysis: QueryAnalysis) -> tuple[dict[str, str], bool]:
    """The identifiers that may reserve ranks, each as one word of the index; and whether these are
    all.

    Among other words only distinctive ones: reserving ranks for `p53` in a long claim about it
    costs SciFact .013 nDCG@10, since every text of the field holds it.
    """
    names = analysis.identifiers
    own = {word.lower() for name in names for word in split_words(name)}
    others = [word for word in analysis.words if word.lower() not in own]
    if len(others) > 1:
        names = tuple(filter(is_distinctive, names))
    return {name: compact_form(name) for name in names[:MOST_IDENTIFIERS]}, not others


def _definitions(
    index: CandidateIndex,
    analysis: QueryAnalysis,
    scope: Scope,
    weight: Callable[[str | None], float],
) -> dict[int, Match]:
    """The definitions that a query names; none if phrases or excluded words choose."""
    named = named_definitions(analysis)
    if not named.names or analysis.keyword.required or analysis.keyword.excluded:
        return {}
    found = find_definitions(index, named, scope, weight)[:CHECKED]
    return {
        item.chunk_id: Match(Level.EXACT, 1, 1, item.name, defines=True, definition=place)
        for place, item in enumerate(found)
    }


class _IdentifierSearch:
    """Looks for one identifier after the other in one scope of an index."""

    def __init__(
        self,
        index: CandidateIndex,
        query: KeywordQuery,
        scope: Scope,
        found: Collection[int],
    ) -> None:
        self._index = index
        self._query = query
        self._scope = scope
        self._ranks = {chunk_id: rank for rank, chunk_id in enumerate(found)}

    def holding(self, identifier: str, word: str, *, defining: bool) -> dict[int, Match]:
        """The chunks that hold an identifier at the best level found.

        A difference in case alone counts along with the exact name; any other difference only if
        the whole name has no match.
        """
        matches: dict[int, Match] = {}
        for rows in self._rows(_lane_query(identifier, word, self._query)):
            matches |= {
                chunk_id: match
                for chunk_id, row in rows.items()
                if (match := _match(identifier, row, defining=defining)).level
            }
            best = max((match.level for match in matches.values()), default=Level.NONE)
            if best == Level.EXACT:
                break
        floor = min(best, Level.CASELESS) if matches else Level.NONE
        return {chunk_id: match for chunk_id, match in matches.items() if match.level >= floor}

    def similar(self, identifier: str, word: str, *, numbers: bool) -> dict[int, Match]:
        """Chunks with names one edit away, the likeliest names first, in turn.

        A digit is hardly ever a typo: names with other digits count only with `numbers`.
        """
        frequencies = self._index.document_frequencies(dict.fromkeys(one_edit_variants(word)))
        standing = [
            name
            for name, count in frequencies.items()
            if count and (numbers or digits_of(name) == digits_of(word))
        ]
        standing.sort(key=lambda name: _unlikeliness(word, name, frequencies[name]))
        finds = [self._similar(identifier, name) for name in standing[: 2 * RESERVED]]
        matches: dict[int, Match] = {}
        for turn, of_each in enumerate(zip_longest(*finds)):
            for chunk_id, match in filter(None, of_each):
                matches.setdefault(chunk_id, match._replace(turn=turn))
        return dict(islice(matches.items(), RESERVED))

    def _similar(self, identifier: str, name: str) -> list[tuple[int, Match]]:
        """The first chunks that hold `name`, one word of the index: those with it in their own text
        before those below a heading with it, then those that join it as the identifier does.
        """
        query = KeywordQuery((name,), required=self._query.required, excluded=self._query.excluded)
        found = []
        for chunk_id, row in chain.from_iterable(map(dict.items, islice(self._rows(query), 1))):
            own = similar_name(identifier, f"{row.text}\n{row.path or ''}")
            spelled = own or similar_name(identifier, row.heading)
            if spelled:
                found.append((chunk_id, Match(Level.SIMILAR, 1, int(bool(own)), spelled)))
        joints = joints_of(identifier)
        found.sort(key=lambda item: (-item[1].own, joints_of(item[1].identifier) != joints))
        return found[:RESERVED]

    def _rows(self, query: KeywordQuery) -> Iterator[dict[int, ChunkRow]]:
        """The candidates in batches, those of the keyword leg first, in its order."""
        candidates = self._index.keyword_candidates(query, self._scope, limit=CANDIDATES)
        ids = [candidate.chunk_id for candidate in candidates]
        ids.sort(key=lambda chunk_id: self._ranks.get(chunk_id, len(self._ranks)))
        for start in range(0, len(ids), CHECKED):
            part = ids[start : start + CHECKED]
            rows = self._index.chunk_rows(part)
            yield {chunk_id: rows[chunk_id] for chunk_id in part if chunk_id in rows}


def _lane_query(identifier: str, word: str, query: KeywordQuery) -> KeywordQuery:
    spellings = dict.fromkeys([phrase_of(identifier), split_identifier(identifier)])
    return KeywordQuery(
        words=tuple(dict.fromkeys(filter(None, (word, compact_form(file_name(identifier)))))),
        prefixes=(identifier,) if is_hash(identifier) else (),
        phrases=tuple(filter(None, spellings)),
        required=query.required,
        excluded=query.excluded,
    )


def _match(identifier: str, row: ChunkRow, *, defining: bool) -> Match:
    level = match_level(identifier, row.text)
    if level < Level.EXACT and row.path:
        level = max(level, match_level(identifier, row.path))
    above = match_level(identifier, row.heading) if level < Level.EXACT else Level.NONE
    defines = defining and level == Level.EXACT and _defines(identifier, row.text)
    return Match(max(level, above), 1, int(level >= above), identifier, defines=defines)


def _defines(identifier: str, text: str) -> bool:
    pattern = _DEFINITION.format(name=re.escape(identifier))
    return re.search(pattern, text, re.MULTILINE) is not None


def _unlikeliness(word: str, name: str, count: int) -> tuple[bool, bool, int, str]:
    """A sort key: numbers and first letters are seldom mistyped; frequent names are likelier."""
    return digits_of(word) != digits_of(name), word[:1] != name[:1], -count, name


def _better(known: Match | None, match: Match) -> Match:
    if known is None or match.level > known.level:
        return match
    if match.level == known.level:
        defines = known.defines or match.defines
        times, own = known.times + 1, known.own + match.own
        return known._replace(times=times, own=own, defines=defines)
    return known
