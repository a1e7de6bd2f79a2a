"""Index a judged collection as files and ask it, in this process, in a folder that is kept.

A second run finds everything indexed, and a model's vectors in the database's own cache.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.quality.beir import Judged
from benchmarks.quality.making import open_database, sync_all, write_files
from benchmarks.quality.measures import AT
from memory.index.document_store import documents_of
from memory.index.documents import embedded_text
from memory.index.embedding.active_model import embedder_of
from memory.retrieval.searching import default_options, search
from memory.storage import content_hash
from memory.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np

    from search.options import Mode

_DEPTH = 4 * AT
"""Hits per question: enough for ten documents however many chunks each has."""


class Indexed:
    """A collection in a database below `folder`, made by an ordinary sync. Close it when done."""

    def __init__(self, judged: Judged, folder: Path, *, provider: str) -> None:
        self._judged = judged
        files = folder / "docs"
        self._names = dict(write_files(judged, files))
        self._workspace = open_database(folder / "bench.db", provider=provider)
        sync_all(self._workspace, files.resolve())

    @property
    def workspace(self) -> Workspace:
        """The open database."""
        return self._workspace

    def owners(self) -> dict[str, str]:
        """The id of the file that each document became, by the document's id."""
        found = self._workspace.storage.database.read("SELECT path, id FROM files")
        return {self._names[Path(path).name]: file_id for path, file_id in found}

    @property
    def model(self) -> str:
        """The embedding model's name."""
        return embedder_of(self._workspace).card.model

    def files(self) -> list[str]:
        """The paths of all indexed files."""
        return sorted(documents_of(self._workspace).below(["/"]))

    def rankings(self, mode: "Mode") -> Iterator[list[str]]:
        """The documents found for each question, each once, with default settings."""
        defaults = default_options(self._workspace.config.search)
        options = replace(defaults, mode=mode, max_results=_DEPTH, min_score=0.0)
        for question in self._judged.questions:
            results = search(self._workspace, question.text, options).results
            found = (self._names[Path(hit.file_path or "").name] for hit in results)
            yield list(dict.fromkeys(found))

    def dense_rankings(self) -> Iterator[list[str]]:
        """The documents nearest to each question by the model alone: one vector a document."""
        import numpy as np

        matrix = self._whole_documents()
        for question in self._judged.questions:
            vector = embedder_of(self._workspace).query_vector(question.text)
            if vector is None:
                yield []
                continue
            cosines = matrix @ np.asarray(vector, dtype=np.float32)
            best = np.argsort(-cosines, kind="stable")[:AT]
            yield [self._judged.documents[place].id for place in best]

    def _whole_documents(self) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
        """A row for every document, embedded whole up to the model's limit; zero without text."""
        import numpy as np

        embedder = embedder_of(self._workspace)
        space = self._workspace.storage.active_space()
        if space is None:
            raise RuntimeError(f"{self._judged.name} has no vectors")
        texts = [embedded_text(one.title, one.text) for one in self._judged.documents]
        keys = [content_hash(text) for text in texts]
        known = embedder.document_vectors(
            space, dict(zip(keys, texts, strict=True)), cache_bytes=1 << 30
        )
        matrix = np.zeros((len(keys), space.dimensions), dtype=np.float32)
        for place, key in enumerate(keys):
            if (vector := known.vectors[key]) is not None:
                matrix[place] = np.frombuffer(vector.v, dtype="<f2")
        return matrix

    def close(self) -> None:
        """Close the database."""
        self._workspace.close()
