"""The results of a search, as the command line, HTTP and Python show them."""

from typing import TYPE_CHECKING, Any

from contracts.named_tuple import NamedTuple
from memory.values.fast_dataclass import Frozen, frozen

if TYPE_CHECKING:
    from memory.storage import Neighbours
    from search import Ranking


class Findings(NamedTuple):
    """The ranking of an answer and the neighbours of its hits, from which it can be built again."""

    ranking: "Ranking"
    neighbours: "dict[int, Neighbours]"


@frozen
class Freshness(Frozen):
    """The freshness of the index.

    `indexed_at` is the end of the last sync that finished, `pending` counts files seen and not yet
    indexed in their present state, `failed` those that could not be read, `skipped` those that hold
    nothing to index. An answer of a read replica names its number among those of the settings; it
    lacks the changes of the last `behind_s` seconds at most, `behind_changes` of chunks.
    """

    indexed_at: str | None = None
    pending: int = 0
    failed: int = 0
    skipped: int = 0
    replica: int | None = None
    behind_s: float = 0.0
    behind_changes: int = 0


@frozen
class Collection(Frozen):
    """A folder or file with a name, and the description that explains the hits in it."""

    name: str
    path: str
    about: str


@frozen
class Duplicate(Frozen):
    """A chunk that a hit represents too, since it says the same."""

    chunk_id: str
    source: str
    citation: str


@frozen
class PartOfResult(Frozen):
    """A record that is one result with a hit: the turn that a memory came from, or a memory of a
    turn.

    `chunk_id` and `text` are None for a turn that would have been no hit.
    """

    source: str
    citation: str
    chunk_id: str | None = None
    text: str | None = None


@frozen
class Superseded(Frozen):
    """A statement of a record that is over, while the rest of what a turn said may be true.

    `slot` is what the statement was about (`user/home`), None where many things can be true. `by`
    cites the memory or the fact that took its place, `now` is what that says, `date` the day when
    it was said; `memory_id` is None for a fact. If it was only taken back, `by` cites the turn that
    did so.
    """

    statement: str
    slot: str | None
    by: str
    date: str
    memory_id: int | None = None
    now: str | None = None


@frozen
class Neighbour(Frozen):
    """A chunk beside a hit in the same document or session; places as those of the hit.

    Chunks of running text share up to some hundred characters: where `end_char` of one is past
    `start_char` of the next, the text between them is in both. `speaker` is who said it, by name or
    else by role, if the hit is of a turn; each turn is a text of its own.
    """

    chunk_id: str
    citation: str
    text: str
    start_char: int | None
    end_char: int | None
    start_line: int | None
    end_line: int | None
    place: str | None = None
    speaker: str | None = None


@frozen
class SearchResult(Frozen):
    """One hit. `file_id` and `file_path` are None when it does not come from a file.

    `score` is in [0, 1] and gives the order. `confidence` says how likely the hit is an
    answer: `strong`, `fair` or `weak`. `start_char` and `end_char` count characters of the indexed
    text from 0, end excluded; lines count from 1, both ends included. `place` is the part
    that the hit is from, if the file has pages, slides, sheets or the like: `page 3`. `duplicates`
    are near-identical chunks that would have been hits before the end of the answer, best first.
    `before` and `after` are its neighbours in the order of the text, empty unless asked for. `also`
    are the records that are one result with it, best first. `superseded` are its statements that
    are over, `superseded_by` cites what took the place of the first of them. `collection` is the
    name of the innermost one that holds the file.
    """

    chunk_id: str
    source: str
    citation: str
    text: str
    heading: str
    score: float
    file_id: str | None
    file_path: str | None
    start_char: int | None
    end_char: int | None
    start_line: int | None
    end_line: int | None
    occurred_at: str
    metadata: dict[str, Any]
    place: str | None = None
    confidence: str = "fair"
    explanation: dict[str, Any] | None = None
    duplicates: tuple[Duplicate, ...] = ()
    before: tuple[Neighbour, ...] = ()
    after: tuple[Neighbour, ...] = ()
    also: tuple[PartOfResult, ...] = ()
    superseded: tuple[Superseded, ...] = ()
    superseded_by: str | None = None
    collection: str | None = None


@frozen
class SearchResponse(Frozen):
    """The answer to a query, best hit first, with its warnings and its freshness.

    `weak` is true when no hit seems to answer the query, or there is no hit; a warning has the
    reason. The hits are returned all the same. `cached` is true when this process has answered the
    same before and nothing has changed since; time and freshness are of this answer. `database`
    names the database where it is another than the user's own. `collections` are those of the hits.
    """

    results: list[SearchResult]
    query: str
    total_results: int
    search_time_ms: float
    mode_used: str
    warnings: list[str]
    freshness: Freshness
    weak: bool = False
    cached: bool = False
    database: str | None = None
    collections: tuple[Collection, ...] = ()


MemorySearchResponse = SearchResponse
"""The same under the name in the first design."""
