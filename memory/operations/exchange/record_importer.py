"""Storing of imported records that are not documents, with the actions on them."""

import json
from collections.abc import Mapping
from typing import Any

from memory.index.record_exchange import RECORDS_AT_ONCE, RecordImport, RecordImporter
from memory.index.record_hooks import all_hooks
from memory.operations.exchange.record_lines import ACTION, ACTION_FIELDS, action_of_line
from memory.workspace import Workspace


class RecordLineImporter:
    """The reader of the lines of records, which passes each to the importer of its kind.

    Records may get other numbers here than in the export.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.work = RecordImport(workspace)
        found = (hooks.importer(self.work) for hooks in all_hooks(workspace))
        self._importers = [importer for importer in found if importer is not None]
        self._by_type: dict[str, RecordImporter] = {
            line_type: importer for importer in self._importers for line_type in importer.types
        }
        self._waiting: dict[tuple[str, ...], int] = {}
        self._actions: list[dict[str, Any]] = []

    def knows(self, line_type: str) -> bool:
        """Return whether lines of that type are of records."""
        return line_type == ACTION or line_type in self._by_type

    def take(self, line_type: str, values: Mapping[str, Any]) -> None:
        """Read a line. Raises LineError for an unusable one."""
        if line_type == ACTION:
            self._actions.append(action_of_line(values))
        else:
            importer = self._by_type[line_type]
            self._waiting[importer.types] = importer.take(line_type, values)
        if sum(self._waiting.values()) + len(self._actions) >= RECORDS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Store the waiting records."""
        for importer in self._importers:
            importer.store()
        self._store_actions()
        self._waiting.clear()
        self.work.vectors.clear()

    def finish(self) -> None:
        """Store the rest, and complete what depends on all records."""
        self.flush()
        for importer in self._importers:
            importer.finish()

    def _store_actions(self) -> None:
        """Store the actions on records that are new here; those on others are already known."""
        waiting, self._actions = self._actions, []
        sql = f"""INSERT INTO actions ({", ".join(ACTION_FIELDS)})
            SELECT {", ".join(f":{name}" for name in ACTION_FIELDS)}
            WHERE NOT EXISTS (SELECT 1 FROM actions WHERE source = :source AND at = :at
                AND record_id = :record_id AND action = :action)"""
        rows = [
            {
                **values,
                "record_id": self.work.numbers.get(values["source"], {}).get(
                    values["record_id"], values["record_id"]
                ),
                "numbers": json.dumps(values["numbers"]),
            }
            for values in waiting
        ]
        if rows:
            with self.work.workspace.storage.database.transaction() as tx:
                tx.run_many(sql, rows)
