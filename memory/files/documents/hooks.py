"""The hooks of files and ingested texts: reading, listing, editing, removal from the index."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ingest.pii import PII, SECRET
from memory.files.documents.reading import content, document_records, documents_page, existing
from memory.files.ingestion import index_text, written_at_ns
from memory.index.document_store import documents_of
from memory.index.documents import Document
from memory.index.record_hooks import RecordHooks
from memory.storage import Transaction
from memory.storage.action_log import require_own, still_marked
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.citations import cite_path, cite_text
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.reports import FileContent, Record, RecordPage
from memory.values.text_checks import caseless
from memory.values.user_folders import working_folder


class DocumentRecords(RecordHooks):
    """The hooks of files and of texts."""

    table = "files"
    columns = (
        TextColumns(
            "files",
            texts="path, metadata, tags, reason, loader, layout",
            codes="id, source, hash, mtime, state, generation, tail, created_at, updated_at",
        ),
        TextColumns("cuts", codes="owner_id, generation, tail"),
        TextColumns("note_names", texts="name, words", codes="file_id"),
        TextColumns("note_links", texts="name, target, words", codes="file_id"),
        TextColumns("stale_note_names", texts="name"),
    )

    def show(self, record_id: str) -> FileContent:
        return content(self.workspace, existing(self.workspace, record_id), None)

    def page(self, *, limit: int, cursor: str | None) -> RecordPage:
        return documents_page(self.workspace, source=self.kind.name, limit=limit, cursor=cursor)

    def get(self, record_id: str) -> Record:
        return document_records(self.workspace, [existing(self.workspace, record_id)])[0]

    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        """Replace metadata or tags; a text's title and timestamp count as when it is ingested.

        Raises ForbiddenError where an agent would label a text of others, or take `secret` or `pii`
        from a file.
        """
        workspace = self.workspace
        document = existing(workspace, record_id)
        new_metadata = None
        if metadata is not None:
            new_metadata = still_marked(checked_metadata(metadata), document.metadata or {})
        new_tags = None if tags is None else checked_tags(tags)
        shown = new_tags is not None and {PII, SECRET} & {*document.tags} - {*new_tags}
        if shown or self.kind.name == "text":
            require_own(f"{self.kind.name} {document.id}", document.metadata or {})
        dated = document
        if new_metadata is not None and document.file_path is None:
            written_ns = written_at_ns(new_metadata, document)
            dated = replace(document, metadata=new_metadata, mtime_ns=written_ns)
        retitled = dated.title != document.title
        if retitled:
            index_text(workspace, dated, documents_of(workspace).text(document), is_known=True)
        with workspace.storage.database.transaction() as tx:
            existing(workspace, record_id)
            if not retitled and dated.mtime_ns != document.mtime_ns:
                documents_of(workspace).touch(tx, dated)
            documents_of(workspace).describe(tx, document, metadata=new_metadata, tags=new_tags)

    def known(self, ids: Collection[str]) -> list[str]:
        sql = "SELECT id FROM files WHERE id IN (:ids) AND source = :source ORDER BY id"
        values = {"ids": list(ids), "source": self.kind.name}
        return [row[0] for row in self.database.read(sql, values)]

    def cited(self, ids: Collection[str]) -> dict[str, str]:
        if self.kind.name == "text":
            return {key: cite_text(key) for key in self.known(ids)}
        sql = "SELECT id, path FROM files WHERE id IN (:ids) AND source = 'file' ORDER BY path"
        rows = self.database.read(sql, {"ids": list(ids)})
        return {key: cite_path(path, cwd=working_folder()) for key, path in rows}

    def holding(self, wanted: str) -> list[str]:
        documents = documents_of(self.workspace)
        return [
            document.id
            for document in documents.all_of(self.kind.name)
            if wanted in caseless(f"{document.title}\n{documents.text(document)}")
        ]

    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        for document in self._documents(sorted(ids)):
            documents_of(self.workspace).remove(tx, document)

    def texts(self, ids: Collection[str]) -> Iterable[str]:
        return [documents_of(self.workspace).text(each) for each in self._documents(ids)]

    def facts(self, ids: Collection[str]) -> Iterable[str]:
        for document in self._documents(ids):
            yield json.dumps([document.tags, dict(document.metadata or {})], ensure_ascii=False)

    def _documents(self, ids: Collection[str]) -> list[Document]:
        found = (documents_of(self.workspace).get(each) for each in ids)
        return [document for document in found if document is not None]
