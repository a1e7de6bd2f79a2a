"""The hooks of people, patterns, open loops and signals."""

from typing import Any

from memory.records.forms import OPEN_LOOPS, PATTERNS, PEOPLE, SIGNALS
from memory.records.hooks.table_records import CODES, TEXTS, TableRecords
from memory.records.open_loops import complete_open_loop, joined_loops, show_open_loops
from memory.records.patterns import complete_pattern, joined_patterns, show_patterns
from memory.records.people import complete_person, get_person, joined_people, show_people
from memory.records.signals import complete_signal, joined_signals, show_signals
from memory.records.values import OpenLoop, Pattern, Person, Signal
from memory.storage.capabilities.text_columns import TextColumns


class PersonRecords(TableRecords[Person]):
    """The hooks of people, who are cited by name."""

    form = PEOPLE
    shown = staticmethod(show_people)
    completed = staticmethod(complete_person)
    joined = staticmethod(joined_people)
    table = "people"
    text_column = "name"
    inserted = "substr(name_key, 1, 1) = ' '"
    columns = (
        TextColumns(
            "people",
            texts=f"name, name_key, aliases, relationship, last_contact, notes, {TEXTS}",
            codes=f"sentiment, {CODES}",
        ),
    )

    def id_of(self, named: str) -> str:
        return str(get_person(self.workspace, named).id)

    def about(self, row: Person) -> Any:
        return [*super().about(row), row.last_contact]


class PatternRecords(TableRecords[Pattern]):
    """The hooks of patterns."""

    form = PATTERNS
    shown = staticmethod(show_patterns)
    completed = staticmethod(complete_pattern)
    joined = staticmethod(joined_patterns)
    table = "patterns"
    text_column = "description"
    inserted = "substr(description_key, 1, 1) = ' '"
    columns = (
        TextColumns(
            "patterns",
            texts=f"description, description_key, {TEXTS}",
            codes=f"pattern_type, last_observed, {CODES}",
        ),
    )


class OpenLoopRecords(TableRecords[OpenLoop]):
    """The hooks of open loops."""

    form = OPEN_LOOPS
    shown = staticmethod(show_open_loops)
    completed = staticmethod(complete_open_loop)
    joined = staticmethod(joined_loops)
    table = "open_loops"
    text_column = "topic"
    inserted = "substr(topic_key, 1, 1) = ' '"
    columns = (
        TextColumns(
            "open_loops",
            texts=f"topic, topic_key, resolution, {TEXTS}",
            codes=f"first_mentioned, last_mentioned, resolved_at, {CODES}",
        ),
    )


class SignalRecords(TableRecords[Signal]):
    """The hooks of signals."""

    form = SIGNALS
    shown = staticmethod(show_signals)
    completed = staticmethod(complete_signal)
    joined = staticmethod(joined_signals)
    table = "signals"
    text_column = "value"
    columns = (
        TextColumns("signals", texts=f"signal_type, value, {TEXTS}", codes=f"observed_at, {CODES}"),
    )
