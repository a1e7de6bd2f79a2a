"""The stored documents: finding, listing and counting them, and their reassembled text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memory.index.documents import Document
from memory.storage import Storage
from memory.storage.values import Parameters, read_list, read_object

if TYPE_CHECKING:
    from ingest import LoadedText

COLUMNS = (
    *("id", "source", "path", "hash", "size", "mtime_ns", "state", "reason"),
    *("generation", "tail", "tags", "metadata", "created_at", "updated_at", "loader"),
)
SELECT_SQL = f"SELECT {', '.join(COLUMNS)} FROM files"
_AT_PATHS_SQL = f"{SELECT_SQL} WHERE source = 'file' AND path IN (:paths)"
_BELOW_SQL = f"""{SELECT_SQL}
WHERE source = 'file' AND (path = :place OR path > :after AND path < :end)"""
# One statement, so that the chunks and the tail are of one moment.
_PARTS_SQL = """
SELECT c.text, c.gap, c.start_char, c.end_char, c.ordinal AS part
FROM files AS f JOIN chunks AS c
    ON c.owner_id = f.id AND c.source = f.source AND c.generation = f.generation
WHERE f.id = :id
UNION ALL SELECT '', f.tail, 0, 0, 4611686018427387904 FROM files AS f WHERE f.id = :id
ORDER BY part
"""
_LOADERS_SQL = "SELECT min(path) FROM files WHERE loader <> '' GROUP BY loader"

READ_AT_ONCE = 500
"""Rows that are read together by readers of all rows."""


class DocumentQueries:
    """Reads the documents of a database; `DocumentStore` also writes them."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._database = storage.database

    def get(self, document_id: str) -> Document | None:
        return self._first("WHERE id = :key", {"key": document_id})

    def at_path(self, path: str) -> Document | None:
        return self._first("WHERE path = :key", {"key": path})

    def _first(self, condition: str, parameters: Mapping[str, Any]) -> Document | None:
        return next(iter(self._read(f"{SELECT_SQL} {condition}", parameters)), None)

    def _read(self, sql: str, parameters: Parameters | None = None) -> list[Document]:
        return [document_of(row) for row in self._database.read(sql, parameters)]

    def below(self, paths: Iterable[str]) -> dict[str, Document]:
        """Return the files at or below these paths, by path."""
        found: dict[str, Document] = {}
        with self._database.snapshot():
            for place in (path.rstrip("/") for path in paths):
                after, end = _within(place)
                values = {"place": place, "after": after, "end": end}
                found |= _by_path(self._read(_BELOW_SQL, values))
        return found

    def at_paths(self, paths: Iterable[str]) -> dict[str, Document]:
        """Return the files at exactly these paths, by path."""
        return _by_path(self._read(_AT_PATHS_SQL, {"paths": list(paths)}))

    def paths_beginning_with(self, prefix: str, *, limit: int) -> list[str]:
        """Return the first paths of files that begin with these characters, in order."""
        sql = """SELECT path FROM files WHERE path >= :prefix AND path < :end AND source = 'file'
            ORDER BY path LIMIT :limit"""
        values = {"prefix": prefix, "end": f"{prefix}\U0010ffff", "limit": limit}
        return [row[0] for row in self._database.read(sql, values)]

    def with_content(self, content: str) -> list[Document]:
        """Return the files with this hash."""
        sql = f"{SELECT_SQL} WHERE hash = :hash AND source = 'file' ORDER BY path"
        return self._read(sql, {"hash": content})

    def all_below(self, paths: Iterable[str]) -> Iterator[Document]:
        """Yield the files as `below` does, in the order of their paths and never all in memory.

        The yielded ones may be removed before the next is asked for.
        """
        sql = f"{SELECT_SQL} WHERE path > :after AND path < :end ORDER BY path LIMIT :limit"
        for place in paths:
            yield from self.at_paths([place]).values()
            after, end = _within(place)
            while True:
                values = {"after": after, "end": end, "limit": READ_AT_ONCE}
                page = self._read(sql, values)
                yield from page
                if len(page) < READ_AT_ONCE:
                    break
                after = page[-1].path

    def count_below(self, paths: Iterable[str]) -> int:
        """Count the files at or below these paths, none of which is inside another."""
        sql = """SELECT count(*) FROM files
            WHERE path = :place OR path > :after AND path < :end"""
        number = 0
        for place in paths:
            after, end = _within(place)
            values = {"place": place, "after": after, "end": end}
            number += int(self._database.read(sql, values)[0][0])
        return number

    def page(
        self,
        *,
        source: str | None,
        path: str | None,
        after: str,
        limit: int,
        only_problems: bool = False,
        tags: Sequence[str] = (),
    ) -> list[Document]:
        """Return up to `limit` documents in the order of their paths, from the first path past
        `after`; only those that have all of `tags`.
        """
        tagged = " AND ".join(f"list_holds(tags, :tag{number})" for number in range(len(tags)))
        sql = f"""{SELECT_SQL} WHERE path > :after
            AND (:source IS NULL OR source = :source)
            AND (NOT :only_problems OR state IN ('failed', 'skipped'))
            AND (:path IS NULL OR path = :path
                OR substr(path, 1, length(rtrim(:path, '/')) + 1) = rtrim(:path, '/') || '/')
            AND {tagged or "1 = 1"}
            ORDER BY path LIMIT :limit"""
        values = {"after": after, "source": source, "path": path, "limit": limit}
        values |= {f"tag{number}": tag for number, tag in enumerate(tags)}
        return self._read(sql, {**values, "only_problems": only_problems})

    def all_of(self, source: str | None = None) -> Iterator[Document]:
        """Yield every document of a source, or of all, by path and never all in memory."""
        after = ""
        while page := self.page(source=source, path=None, after=after, limit=READ_AT_ONCE):
            yield from page
            after = page[-1].path

    def extent(self, *, after: str) -> tuple[int, int]:
        """Return the number of documents with a path past `after`, and their bytes."""
        sql = "SELECT count(*), coalesce(sum(size), 0) FROM files WHERE path > :after"
        ((number, n_bytes),) = self._database.read(sql, {"after": after})
        return int(number), int(n_bytes)

    def problems(self, *, limit: int) -> list[Document]:
        """Return documents that failed or were skipped, in the order of their paths."""
        sql = f"{SELECT_SQL} WHERE state IN ('failed', 'skipped') ORDER BY path LIMIT :limit"
        return self._read(sql, {"limit": limit})

    def path_by_loader(self) -> list[str]:
        """Return one file for each loader that has read any."""
        return [row[0] for row in self._database.read(_LOADERS_SQL)]

    def unserved_texts(self) -> list[Document]:
        """Return ingested texts chunked by settings for which there is no space."""
        sql = f"""{SELECT_SQL} WHERE source = 'text'
            AND generation NOT IN (SELECT generation FROM spaces) ORDER BY path"""
        return self._read(sql)

    def counts(self) -> dict[str, int]:
        """Count the files in each state, without ingested texts."""
        sql = "SELECT state, count(*) FROM files WHERE source = 'file' GROUP BY state"
        return dict(self._database.read(sql))

    def chunk_uids(self, documents: Iterable[Document]) -> dict[str, set[str]]:
        """Return the uids of the chunks that these documents have in their generations, by the id
        of the document.
        """
        sql = """SELECT owner_id, generation, uid FROM chunks
            WHERE owner_id IN (:ids) AND source IN ('file', 'text')"""
        wanted = {document.id: document.generation for document in documents}
        found: dict[str, set[str]] = {}
        for owner_id, generation, uid in self._database.read(sql, {"ids": list(wanted)}):
            if generation == wanted[owner_id]:
                found.setdefault(owner_id, set()).add(uid)
        return found

    def chunk_counts(self, document_ids: Iterable[str]) -> dict[str, int]:
        """Count the chunks of each of these documents that can answer."""
        sql = """SELECT f.id, count(*) FROM files AS f JOIN chunks AS c
            ON c.owner_id = f.id AND c.source = f.source AND c.generation = f.generation
            WHERE f.id IN (:ids) GROUP BY f.id"""
        return dict(self._database.read(sql, {"ids": list(document_ids)}))

    def text(self, document: Document) -> str:
        """Return the indexed text, character by character as it was read."""
        whole: list[str] = []
        end = 0
        for text, gap, start, stop, _ in self._database.read(_PARTS_SQL, {"id": document.id}):
            whole += (gap, text[max(0, end - start) :])
            end = max(end, stop)
        return "".join(whole)

    def layout(self, document: Document) -> str:
        """Return the layout of the indexed text, as `ingest.layout_of` wrote it."""
        sql = "SELECT layout FROM files WHERE id = :id"
        return "".join(row[0] for row in self._database.read(sql, {"id": document.id}))

    def loaded(self, document: Document) -> "LoadedText":
        """Return the indexed text as its loader gave it."""
        from ingest import reloaded

        return reloaded(self.text(document), document.path, self.layout(document))


def _by_path(documents: Iterable[Document]) -> dict[str, Document]:
    return {document.path: document for document in documents}


def _within(place: str) -> tuple[str, str]:
    """Return bounds around all paths below a place, both excluded: "0" follows "/"."""
    folder = place.rstrip("/")
    return f"{folder}/", f"{folder}0"


def document_of(row: Sequence[Any]) -> Document:
    """Return the document of a row that `SELECT_SQL` gives."""
    values = dict(zip(COLUMNS, row, strict=True))
    # Most rows have neither, and a sync reads the rows of all files.
    values["tags"] = () if values["tags"] == "[]" else read_list(values["tags"])
    values["metadata"] = {} if values["metadata"] == "{}" else read_object(values["metadata"])
    return Document(**values)
