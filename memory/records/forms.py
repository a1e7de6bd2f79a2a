"""The form of each kind: its table, what makes a record the same, and its searchable text.

Everything else that the five kinds do is written once, over these forms.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic

from memory.config.sections.conversations import RecordsConfig
from memory.index.record_chunks import RecordText
from memory.records.decay import hidden_from
from memory.records.kind import (
    FACT,
    OPEN_LOOP,
    PATTERN,
    PERSON,
    SIGNAL,
    cite_fact,
    cite_numbered,
    cite_person,
)
from memory.records.values import Fact, OpenLoop, Pattern, Person, R, Signal
from memory.values.record_kinds import RecordKind


def _never(row: Any, config: RecordsConfig) -> None:
    """Return the moment from which a record answers no search: none."""


@dataclass(frozen=True)
class RecordForm(Generic[R]):
    """One kind of record.

    table         the table of its rows, which have the fields of `row`
    identity      the columns that no two records share
    cite          formats the citation of a row
    title, body   the searchable text, the title above it
    told          the columns that these two are made of
    cited_by      fields that the metadata of a chunk holds, for its citation and its hit
    occurred_at   the field with the time of a record
    hidden_from   when a record stops answering, None for never
    """

    kind: RecordKind
    table: str
    row: type[R]
    identity: tuple[str, ...]
    cite: Callable[[R], str]
    title: Callable[[R], str]
    body: Callable[[R], str]
    told: tuple[str, ...]
    cited_by: tuple[str, ...]
    occurred_at: str
    hidden_from: Callable[[R, RecordsConfig], str | None] = _never

    def searchable(self, row: R, config: RecordsConfig) -> RecordText:
        """Return the searchable side of a row; its `id` may still be 0."""
        cited: Mapping[str, Any] = {name: getattr(row, name) for name in self.cited_by}
        return RecordText(
            source=self.kind.name,
            owner_id=str(row.id),
            text=self.body(row),
            title=self.title(row),
            occurred_at=getattr(row, self.occurred_at),
            recorded_at=row.created_at,
            tags=row.tags,
            metadata={**row.metadata, **cited, "record_id": row.id, "source": row.source},
            hidden_from=self.hidden_from(row, config),
        )


def _fact_body(fact: Fact) -> str:
    return f"{fact.key.replace('_', ' ')}: {fact.value}"


def _person_body(person: Person) -> str:
    names = ", ".join((person.name, *person.aliases))
    first = f"{names}: {person.relationship}" if person.relationship else names
    return f"{first}\n{person.notes}" if person.notes else first


def _loop_body(loop: OpenLoop) -> str:
    return f"{loop.topic}\n{loop.resolution}" if loop.resolution else loop.topic


FACTS: Final = RecordForm(
    kind=FACT,
    table="facts",
    row=Fact,
    identity=("category", "key"),
    cite=lambda fact: cite_fact(fact.category, fact.key),
    title=lambda fact: fact.category.replace("_", " "),
    body=_fact_body,
    told=("category", "key", "value"),
    cited_by=("category", "key"),
    occurred_at="updated_at",
    hidden_from=lambda fact, config: hidden_from(
        fact.confidence, fact.updated_at, fact.expires_at, config
    ),
)
PEOPLE: Final = RecordForm(
    kind=PERSON,
    table="people",
    row=Person,
    identity=("name_key",),
    cite=lambda person: cite_person(person.name),
    title=lambda _: "",
    body=_person_body,
    told=("name", "aliases", "relationship", "notes"),
    cited_by=("name",),
    occurred_at="updated_at",
)
PATTERNS: Final = RecordForm(
    kind=PATTERN,
    table="patterns",
    row=Pattern,
    identity=("pattern_type", "description_key"),
    cite=lambda pattern: cite_numbered("pattern", pattern.id),
    title=lambda pattern: pattern.pattern_type,
    body=lambda pattern: pattern.description,
    told=("pattern_type", "description"),
    cited_by=("pattern_type",),
    occurred_at="last_observed",
)
OPEN_LOOPS: Final = RecordForm(
    kind=OPEN_LOOP,
    table="open_loops",
    row=OpenLoop,
    identity=("topic_key",),
    cite=lambda loop: cite_numbered("loop", loop.id),
    title=lambda _: "",
    body=_loop_body,
    told=("topic", "resolution"),
    cited_by=("resolved", "priority"),
    occurred_at="last_mentioned",
)
SIGNALS: Final = RecordForm(
    kind=SIGNAL,
    table="signals",
    row=Signal,
    identity=("signal_type", "value", "observed_at"),
    cite=lambda signal: cite_numbered("signal", signal.id),
    title=lambda signal: signal.signal_type,
    body=lambda signal: signal.value,
    told=("signal_type", "value"),
    cited_by=("signal_type",),
    occurred_at="observed_at",
)
FORMS: Final[tuple[RecordForm[Any], ...]] = (FACTS, PEOPLE, PATTERNS, OPEN_LOOPS, SIGNALS)
