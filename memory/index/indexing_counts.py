"""The counts of what an indexer stored, and the warnings that it collected."""

from dataclasses import dataclass, field

from memory.index.preparation import PreparedDocument

NOTE_WARNINGS = 10
"""The most warnings of front matter in one report."""


@dataclass(slots=True)
class IndexingCounts:
    """Counts of what was stored: new chunks, and vectors computed or known already.

    `tokens`, estimated, are those that a dry run would embed. `refused` chunks have no vector since
    the provider refuses their text; `refusal` is a reason. `warnings` says why chunks were stored
    without a vector otherwise, if any were; `notes` are those of front matter.
    """

    chunks: int = 0
    embedded: int = 0
    cached: int = 0
    tokens: int = 0
    refused: int = 0
    refusal: str = ""
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def note_warnings(self, prepared: PreparedDocument) -> None:
        """Keep what a note's front matter made the loader warn of."""
        note = prepared.loaded.note
        if note is not None:
            self.notes += (f"{prepared.document.path}: {each}" for each in note.warnings)

    def all_warnings(self) -> list[str]:
        """Return why front matter is text only and why chunks have no vector."""
        more = len(self.notes) - NOTE_WARNINGS
        notes = self.notes[:NOTE_WARNINGS]
        if more > 0:
            notes.append(f"and {more:,} more warnings of front matter")
        return [*notes, *self._without_vector()]

    def _without_vector(self) -> list[str]:
        if not self.refusal:
            return list(self.warnings)
        refused = (
            f"{self.refused:,} of the chunks have no vector and are found by keywords only: "
            f"{self.refusal}; mem status lists them"
        )
        return [*self.warnings, refused]
