"""Manual operations on memories: add, read, edit.

An edit by a person has priority: an edited or restored memory archives those that contradict it. An
agent edits only what agents remembered and nobody has confirmed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from contracts import InputError, NotFoundError
from ingest import Candidate, slot_of
from ingest.pii import PII, SECRET, privacy_tags
from memory.conversations.memories.comparison.endings import ended_by, with_ends
from memory.conversations.memories.comparison.facts import confirmed, fact_of, is_agents
from memory.conversations.memories.comparison.sentence_similarity import sentence
from memory.conversations.memories.comparison.slot_conflict import contradicts, repeats
from memory.conversations.memories.consolidation import consolidate
from memory.conversations.memories.related_memories import RelatedMemories
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import (
    IMPORTANT,
    INSTRUCTION,
    LAYERS,
    STATUSES,
    UNCONFIRMED,
    Layer,
    Memory,
    Remembered,
    Status,
)
from memory.conversations.memories.writing import MemoryWriter, vectors_of
from memory.storage import utc_now, utc_text
from memory.storage.action_log import (
    AGENT,
    ENDS,
    ActionLog,
    Deed,
    actions_of,
    calling_agent,
    marked,
    require_owner,
    still_marked,
)
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.scope_parsing import read_time
from memory.values.text_checks import checked_text
from memory.workspace import Workspace

MOST_CHARS: Final = 10_000
"""The most characters of a memory's content. A longer text is a document, found by its chunks."""


_DEEDS: Final[Mapping[Status, Deed]] = {
    "active": "restored",
    "archived": "archived",
    "deleted": "deleted",
}

_KEPT_TAGS: Final = (AGENT, UNCONFIRMED, PII, SECRET)
"""The tags that an agent cannot take from a memory."""


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """The fields of a memory to replace; None leaves a field unchanged."""

    content: str | None = None
    tags: Sequence[str] | None = None
    importance: int | None = None
    status: Status | None = None
    layer: Layer | None = None
    metadata: Mapping[str, Any] | None = None


def remember(
    workspace: Workspace,
    text: str,
    *,
    importance: int | None = None,
    tags: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
    certain: bool = True,
) -> Remembered:
    """Store a mid-term memory, or strengthen the one that says the same.

    It is important by default, unless an agent asks, which may not say so. A `timestamp` in the
    metadata (ISO 8601) is when it was true or said. One that is not `certain`, or an agent's,
    replaces nothing: if it contradicts a memory, it is archived until a person confirms it. An
    agent's has the tag `agent`, and changes no memory of others that says the same. Raises
    InputError for a missing or too long text, and for an importance that is neither 0 nor 1;
    ForbiddenError for what only the owner may say.
    """
    content = checked_content(text)
    about = marked(still_marked(checked_metadata(metadata or {}), {}))
    by_agent = calling_agent() is not None
    if importance is None:
        importance = 0 if by_agent else IMPORTANT
    candidate = Candidate(
        content,
        importance=checked_importance(importance),
        tags=checked_tags((*tags, AGENT)) if by_agent else checked_tags(tags),
        certain=certain and not by_agent,
    )
    _require_own_words(candidate.tags)
    _require_own_weight(is_raised=candidate.importance > 0)
    fact = fact_of(candidate, said_at=_said_at(about), metadata=about)
    ((first, *others),) = consolidate(workspace, [[fact]], origin="user")
    made = get_memory(workspace, int(first.id or 0))
    replaced = [int(other.id or 0) for other in others]
    values = {name: getattr(made, name) for name in made.__dataclass_fields__}
    return Remembered(**values, action=first.action, replaced=replaced)


def _said_at(metadata: Mapping[str, Any]) -> str:
    stamp = metadata.get("timestamp")
    if stamp is None:
        return utc_now()
    if not isinstance(stamp, str):
        raise InputError(
            f"the metadata has the timestamp {stamp!r}", hint="write it as 2026-03-04T12:30:00Z"
        )
    return utc_text(read_time(stamp))


def get_memory(workspace: Workspace, memory_id: int) -> Memory:
    """Return one memory by its id, whatever its status.

    Raises NotFoundError for an unknown id; for a removed memory the message says what happened to
    it.
    """
    is_id = type(memory_id) is int and 0 < memory_id < 1 << 63
    found = MemoryStore(workspace.storage).get(memory_id) if is_id else None
    if found is None:
        raise NotFoundError(
            f"there is no memory {memory_id}{_end_of(workspace, memory_id) if is_id else ''}",
            hint="list memories: mem memories list, or GET /memories",
        )
    return found


def _end_of(workspace: Workspace, memory_id: int) -> str:
    """Return what happened to a removed memory, if the action log knows."""
    for last in actions_of(workspace.storage.database, memory_id, limit=1):
        why = [last.code] if last.code else []
        why += [f"{name} {value:g}" for name, value in last.numbers.items()]
        details = f" ({', '.join(why)})" if why else ""
        return f" any more: {last.action} by {last.actor} on {last.at[:10]}{details}"
    return ""


def edit_memory(workspace: Workspace, memory_id: int, change: MemoryChange) -> Memory:
    """Change a memory and return it as changed.

    A new content replaces the old one and is found by its own words; it is then the user's, and
    important unless the change says otherwise or an agent makes it. `archived` and `deleted`
    memories are not found; `deleted` ones are removed for good by the next garbage collection, and
    until then `active` restores them. Raises NotFoundError for an unknown id, InputError for
    invalid values and for a content that another active memory has, ForbiddenError where an agent
    would change a memory that is not an agent's, restore one, make one important or permanent, or
    replace another.
    """
    checked = _checked(change)
    return _rewrite(workspace, memory_id, lambda old: _changed(old, checked))


def _rewrite(workspace: Workspace, memory_id: int, new_of: Callable[[Memory], Memory]) -> Memory:
    """Store what becomes of a memory, as it is when it is written, and return that."""
    known = vectors_of(workspace, [new_of(get_memory(workspace, memory_id))])
    database = workspace.storage.database
    with database.erasing(), database.transaction() as tx:
        old = get_memory(workspace, memory_id)
        new = new_of(old)
        if new == old:
            return old
        _require_own_words((*old.tags, *new.tags))
        is_permanent = new.layer == "long" and old.layer != "long"
        _require_own_weight(is_raised=is_permanent or new.importance > old.importance)
        _require_agents(old, new)
        writer = MemoryWriter(workspace, tx, known)
        log = ActionLog(tx, "user")
        same_text = new.content == old.content and new.status == old.status
        if new.status == "active" and not same_text:
            _require_no_rival(workspace, new)
            _give_way(writer, log, new)
        former = None if same_text else old.content
        written = writer.update(new, same_text=same_text, former=former)
        _note(log, old, written)
        writer.finish()
    return written


def confirm_memory(workspace: Workspace, memory_id: int) -> Memory:
    """Make a memory the person's own: active, important, without the mark and tag of an agent.

    Memories that it contradicts are archived. Raises NotFoundError for an unknown id,
    ForbiddenError where an agent asks.
    """
    require_owner("a person confirms what an agent remembered", hint=_confirmed_by(memory_id))
    return _rewrite(workspace, memory_id, _made_own)


def _made_own(memory: Memory) -> Memory:
    change = MemoryChange(
        status="active",
        importance=IMPORTANT,
        tags=tuple(tag for tag in memory.tags if tag != AGENT),
        metadata={name: value for name, value in memory.metadata.items() if name != AGENT},
    )
    return _changed(memory, change)


def _give_way(writer: MemoryWriter, log: ActionLog, memory: Memory) -> None:
    """Archive the memories that contradict an edit by a person."""
    held = writer.store.of_slot(memory.slot) if memory.slot else []
    others = [one for one in held if one.id != memory.id]
    slot = slot_of(memory.content)
    words = sentence(memory.content)
    same = [one for one in others if slot and repeats(slot, words, one)]
    same += [one for one in writer.store.with_words(words.key) if one.slot == memory.slot]
    for one in same:
        if one.id != memory.id:
            raise InputError(
                f"memory {one.id} says that already: {one.content}",
                hint=f"keep one of the two: mem memories edit {one.id} --status deleted",
            )
    for rival in (one for one in others if slot and contradicts(slot, one)):
        archived = replace(rival, status="archived", superseded_by=memory.id)
        writer.update(archived, same_text=False, former=rival.content)
        log.note(rival.id, "archived", "conflict", by=memory.id)


def _require_no_rival(workspace: Workspace, memory: Memory) -> None:
    """Raise ForbiddenError where an agent would write what an active memory contradicts."""
    if calling_agent() is None:
        return
    store = MemoryStore(workspace.storage)
    related = RelatedMemories(store, workspace.config.extractor)
    fact = fact_of(Candidate(memory.content, certain=False), said_at=utc_now())
    for rival in related.rivals(fact, store.similar(fact.words.telling)):
        if rival.id != memory.id:
            hint = f"leave it to the owner: mem memories edit {memory.id}"
            require_owner(f"memory {rival.id} says otherwise", hint=hint)


def _changed(old: Memory, change: MemoryChange) -> Memory:
    given = {
        name: value
        for name in ("content", "tags", "importance", "status", "layer", "metadata")
        if (value := getattr(change, name)) is not None
    }
    new = replace(old, **given)
    new = replace(
        new,
        tags=_still_tagged(new.tags, old.tags),
        metadata=still_marked(new.metadata, old.metadata),
    )
    if new.content != old.content:
        slot = slot_of(new.content)
        is_one = slot is not None and slot.value != ""
        new = replace(
            new,
            origin="user",
            importance=_importance_of(change),
            tags=_retagged(new.tags, new.content),
            slot=slot.name if slot and is_one else None,
            value=slot.value if slot and is_one else None,
            metadata=marked(_without_ends(new.metadata, new.content)),
        )
    if new.status != "active":
        return new
    return replace(new if calling_agent() else confirmed(new), superseded_by=None)


def _importance_of(change: MemoryChange) -> int:
    """Return the importance of a memory with new content: a person's own words are important."""
    if change.importance is not None:
        return change.importance
    return IMPORTANT if calling_agent() is None else 0


def _without_ends(metadata: Mapping[str, Any], content: str) -> Mapping[str, Any]:
    """Return the metadata of a memory with new content: it ends what that says, unless an agent
    writes it.
    """
    kept = {name: value for name, value in metadata.items() if name != ENDS}
    return kept if calling_agent() else with_ends(kept, ended_by(content))


def _still_tagged(new: tuple[str, ...], old: tuple[str, ...]) -> tuple[str, ...]:
    """Return the new tags of a memory; an agent cannot take away that it is an agent's,
    unconfirmed, or personal.
    """
    if calling_agent() is None:
        return new
    kept = [tag for tag in old if tag in _KEPT_TAGS]
    return tuple(dict.fromkeys((*new, *kept)))


def _retagged(tags: Sequence[str], content: str) -> tuple[str, ...]:
    """Return the tags of a memory with new content: personal data is detected again."""
    kept = [tag for tag in tags if tag not in (PII, SECRET)]
    return tuple(dict.fromkeys((*kept, *privacy_tags(content))))


def _note(log: ActionLog, old: Memory, new: Memory) -> None:
    if new.status != old.status:
        log.note(new.id, _DEEDS[new.status])
    if new.layer != old.layer:
        log.note(new.id, "promoted" if new.layer == "long" else "demoted")
    plain = ("content", "tags", "importance", "metadata")
    if any(getattr(new, name) != getattr(old, name) for name in plain):
        log.note(new.id, "edited")


def _require_agents(old: Memory, new: Memory) -> None:
    """Raise ForbiddenError where an agent would change what is not an agent's, or restore it.

    Removal is decided by the scope of the token.
    """
    if new == replace(old, status="deleted"):
        return
    if not is_agents(old):
        require_owner(f"memory {old.id} is the owner's")
    if new.status == "active" != old.status:
        fact = f"an agent cannot restore memory {old.id}"
        require_owner(fact, hint=_confirmed_by(old.id))


def _confirmed_by(memory_id: int) -> str:
    return f"ask the owner to confirm it: mem memories confirm {memory_id}"


def _require_own_words(tags: Sequence[str]) -> None:
    """Raise ForbiddenError where an agent would give, change or end a standing instruction."""
    if INSTRUCTION in tags:
        require_owner("standing instructions are the owner's")


def _require_own_weight(*, is_raised: bool) -> None:
    """Raise ForbiddenError where an agent would make a memory important or permanent."""
    if is_raised:
        require_owner("the owner decides what is important or permanent")


def _checked(change: MemoryChange) -> MemoryChange:
    """Return the change with values as stored. Raises InputError for invalid values."""
    if change.status is not None and change.status not in STATUSES:
        raise InputError(f"there is no status {change.status!r}", hint=f"give {_either(STATUSES)}")
    if change.layer is not None and change.layer not in LAYERS:
        raise InputError(f"there is no layer {change.layer!r}", hint=f"give {_either(LAYERS)}")
    return replace(
        change,
        content=None if change.content is None else checked_content(change.content),
        tags=None if change.tags is None else checked_tags(change.tags),
        importance=None if change.importance is None else checked_importance(change.importance),
        metadata=None if change.metadata is None else checked_metadata(change.metadata),
    )


def checked_content(text: str) -> str:
    """Return the content of a memory. Raises InputError for a missing, empty or too long text."""
    if not isinstance(text, str):
        raise InputError(f"the content is {text!r}", hint="give a str")
    content = checked_text(text, "the content").strip()
    if not content or not any(sign.isprintable() and not sign.isspace() for sign in content):
        raise InputError("the content is empty", hint="write what to remember in one sentence")
    if len(content) > MOST_CHARS:
        raise InputError(
            f"the content has {len(content):,} characters, and {MOST_CHARS:,} are the most",
            hint="keep a long text as a document: mem ingest --text",
        )
    return content


def checked_importance(importance: int) -> int:
    """Return 0 or 1. Raises InputError for anything else."""
    if type(importance) is not int or importance not in (0, 1):
        raise InputError(f"the importance is {importance!r}", hint="give 0 or 1")
    return importance


def _either(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"
