"""What an audit looks at, and what it answers with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Kind: TypeAlias = Literal["secret", "contradiction", "duplicate", "echo", "stale", "never-recalled"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

MOST_FINDINGS: Final = 20
"""Findings of each kind that a report lists unless told otherwise; its counts have all of them."""

_LONGEST_EXCERPT: Final = 160


class Entry(NamedTuple):
    """What an audit reads of an active memory."""

    id: int
    content: str
    words: str
    slot: str | None
    value: str | None
    hits: int
    importance: int
    tags: str
    origin: str
    occurred_at: str
    created_at: str
    last_seen_at: str | None


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """Something that should not be remembered, or not so.

    `ids` are the records that it is about, the one that `citation` names first; `excerpt` is what
    that one says, secrets masked. `commands` mend it, one after the other.
    """

    kind: Kind
    ids: list[str]
    citation: str
    excerpt: str
    why: str
    commands: list[str]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Everything that was found: `counts` by kind, and the first `findings` of each.

    `examined` says how many memories, turns and chunks of files were looked at.
    """

    clean: bool
    counts: Mapping[Kind, int]
    findings: list[AuditFinding]
    examined: Mapping[str, int]
    seconds: float


def of_memory(kind: Kind, entry: Entry, *others: Entry, why: str) -> AuditFinding:
    """A finding about a memory, mended by removing the `others`, or it if there are none.

    Its excerpt is the whole text, to be cut and masked when it is shown.
    """
    return AuditFinding(
        kind=kind,
        ids=[f"memory:{each.id}" for each in (entry, *others)],
        citation=f"memory {entry.id}",
        excerpt=entry.content,
        why=why,
        commands=[forget(f"memory {each.id}") for each in others or (entry,)],
    )


def forget(citation: str) -> str:
    """The command that removes a record for good."""
    return f'mem forget "{citation}"'


def excerpt(text: str) -> str:
    """The beginning of a text on one line, its secrets masked."""
    from ingest.pii import without_secrets  # an audit that finds nothing needs none

    line = " ".join(without_secrets(text).split())
    return line if len(line) <= _LONGEST_EXCERPT else f"{line[: _LONGEST_EXCERPT - 1]}…"
