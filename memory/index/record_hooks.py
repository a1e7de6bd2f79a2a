"""The hooks of a kind of record, the heavy half of its declaration: operations call nothing else.

A new kind derives its hooks from `NumberedRecords`, or from this class.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from contracts.named_tuple import NamedTuple
from memory.index.record_exchange import Line, RecordImport, RecordImporter
from memory.storage import Space, Transaction
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.record_kinds import RecordKind, imported
from memory.values.reports import Record, RecordPage
from memory.workspace import Workspace


class RecordFilter(NamedTuple):
    """Conditions on the session, the time and a tag of records, which combine.

    `since` and `until` are ISO 8601 UTC, both included.
    """

    session_id: str | None = None
    since: str | None = None
    until: str | None = None
    tag: str | None = None


class RecordHooks(ABC):
    """The records of one kind in a workspace. Their ids are texts, as in their chunks."""

    table: ClassVar[str]
    """The table of the records, with the key `id`."""

    columns: ClassVar[tuple[TextColumns, ...]]
    """The columns of text of all tables of the kind."""

    def __init__(self, workspace: Workspace, kind: RecordKind) -> None:
        self.workspace = workspace
        self.kind = kind
        self.database = workspace.storage.database

    def keys(self, ids: Iterable[str]) -> Sequence[int] | Sequence[str]:
        """Return ids as the table has them."""
        return list(ids)

    def id_of(self, named: str) -> str:
        """Return the id of a record from what `RecordKind.read` found in a citation.

        Raises NotFoundError where that is a name that no record has.
        """
        return named

    @abstractmethod
    def show(self, record_id: str) -> object:
        """Return the content of a record to show. Raises NotFoundError for an unknown id."""

    @abstractmethod
    def page(self, *, limit: int, cursor: str | None) -> RecordPage:
        """List records; `cursor` is a page's `next_cursor`. Raises InputError for another one."""

    @abstractmethod
    def get(self, record_id: str) -> Record:
        """Return one record as lists show it. Raises NotFoundError for an unknown id."""

    @abstractmethod
    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        """Replace metadata, tags, or both. Raises NotFoundError, InputError for invalid values."""

    @abstractmethod
    def known(self, ids: Collection[str]) -> list[str]:
        """Return those of these records that exist, in the order of reports."""

    @abstractmethod
    def cited(self, ids: Collection[str]) -> dict[str, str]:
        """Return the citations of those of these records that exist, by id, in that order."""

    @abstractmethod
    def holding(self, wanted: str) -> list[str]:
        """Return the records that contain a text, which is given in its `caseless` form."""

    @abstractmethod
    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        """Remove records with everything derived from them, including links of others."""

    @abstractmethod
    def texts(self, ids: Collection[str]) -> Iterable[str]:
        """Return the searchable texts of these records."""

    @abstractmethod
    def facts(self, ids: Collection[str]) -> Iterable[str]:
        """Return the metadata of these records as texts."""

    def matching(self, conditions: RecordFilter) -> list[str]:
        """Return the records that meet these conditions; none of a kind that lacks such fields."""
        return []

    def sources(self, ids: Collection[str]) -> Mapping[str, Collection[str]]:
        """Return the records that these were derived from, by kind."""
        return {}

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """Return the records derived only from the chosen ones, which are given by kind."""
        return []

    def withdraw(self, tx: Transaction, source: str, ids: Collection[str]) -> int:
        """Take out of derived records what comes from these, which are about to be removed.

        What rests on others too is made again of those, what rests on them alone is removed. Return
        the number of records changed or removed.
        """
        return 0

    def renew(self, tx: Transaction, source: str, ids: Collection[str]) -> None:
        """Bring derived records in step with these, which have changed."""
        return

    def rewrite(self, tx: Transaction, source: str, former: Mapping[int, str]) -> None:
        """Bring derived records in step with these, whose texts were the given ones, or "" for
        none, and are others now, or gone.
        """
        return

    def former(self, going: Mapping[str, Collection[str]]) -> Mapping[str, str]:
        """Return the citations of former values that go with these records, which are given by
        kind, by their numbers.
        """
        return {}

    def forget_former(self, tx: Transaction, going: Mapping[str, Collection[str]]) -> None:
        """Remove the former values that go with these records."""
        return

    def stay_forgotten(self, tx: Transaction, ids: Collection[str]) -> None:
        """Let nothing that stays be made into these records again, which somebody forgets."""
        return

    def sessions(self, ids: Collection[str]) -> Collection[str]:
        """Return the sessions of these records, if their names could remain."""
        return []

    def end_sessions(self, tx: Transaction, names: Collection[str]) -> int:
        """Remove those of these sessions that are empty, and return their number."""
        return 0

    def lines(self, space: Space | None) -> Iterator[Line]:
        """Yield export lines, in a snapshot, with the vectors of that space."""
        return iter(())

    def importer(self, work: RecordImport) -> RecordImporter | None:
        """Return the importer of these lines, None where the import itself reads them."""
        return None


def hooks_of(workspace: Workspace, name: str) -> RecordHooks:
    """Return the hooks of a kind. Raises IncompatibleError for an unknown one."""
    kind = workspace.kinds[name]
    hooks: RecordHooks = imported(kind.hooks)(workspace, kind)
    return hooks


def all_hooks(workspace: Workspace) -> list[RecordHooks]:
    """Return the hooks of every kind, in the order of the registry."""
    return [hooks_of(workspace, kind.name) for kind in workspace.kinds]


def hooks_resting_on(workspace: Workspace, source: str) -> list[RecordHooks]:
    """Return the hooks of the kinds whose records are made of those of a kind."""
    return [hooks_of(workspace, kind.name) for kind in workspace.kinds if source in kind.rests_on]


def renew_derived(workspace: Workspace, tx: Transaction, source: str, ids: Iterable[int]) -> None:
    """Bring all records in step that are made of these, which have changed."""
    changed = [str(key) for key in ids]
    for hooks in hooks_resting_on(workspace, source) if changed else ():
        hooks.renew(tx, source, changed)


def rewrite_derived(
    workspace: Workspace, tx: Transaction, source: str, former: Mapping[int, str]
) -> None:
    """Bring all records in step that are made of these, whose texts were the given ones before."""
    for hooks in hooks_resting_on(workspace, source) if former else ():
        hooks.rewrite(tx, source, former)


def withdraw_derived(
    workspace: Workspace, tx: Transaction, source: str, ids: Iterable[int]
) -> None:
    """Take these out of all records that are made of them, before they are removed."""
    gone = [str(key) for key in ids]
    for hooks in hooks_resting_on(workspace, source) if gone else ():
        hooks.withdraw(tx, source, gone)
