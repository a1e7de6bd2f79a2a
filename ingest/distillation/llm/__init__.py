"""Distillation by a language model: what it is asked, and what of its answer a turn proves."""

from ingest.distillation.llm.answer import Answer, read_answer
from ingest.distillation.llm.question import question_about, repair_of

__all__ = ["Answer", "question_about", "read_answer", "repair_of"]
