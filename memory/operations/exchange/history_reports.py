"""What the import of a chat history answers with."""

from dataclasses import dataclass, field
from typing import Final

from ingest.histories.values import EXPECTED, HistoryTurn, Omitted

_MOST_LISTED: Final = 1000
"""Places that are listed; `omitted` counts all."""

_MOST_SPEAKERS: Final = 100
_MOST_CHARS: Final = 200
"""Of a place and of a reason: a file may hold anything where a name should be."""


@dataclass(frozen=True, slots=True)
class OmittedMessage:
    """A place of a history that could not be taken, and why."""

    place: str
    reason: str


@dataclass(slots=True)
class HistoryReport:
    """What became of a history, of which `turns` were read.

    Of those `added` are new, `known` were there already; `undated` have the time of the file.
    `omitted` counts messages by why they were left out, `errors` lists those that are the fault of
    the file. `memories` are what the rules made of the new turns, by what became of it. `texts`
    are summaries that were stored, `folded` those that said the same as another. `first` and
    `last` are when the first and the last was said, `speakers` whoever speaks under a name.
    """

    format: str
    sessions: int = 0
    turns: int = 0
    added: int = 0
    known: int = 0
    undated: int = 0
    omitted: dict[str, int] = field(default_factory=dict)
    memories: dict[str, int] = field(default_factory=dict)
    texts: int = 0
    folded: int = 0
    first: str | None = None
    last: str | None = None
    speakers: list[str] = field(default_factory=list)
    seconds: float = 0.0
    dry_run: bool = False
    errors: list[OmittedMessage] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def note_turn(self, turn: HistoryTurn) -> None:
        """Count a turn that was read."""
        self.turns += 1
        name = turn.speaker
        if name and name not in self.speakers and len(self.speakers) < _MOST_SPEAKERS:
            self.speakers.append(name)
        if turn.ts is None:
            self.undated += 1
            return
        self.first = min(self.first or turn.ts, turn.ts)
        self.last = max(self.last or turn.ts, turn.ts)

    def note_omitted(self, omitted: Omitted) -> None:
        """Count what was left out, and list it if the file is to blame."""
        known = self.omitted.get(omitted.reason, 0)
        self.omitted[omitted.reason] = known + omitted.messages
        if omitted.reason not in EXPECTED and len(self.errors) < _MOST_LISTED:
            detail = omitted.detail or omitted.reason
            self.errors.append(OmittedMessage(omitted.place[:_MOST_CHARS], detail[:_MOST_CHARS]))
