"""Ask every question of a collection in one variant of the search after another."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.ablation.variants import Remembering, Variant
from benchmarks.quality.beir import Judged
from benchmarks.quality.making import open_database, sync_all, write_files
from benchmarks.quality.measures import AT, score
from contracts import CandidateIndex, KeywordFields
from contracts.values import QueryVector
from memory.index.embedding.active_model import embedder_of
from memory.retrieval.query_embedding import query_vector_info
from memory.retrieval.searching import default_options
from memory.retrieval.server_caches import candidates_of
from memory.workspace import Workspace
from search import HybridSearch, QueryAnalysis, analyse, keyword_fields

_DEPTH = 4 * AT
"""Hits per question: enough for ten documents even if a document has several."""


class Subject:
    """A collection, indexed below `folder` by an ordinary sync of files, in one or more ways."""

    def __init__(self, judged: Judged, folder: Path, *, provider: str) -> None:
        self._judged = judged
        self._folder = folder
        self._provider = provider
        self.model = ""
        self._default: Workspace | None = None
        self._index: CandidateIndex | None = None
        self._vectors: dict[str, QueryVector | None] = {}
        self._files = (folder / "docs").resolve()
        self._names = dict(write_files(judged, self._files))

    def gains(self, variant: Variant) -> list[float]:
        """nDCG@10 of each question."""
        if variant.fields is None and variant.chunk_size is None:
            self._default = self._default or self._synced(self._folder / "default.db")
            self._index = self._index or Remembering(candidates_of(self._default))
            return self._judge(variant, self._default, self._index)
        self.close()
        with self._indexed(variant) as workspace:
            return self._judge(variant, workspace, candidates_of(workspace))

    def close(self) -> None:
        """Close the database, which leaves everything in the one file."""
        if self._default is not None:
            self._default.close()
        self._default = self._index = None

    def _judge(self, variant: Variant, workspace: Workspace, index: CandidateIndex) -> list[float]:
        rankings = self._rankings(variant, workspace, index)
        asked = zip(self._judged.questions, rankings, strict=True)
        return [score(ranked, question.relevant).ndcg for question, ranked in asked]

    def _rankings(
        self, variant: Variant, workspace: Workspace, index: CandidateIndex
    ) -> Iterator[list[str]]:
        defaults = default_options(workspace.config.search)
        options = replace(defaults, max_results=_DEPTH, min_score=0.0, **variant.options)
        searched = HybridSearch(variant.index(index) if variant.index else index)
        embedder = embedder_of(workspace)
        self.model = embedder.card.model
        for question in self._judged.questions:
            analysis = analyse(question.text)
            ranking = searched.search(
                variant.analysis(analysis) if variant.analysis else analysis,
                options,
                query_vector_info(embedder, self._vector(workspace, analysis)),
            )
            names = (self._names[Path(hit.row.path or "").name] for hit in ranking.hits)
            yield list(dict.fromkeys(names))

    def _vector(self, workspace: Workspace, analysis: QueryAnalysis) -> QueryVector | None:
        """The query's vector, computed once for all variants: a model takes its time."""
        if analysis.plain not in self._vectors:
            vector = embedder_of(workspace).query_vector(analysis.plain) if analysis else None
            self._vectors[analysis.plain] = vector
        return self._vectors[analysis.plain]

    def _indexed(self, variant: Variant) -> Workspace:
        """The database that a variant needs, copied if the vectors stay the same."""
        if variant.chunk_size is not None:
            path = self._folder / f"chunks-{variant.chunk_size}.db"
            return self._synced(path, chunk_size=variant.chunk_size)
        default, path = self._folder / "default.db", self._folder / "fields.db"
        if not default.exists():
            self._synced(default).close()
        shutil.copyfile(default, path)
        workspace = open_database(path, provider=self._provider)
        if variant.fields is not None:
            _rewrite(workspace, variant.fields)
        return workspace

    def _synced(self, path: Path, *, chunk_size: int | None = None) -> Workspace:
        size = {} if chunk_size is None else {"chunking": {"chunk_size_chars": chunk_size}}
        workspace = open_database(path, provider=self._provider, settings=size)
        sync_all(workspace, self._files)
        return workspace


def _rewrite(workspace: Workspace, fields: Callable[[KeywordFields], KeywordFields]) -> None:
    """Rewrite the keyword entries of all chunks, each as given by `fields`."""
    storage = workspace.storage
    ids = [int(str(row[0])) for row in storage.database.read("SELECT id FROM chunks")]
    rows = storage.chunk_rows(ids)
    entries = {
        chunk_id: fields(
            keyword_fields(
                row.text[row.body_offset :], title=row.heading, name=Path(row.path or "").name
            )
        )
        for chunk_id, row in rows.items()
    }
    with storage.database.transaction() as tx:
        storage.rewrite_keywords(tx, entries)
