"""Reports on the import of a chat history."""

from dataclasses import dataclass, field
from typing import Final

from ingest.histories.values import EXPECTED, HistoryTurn, Omitted

_MOST_LISTED: Final = 1000
"""The most places listed; `omitted` counts all."""

_MOST_SPEAKERS: Final = 100
_MOST_CHARS: Final = 200
"""The most characters of a place and of a reason: a file may hold anything in place of a name."""


@dataclass(frozen=True, slots=True)
class OmittedMessage:
    """A place of a history that could not be imported, and the reason."""

    place: str
    reason: str


@dataclass(slots=True)
class HistoryReport:
    """The result of an import, in which `turns` were read.

    Of those `added` are new, `known` were already stored; `undated` have the time of the file.
    `omitted` counts left out messages by reason, `errors` lists those that are the fault of the
    file. `memories` counts the outcomes of the rules on the new turns. `texts` are stored
    summaries, `folded` those that said the same as another. `first` and `last` are the times of the
    first and the last turn, `speakers` the named speakers.
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
        """Count an omitted message, and list it if the file is to blame."""
        known = self.omitted.get(omitted.reason, 0)
        self.omitted[omitted.reason] = known + omitted.messages
        if omitted.reason not in EXPECTED and len(self.errors) < _MOST_LISTED:
            detail = omitted.detail or omitted.reason
            self.errors.append(OmittedMessage(omitted.place[:_MOST_CHARS], detail[:_MOST_CHARS]))
