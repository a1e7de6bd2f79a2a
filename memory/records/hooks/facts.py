"""The hooks of facts, which have former values and may be made of memories."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from memory.conversations.memories.slots.withdrawn_facts import remove_withdrawals
from memory.index.record_hooks import RecordFilter
from memory.records.decay import is_archived_by_hand, standing
from memory.records.distillation.restoring import archive_facts, return_facts, state_facts
from memory.records.distillation.slot_facts import (
    facts_copied_from,
    facts_of_texts,
    former_copied_from,
    former_of_texts,
    is_said,
    rivals,
    same_statements,
    withdraw_facts,
)
from memory.records.facts import (
    complete_fact,
    get_fact,
    joined_facts,
    show_facts,
    superseded_facts,
)
from memory.records.forms import FACTS
from memory.records.hooks.table_records import CODES, TEXTS, TableRecords
from memory.records.kind import cite_fact
from memory.records.store import FORMER, History
from memory.records.values import Fact, FormerValue
from memory.storage import Transaction
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.inserted_values import object_of, text_of

_FORMER_SQL: Final = """
SELECT h.id, f.category, f.key, h.updated_at FROM fact_history AS h JOIN facts AS f
    ON f.id = h.fact_id WHERE h.id IN (:ids) OR h.fact_id IN (:facts) ORDER BY h.id
"""

_CITED_BY_SQL: Final = """
SELECT owner_id, metadata FROM chunks WHERE source = 'fact' AND ordinal = 0 AND owner_id IN (:ids)
"""

_CONTENTS_SQL: Final = "SELECT id, content FROM memories WHERE id IN (:ids)"


class FactRecords(TableRecords[Fact]):
    """The hooks of facts, which are cited by category and key and have a history."""

    form = FACTS
    shown = staticmethod(show_facts)
    completed = staticmethod(complete_fact)
    joined = staticmethod(joined_facts)
    table = "facts"
    text_column = "value"
    columns = (
        TextColumns("facts", texts=f"category, key, value, {TEXTS}", codes=f"expires_at, {CODES}"),
        TextColumns("fact_history", texts="value, source", codes="updated_at, replaced_at"),
        TextColumns("record_links", codes="source, reason, created_at"),
    )

    def id_of(self, named: str) -> str:
        return str(get_fact(self.workspace, named).id)

    def state(self, row: Fact) -> str:
        present = standing(row, datetime.now(UTC), self.workspace.config.records)
        if present == "current" and superseded_facts(self.database, [row.id]):
            return "superseded"
        return "indexed" if present == "current" else present

    def texts_of(self, row: Fact) -> list[str]:
        history = History(self.database).of([row.id]).get(row.id, {})
        return [*super().texts_of(row), row.key, *(former.value for former in history.values())]

    def matching(self, conditions: RecordFilter) -> list[str]:
        """Return the facts that meet these conditions. Of a whole session not those that somebody
        stated otherwise before: they may return to that once its turns go.
        """
        found = super().matching(conditions)
        if conditions != RecordFilter(session_id=conditions.session_id):
            return found
        stated = History(self.database).stated(self.keys(found))
        return [key for key in found if int(key) not in stated]

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """Return also those that distillation made of the chosen memories, or that say what the
        chosen facts say under other names; not those that return to a former value.
        """
        found = self._resting_on_these(chosen)
        found |= {*same_statements(self.database, self.keys(chosen.get(self.kind.name, ())))}
        return [str(key) for key in found - {*self._returning(chosen)}]

    def _resting_on_these(self, chosen: Mapping[str, Collection[str]]) -> set[int]:
        copies = facts_copied_from(self.database, self.keys(chosen.get("memory", ())))
        return {*copies, *self.keys(super().made_of_nothing_else(chosen))}

    def _returning(self, going: Mapping[str, Collection[str]]) -> dict[int, dict[int, FormerValue]]:
        """Return the facts whose values go with these records and that somebody stated otherwise
        before, with the former values that stay.
        """
        named = {*self.keys(going.get(self.kind.name, ()))}
        stated = History(self.database).stated(self._resting_on_these(going) - named)
        gone = self._former_numbers(going)
        left = {
            key: {number: one for number, one in each.items() if number not in gone}
            for key, each in stated.items()
        }
        return {key: each for key, each in left.items() if each}

    def rewrite(self, tx: Transaction, source: str, former: Mapping[int, str]) -> None:
        """Take back what distillation made of former texts of memories, and state what these say
        now, or others of the same slots. Facts with former values, which others may have stated,
        are archived.
        """
        if source == "memory":
            copies = facts_of_texts(self.database, former)
            self.remove(tx, [*map(str, archive_facts(self.workspace, tx, copies))])
            present = self._contents(former)
            edited = {key: former[key] for key in present if not is_said(former[key], present[key])}
            History(self.database).remove(tx, former_of_texts(self.database, edited))
            state_facts(self.workspace, tx, [*former, *rivals(self.database, former)])

    def _contents(self, memory_ids: Collection[int]) -> dict[int, str]:
        rows = self.database.read(_CONTENTS_SQL, {"ids": list(memory_ids)})
        return {number: text_of(content) for number, content in rows}

    def former(self, going: Mapping[str, Collection[str]]) -> Mapping[str, str]:
        """Return also those that distillation made of the memories, or that rest on the turns; and
        the present values, by the names of their facts, of those that return to a former one.
        """
        facts = self.keys(going.get(self.kind.name, ()))
        values = {"ids": [*self._former_numbers(going)], "facts": facts}
        rows = self.database.read(_FORMER_SQL, values)
        found = {
            str(number): f"{cite_fact(category, key)}, formerly, {updated_at[:10]}"
            for number, category, key, updated_at in rows
        }
        present = self.rows(self._returning(going))
        return found | {
            f"{self.kind.name}:{row.id}": f"{self.cite_row(row)}, {row.updated_at[:10]}"
            for row in present
        }

    def _former_numbers(self, going: Mapping[str, Collection[str]]) -> set[int]:
        """Return the numbers of former values that go with these memories and turns."""
        numbers = former_copied_from(self.database, self.keys(going.get("memory", ())))
        resting = self._resting_on(FORMER, "fact_history", going.get("turn", ()))
        return {*numbers, *map(int, resting)}

    def forget_former(self, tx: Transaction, going: Mapping[str, Collection[str]]) -> None:
        returning, numbers = self._returning(going), self._former_numbers(going)
        return_facts(self.workspace, tx, returning)
        History(self.database).remove(tx, numbers)

    def stay_forgotten(self, tx: Transaction, ids: Collection[str]) -> None:
        super().stay_forgotten(tx, ids)
        names = {(fact.category, fact.key) for fact in self.rows(self.keys(ids))}
        if names:
            withdraw_facts(tx, names)

    def remove_deleted(self, tx: Transaction, ids: Sequence[int]) -> None:
        """Remove what is left of facts that another program has deleted; it has forgotten them, but
        those that it has written again.
        """
        gone = {*ids} - {*self._findable(ids)}
        rows = self.database.read(_CITED_BY_SQL, {"ids": [str(key) for key in gone]})
        cited = {int(key): object_of(about) for key, about in rows}
        names = {key: (about["category"], about["key"]) for key, about in cited.items()}
        names = {
            key: name
            for key, name in names.items()
            if self._store.with_identity(category=name[0], key=name[1]) is None
        }
        super().stay_forgotten(tx, [*map(str, names)])
        withdraw_facts(tx, {*names.values()})
        super().remove_deleted(tx, ids)
        History(self.database).remove_links_left(tx)

    def withdraw(self, tx: Transaction, source: str, ids: Collection[str]) -> int:
        """Remove former values that rest on these turns alone, and facts archived with these
        memories, in whose place others of the same slots state theirs.
        """
        if source == "memory":
            memories = self.keys(ids)
            copies = self._store.many(facts_copied_from(self.database, memories))
            archived = {fact.id for fact in copies if is_archived_by_hand(fact)}
            stated = History(self.database).stated(archived)
            return_facts(self.workspace, tx, stated)
            self.remove(tx, [str(key) for key in archived - {*stated}])
            remove_withdrawals(tx, memories)
            others = rivals(self.database, self._contents(memories))
            state_facts(self.workspace, tx, others)
            return 0
        numbers = [int(each) for each in self._resting_on(FORMER, "fact_history", ids)]
        History(self.database).remove(tx, numbers)
        return len(numbers)

    def written(self, rows: Sequence[Fact]) -> Iterator[dict[str, Any]]:
        history = History(self.database).of([row.id for row in rows])
        numbers = [number for each in history.values() for number in each]
        links = self._store.links(numbers, source=FORMER)
        for row, values in zip(rows, super().written(rows), strict=True):
            former = [
                {**asdict(one), "links": [link._asdict() for link in links.get(number, ())]}
                for number, one in history.get(row.id, {}).items()
            ]
            yield {**values, "history": former}
