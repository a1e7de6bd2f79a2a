"""What a person says about themselves becomes short sentences that outlive the conversation.

Rules find them, in the words of the user alone; `extract` is a pure function and no model is asked.
`slot_of` tells what such a sentence is about, so that a newer one can take the place of an older;
a search may need it, and does not wait for the rules.
"""

from typing import TYPE_CHECKING, Any

from ingest.extractor.facts import slot_of
from ingest.extractor.topics import topic_of
from ingest.extractor.values import Candidate, Slot, Utterance

if TYPE_CHECKING:
    from ingest.extractor.extraction import extract

__all__ = ["Candidate", "Slot", "Utterance", "extract", "slot_of", "topic_of"]


def __getattr__(name: str) -> Any:
    """Import the rules at their first use."""
    if name == "extract":
        from ingest.extractor.extraction import extract

        return extract
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
