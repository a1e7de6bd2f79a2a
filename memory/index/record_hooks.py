"""What operations ask of a kind of record: the heavy half, loaded by those that manage records.

A kind that comes on top derives its hooks from `NumberedRecords`, or from this class, and says what
is its own; nothing else needs to know it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from memory.index.record_exchange import Line, RecordImport, RecordImporter
from memory.storage import Space, Transaction
from memory.storage.text_columns import TextColumns
from memory.values.record_kinds import RecordKind, imported
from memory.values.reports import Record, RecordPage
from memory.workspace import Workspace


class Said(NamedTuple):
    """When and where records were said, or what they are tagged with; all that is given holds.

    `since` and `until` are ISO 8601 UTC, both included.
    """

    session_id: str | None = None
    since: str | None = None
    until: str | None = None
    tag: str | None = None


class RecordHooks(ABC):
    """The records of one kind in a workspace. Their ids are texts, as their chunks have them."""

    table: ClassVar[str]
    """Where they are; its key is `id`."""

    columns: ClassVar[tuple[TextColumns, ...]]
    """The tables of the kind, whose columns of text are all accounted for."""

    def __init__(self, workspace: Workspace, kind: RecordKind) -> None:
        self.workspace = workspace
        self.kind = kind
        self.database = workspace.storage.database

    @abstractmethod
    def show(self, record_id: str) -> object:
        """What `mem show` prints of a record. Raises NotFoundError when there is none."""

    @abstractmethod
    def page(self, *, limit: int, cursor: str | None) -> RecordPage:
        """Some records; `cursor` is a page's `next_cursor`. Raises InputError for another one."""

    @abstractmethod
    def get(self, record_id: str) -> Record:
        """One record as lists show it. Raises NotFoundError when there is none."""

    @abstractmethod
    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        """Replace metadata, tags, or both. Raises NotFoundError, InputError for unusable ones."""

    @abstractmethod
    def known(self, ids: Collection[str]) -> list[str]:
        """Those of these records that there are, in the order in which reports name them."""

    @abstractmethod
    def cited(self, ids: Collection[str]) -> dict[str, str]:
        """The citations of those of these records that there are, by id, in that order."""

    @abstractmethod
    def holding(self, wanted: str) -> list[str]:
        """The records that hold a text, which is given casefolded."""

    @abstractmethod
    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        """Remove records with all that is derived from them, the links of others included."""

    @abstractmethod
    def texts(self, ids: Collection[str]) -> Iterable[str]:
        """What is searched of these records."""

    @abstractmethod
    def facts(self, ids: Collection[str]) -> Iterable[str]:
        """What else is stored with these records, as text."""

    def said(self, conditions: Said) -> list[str]:
        """The records of which these conditions hold; none of a kind that they say nothing of."""
        return []

    def sources(self, ids: Collection[str]) -> Mapping[str, Collection[str]]:
        """The records that these were made of, by kind."""
        return {}

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """The records that were made of the chosen ones alone, which are given by kind."""
        return []

    def sessions(self, ids: Collection[str]) -> Collection[str]:
        """The conversations that these records are of, where those could tell of them."""
        return []

    def end_sessions(self, tx: Transaction, names: Collection[str]) -> int:
        """Remove what is kept of conversations of which nothing is left; how many."""
        return 0

    def lines(self, space: Space | None) -> Iterator[Line]:
        """The lines of an export, to be read in a snapshot, with the vectors of that space."""
        return iter(())

    def importer(self, work: RecordImport) -> RecordImporter | None:
        """What takes these lines in, None where the export itself does."""
        return None


def hooks_of(workspace: Workspace, name: str) -> RecordHooks:
    """The hooks of a kind. Raises IncompatibleError for a kind that this program lacks."""
    kind = workspace.kinds[name]
    hooks: RecordHooks = imported(kind.hooks)(workspace, kind)
    return hooks


def all_hooks(workspace: Workspace) -> list[RecordHooks]:
    """The hooks of every kind, in the order of the registry."""
    return [hooks_of(workspace, kind.name) for kind in workspace.kinds]
