"""What a person says about themselves becomes short sentences that outlive the conversation.

Rules find them, in the words of the user alone; `ingest.extract` is a pure function and no model is
asked. `slot_of` tells what such a sentence is about, so that a newer one can take the place of an
older; a search may need it, so the rules are not imported here.
"""

from ingest.extractor.facts import slot_of
from ingest.extractor.values import Candidate, Slot, Utterance
from ingest.extractor.words.topics import topic_of

__all__ = ["Candidate", "Slot", "Utterance", "slot_of", "topic_of"]
