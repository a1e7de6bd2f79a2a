"""What a language model is asked about a turn, and what of its answer is believed.

Nothing here asks a model: `question_about` makes the two texts to send, `read_answer` makes
candidates of what came back. Each item that a model gives must prove itself by a quote of the turn.
"""

from ingest.extractor.llm.answer import Answer, read_answer
from ingest.extractor.llm.question import Question, own_words_of, question_about

__all__ = ["Answer", "Question", "own_words_of", "question_about", "read_answer"]
