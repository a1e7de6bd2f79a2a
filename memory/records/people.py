"""People: one record for each, found by any of its names, and the merge of two."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from contracts import InputError, NotFoundError
from memory.index.record_chunks import remove_record
from memory.records.checking import (
    checked_choice,
    checked_name,
    optional_body,
)
from memory.records.forms import PEOPLE
from memory.records.store import RecordStore
from memory.records.values import DISTILLATION, SENTIMENTS, Person, Sentiment, ShownPerson
from memory.records.writing import (
    Stated,
    Statement,
    as_stated_by,
    complete_record,
    labels_of_both,
    shown_as,
    stated,
    stated_again,
    write_record,
)
from memory.storage import Transaction, utc_now, utc_text
from memory.storage.action_log import is_others, require_owner
from memory.values.inserted_values import text_of
from memory.values.text_checks import caseless
from memory.workspace import Workspace

MOST_ALIASES: Final = 50

_BESIDE: Final = "state it beside that, as a fact: POST /memory/fact; or use a token of the owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPerson(Statement):
    """Knowledge about a person; None leaves a field of a known one as it is.

    `name` may be an alias. `aliases` are added. `last_contact` is a time or any text.
    """

    name: str
    relationship: str | None = None
    sentiment: Sentiment | None = None
    notes: str | None = None
    last_contact: str | None = None
    aliases: Sequence[str] = ()


def write_person(workspace: Workspace, new: NewPerson) -> ShownPerson:
    """Store a person, or change the one with that name or alias.

    Raises InputError for invalid values and for an alias that another person has, NotFoundError for
    unknown evidence, ForbiddenError where an agent would change what the owner stated.
    """
    given = stated(workspace, new)
    name = checked_name(new.name, "name")
    aliases = _checked_aliases(new.aliases)
    values = {
        "relationship": _line(new.relationship, "relationship"),
        "notes": optional_body(new.notes, "notes"),
        "last_contact": _line(new.last_contact, "last_contact"),
        "sentiment": None
        if new.sentiment is None
        else checked_choice(new.sentiment, "sentiment", SENTIMENTS),
    }
    fields: dict[str, Any] = {name: one for name, one in values.items() if one is not None}
    at = utc_text(new.now)

    def plan(old: Person | None) -> Person:
        person = old or _stranger(name, given, at)
        joined = _joined(person, aliases)
        new = replace(person, **fields, **_labels(given), aliases=joined)
        if old is not None and is_others(old.metadata) and old.source != DISTILLATION:
            if new != old or given.turn_ids:
                require_owner(f"what is known of {old.name} is the owner's", hint=_BESIDE)
            return old
        return as_stated_by(given.source, old, replace(new, updated_at=max(new.updated_at, at)))

    known = _KnownAliases()

    def find(store: RecordStore[Person]) -> Person | None:
        known.forget()
        return named(store, name, known)

    def beside(tx: Transaction, before: Person | None, after: Person) -> None:
        store = RecordStore(workspace.storage.database, PEOPLE)
        _check_free(store, after, known)

    change = write_record(
        workspace, PEOPLE, find=find, plan=plan, turn_ids=given.turn_ids, beside=beside
    )
    return show_people(workspace, [change.after])[0]


def _stranger(name: str, given: Stated, at: str) -> Person:
    return Person(
        id=0,
        name=name,
        name_key=caseless(name),
        aliases=(),
        relationship="",
        last_contact=None,
        sentiment="neutral",
        notes="",
        source=given.source,
        created_at=at,
        updated_at=at,
    )


def _labels(given: Stated) -> dict[str, Any]:
    labels = {"tags": given.tags, "metadata": given.metadata}
    return {name: value for name, value in labels.items() if value is not None}


def _line(text: str | None, what: str) -> str | None:
    return text if text is None or not text.strip() else checked_name(text, what)


def _checked_aliases(aliases: Sequence[str]) -> list[str]:
    if isinstance(aliases, str) or not isinstance(aliases, Sequence):
        raise InputError(f"the aliases are {aliases!r:.80}", hint="give a list of texts")
    return [checked_name(alias, "alias") for alias in aliases]


def _joined(person: Person, aliases: Sequence[str]) -> tuple[str, ...]:
    """Return a person's aliases with these, each once, and never the name itself."""
    known = {caseless(alias): alias for alias in (*person.aliases, *aliases)}
    known.pop(caseless(person.name), None)
    if len(known) > MOST_ALIASES:
        raise InputError(
            f"{person.name} would have {len(known)} aliases", hint=f"give {MOST_ALIASES} at most"
        )
    return tuple(known.values())


class _KnownAliases:
    """The aliases of all people, which are read once in a transaction: that scans their table."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, str]] | None = None

    def forget(self) -> None:
        """Read them again when they are needed."""
        self._rows = None

    def holding(self, store: RecordStore[Person], key: str) -> list[Person]:
        """Return the people with an alias, which is given in its caseless form."""
        if self._rows is None:
            rows = store.column("aliases", "aliases <> '[]'")
            self._rows = [(person_id, caseless(aliases)) for person_id, aliases in rows]
        stored = json.dumps(key, ensure_ascii=False)
        ids = [person_id for person_id, aliases in self._rows if stored in aliases]
        found = store.many(ids) if ids else []
        return [one for one in found if key in map(caseless, one.aliases)]


def named(
    store: RecordStore[Person], name: str, known: _KnownAliases | None = None
) -> Person | None:
    """Return the person with that name or alias, whatever the case."""
    found = store.with_identity(name_key=" ".join(name.casefold().split()))
    key = " ".join(caseless(name).split())
    return found or next(iter((known or _KnownAliases()).holding(store, key)), None)


def _check_free(store: RecordStore[Person], person: Person, known: _KnownAliases) -> None:
    """Raise InputError for an alias that is another person's name or alias."""
    for alias in person.aliases:
        other = store.with_identity(name_key=caseless(alias))
        for one in [other] if other else known.holding(store, caseless(alias)):
            if one.id != person.id:
                raise InputError(
                    f"{alias} is a name of {one.name} already",
                    hint=f"if they are one person: mem person merge {one.name!r} {person.name!r}",
                )


def get_person(workspace: Workspace, name: str) -> Person:
    """Return a person by name, alias or number. Raises NotFoundError."""
    store = RecordStore(workspace.storage.database, PEOPLE)
    given = name.strip()
    found = named(store, given)
    if found is None and given.isascii() and given.isdecimal() and len(given) < 19:
        found = store.get(int(given))
    if found is None:
        raise _unknown(name)
    return found


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(f"there is no person {name}", hint="list them: mem person list")


def list_people(workspace: Workspace) -> list[ShownPerson]:
    """Return all people by name."""
    store = RecordStore(workspace.storage.database, PEOPLE)
    return show_people(workspace, store.where("1 = 1 ORDER BY name_key"))


def merge_people(workspace: Workspace, name: str, into: str) -> ShownPerson:
    """Make two records of one person one: the names and evidence of `name` become those of `into`.

    What `into` has stays; it gains what it lacks, and the notes of both. Raises NotFoundError,
    InputError when both are the same record.
    """
    store = RecordStore(workspace.storage.database, PEOPLE)
    gone = get_person(workspace, name)
    kept_id = get_person(workspace, into).id
    if gone.id == kept_id:
        raise InputError(
            f"{name!r} and {into!r} are one person already", hint="name two people: mem person list"
        )

    def plan(found: Person | None) -> Person:
        nonlocal gone
        still = store.get(gone.id)
        if found is None or still is None:  # one of them was forgotten meanwhile
            raise _unknown(into if found is None else name)
        kept, gone = found, still
        return replace(joined_people(kept, gone, gone.name), updated_at=utc_now())

    def beside(tx: Transaction, _before: Person | None, after: Person) -> None:
        store.link(tx, after.id, store.links([gone.id]).get(gone.id, ()))
        remove_record(workspace, tx, "person", str(gone.id))
        store.delete(tx, [gone.id])

    change = write_record(
        workspace,
        PEOPLE,
        find=lambda store: store.get(kept_id),
        plan=plan,
        beside=beside,
    )
    return show_people(workspace, [change.after])[0]


def complete_person(workspace: Workspace, row: Person) -> None:
    """Give a person the key of its name, or the one with that name or alias what the row says.

    A row that was another person before is merged into that one: see `merge_people`.
    """
    name = " ".join(text_of(row.name).split())
    whole = replace(row, name=name, name_key=caseless(name))
    is_new = row.name_key.startswith(" ")

    def merged(old: Person) -> Person:
        if is_new:
            return _stated_by(old, row)
        return replace(joined_people(old, row), updated_at=utc_now())

    with suppress(InputError):  # with too many aliases they stay apart
        complete_record(workspace, PEOPLE, whole, merged, find=lambda store: named(store, name))


def _stated_by(old: Person, row: Person) -> Person:
    return replace(
        old,
        aliases=_joined(old, row.aliases),
        relationship=row.relationship or old.relationship,
        last_contact=row.last_contact or old.last_contact,
        sentiment=old.sentiment if row.sentiment == "neutral" else row.sentiment,
        notes=row.notes or old.notes,
        **stated_again(old, row),
    )


def joined_people(kept: Person, gone: Person, *aliases: str) -> Person:
    """Return a person with what another record of it adds, and more aliases. Raises InputError for
    too many.
    """
    return replace(
        kept,
        aliases=_joined(kept, (*aliases, *gone.aliases)),
        relationship=kept.relationship or gone.relationship,
        last_contact=kept.last_contact or gone.last_contact,
        sentiment=gone.sentiment if kept.sentiment == "neutral" else kept.sentiment,
        notes="\n".join(dict.fromkeys(filter(None, (kept.notes, gone.notes)))),
        **labels_of_both(kept, gone),
    )


def show_people(workspace: Workspace, rows: Sequence[Person]) -> list[ShownPerson]:
    """Return people as they are shown."""
    return shown_as(workspace, PEOPLE, rows, ShownPerson)
