"""Indexes a judged collection as files and asks it, in this process, in a folder that is kept.

The files are those that anyone would write of the documents: the title as a heading, the text below
it. A second run finds everything indexed, and a model's vectors in the database's own cache.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.quality.beir import Judged
from benchmarks.quality.measures import AT
from memory.config_file import load_config
from memory.documents import embedded_text
from memory.ingestion import drop_root, list_roots, sync_files
from memory.searching import default_options, search
from memory.storage import content_hash
from memory.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np

    from search.options import Mode

_FILES_A_FOLDER = 1000
_DEPTH = 4 * AT
"""Hits that are asked for, so that ten documents are among them however many chunks each has."""


class Indexed:
    """A collection in a database below `folder`, made by an ordinary sync. Close it when done."""

    def __init__(self, judged: Judged, folder: Path, *, provider: str) -> None:
        self._judged = judged
        files = folder / "docs"
        self._names = dict(_write(judged, files))
        config = folder / "config.json"
        config.write_text(json.dumps({"memory": {"embeddings": {"provider": provider}}}), "utf-8")
        self._workspace = Workspace(load_config(config, environ={}, database=folder / "bench.db"))
        self._sync(files.resolve())

    def _sync(self, files: Path) -> None:
        """Raises RuntimeError when not everything could be indexed.

        A database copied from elsewhere brings its vectors, and files that are no longer wanted.
        """
        stats = sync_files(self._workspace, [files])
        if stats.failed or stats.skipped or stats.warnings:
            raise RuntimeError(f"not everything was indexed: {stats.errors[:3]} {stats.warnings}")
        for root in list_roots(self._workspace):
            if Path(root.path) != files:
                drop_root(self._workspace, root.path, with_files=True)

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
        return self._workspace.embedder.card.model

    def files(self) -> list[str]:
        """The paths of all that can be found."""
        return sorted(self._workspace.documents.below(["/"]))

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
            vector = self._workspace.embedder.query_vector(question.text)
            if vector is None:
                yield []
                continue
            cosines = matrix @ np.asarray(vector, dtype=np.float32)
            best = np.argsort(-cosines, kind="stable")[:AT]
            yield [self._judged.documents[place].id for place in best]

    def _whole_documents(self) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
        """A row for every document, embedded whole as far as the model reads; zero without text."""
        import numpy as np

        embedder = self._workspace.embedder
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


def _write(judged: Judged, folder: Path) -> Iterator[tuple[str, str]]:
    """Write what is not there yet; the id of each document by the name of its file."""
    for number, document in enumerate(judged.documents):
        path = folder / f"{number // _FILES_A_FOLDER:03d}" / f"{number:07d}.md"
        text = (f"# {document.title}\n\n" if document.title else "") + document.text + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield path.name, document.id
