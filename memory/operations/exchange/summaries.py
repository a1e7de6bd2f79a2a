"""Near-identical summaries of conversations, stored as one text that names all of them."""

from dataclasses import dataclass, field
from typing import Any, Final

from ingest.histories.values import Summary
from memory.files.ingestion import ingest_text
from memory.index.document_store import documents_of
from memory.index.documents import Document
from memory.workspace import Workspace
from search.ranking.repetition import Fingerprint, Fingerprinter

TAG: Final = "summary"
_AT_ONCE: Final = 500


@dataclass(slots=True)
class _Kept:
    """A summary with the ids of all equal ones, and its row when it is stored already."""

    text: str
    fingerprint: Fingerprint
    ids: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    ts: str | None = None
    document: Document | None = None
    is_told: bool = False


class Summaries:
    """The summaries of one import; near-identical ones are merged, as in hits of a search."""

    def __init__(self) -> None:
        self._fingerprinter = Fingerprinter(())
        self._kept: dict[tuple[str, ...], list[_Kept]] = {}
        self._told: list[Summary] = []
        self.folded = 0
        """The number of summaries that said the same as another."""

    def __len__(self) -> int:
        """Return the number of texts made of the summaries."""
        return sum(kept.is_told for kept in self._all())

    def add(self, summary: Summary) -> None:
        self._told.append(summary)

    def compare_with(self, workspace: Workspace) -> None:
        """Load the summaries that are stored already."""
        if not self._told:
            return
        after = ""
        documents = documents_of(workspace)
        while page := documents.page(source="text", path=None, after=after, limit=_AT_ONCE):
            after = page[-1].path
            for document in page:
                if TAG in document.tags:
                    kept = self._of(documents.text(document))
                    kept.document = kept.document or document
                    kept.ids = _listed(document.metadata or {}, "summary_of")
                    kept.sessions = _listed(document.metadata or {}, "sessions")

    def fold(self) -> None:
        """Merge the import's summaries with equal ones."""
        for summary in self._told:
            kept = self._of(summary.text)
            self.folded += kept.is_told
            kept.is_told = True
            kept.ts = kept.ts or summary.ts
            kept.ids = list(dict.fromkeys((*kept.ids, summary.id)))
            kept.sessions = list(dict.fromkeys((*kept.sessions, summary.session_id)))

    def store(self, workspace: Workspace, *, form: str) -> None:
        """Index each of the import's summaries as a text with its metadata."""
        for kept in self._all():
            if kept.is_told:
                written = {"timestamp": kept.ts} if kept.ts else {}
                known = dict(kept.document.metadata or {}) if kept.document else {}
                about = {"summary_of": kept.ids, "sessions": kept.sessions}
                metadata = {"format": form, **written, **known, **about}
                if metadata != known:
                    ingest_text(workspace, kept.text, metadata=metadata, tags=(TAG,))

    def _all(self) -> list[_Kept]:
        return [kept for group in self._kept.values() for kept in group]

    def _of(self, text: str) -> _Kept:
        """Return the entry that says the same, or a new one."""
        fingerprint = self._fingerprinter(text)
        group = self._kept.setdefault(fingerprint.fixed, [])
        for kept in group:
            if kept.fingerprint.resembles(fingerprint):
                return kept
        group.append(_Kept(text, fingerprint))
        return group[-1]


def _listed(metadata: Any, name: str) -> list[str]:
    value = metadata.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
