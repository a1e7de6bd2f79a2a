"""Values of an audit: entries, findings and the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from contracts.named_tuple import NamedTuple

Kind: TypeAlias = Literal[
    "secret", "contradiction", "unconfirmed", "duplicate", "echo", "stale", "never-recalled"
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

MOST_FINDINGS: Final = 20
"""The default number of findings of each kind in a report; its counts include all."""

_LONGEST_EXCERPT: Final = 160


class Entry(NamedTuple):
    """The data of an active memory that an audit reads."""

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
    """A memory or text that needs review.

    `ids` are the records concerned, the one that `citation` names first; `excerpt` is the text of
    that one, secrets masked. Running `commands` in order fixes it.
    """

    kind: Kind
    ids: list[str]
    citation: str
    excerpt: str
    why: str
    commands: list[str]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of an audit: `counts` by kind, and the first `findings` of each.

    `examined` has the numbers of memories, turns and chunks of files that were checked.
    """

    clean: bool
    counts: Mapping[Kind, int]
    findings: list[AuditFinding]
    examined: Mapping[str, int]
    seconds: float


def of_memory(kind: Kind, entry: Entry, *others: Entry, why: str) -> AuditFinding:
    """Return a finding about a memory, fixed by removing the `others`, or itself without others.

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
    """Return the command that removes a record for good."""
    return f'mem forget "{citation}"'


def excerpt(text: str) -> str:
    """Return the beginning of a text on one line, its secrets masked."""
    from ingest.pii import without_secrets  # not needed without findings

    line = " ".join(without_secrets(text).split())
    return line if len(line) <= _LONGEST_EXCERPT else f"{line[: _LONGEST_EXCERPT - 1]}…"
