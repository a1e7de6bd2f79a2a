"""The language model that distils turns: asked once a turn, and once more after a broken form."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.distillation import Findings
from ingest.distillation.llm import Answer, question_about, read_answer, repair_of
from ingest.extractor import Utterance
from ingest.extractor.frames import is_framed
from memory.conversations.llm_extraction.request import (
    MAX_TOKENS,
    configured_chat,
    earlier_text,
    withheld_reason,
)
from memory.conversations.turns.values import Turn
from memory.workspace import Workspace
from providers.chat import ChatError, ChatProvider

_BROKEN: Final = "broken form"


class Asked(NamedTuple):
    """The findings of a model in a turn, and the number of rejected items, by reason."""

    findings: Findings
    rejected: Mapping[str, int]


class DistillationModel:
    """The configured model, loaded at the first question."""

    def __init__(self, workspace: Workspace) -> None:
        self._settings = workspace.config.distillation.llm
        self._provider: ChatProvider | None = None

    @property
    def is_configured(self) -> bool:
        return self._settings.is_configured

    def ask(
        self, turn: Turn, utterance: Utterance, before: Turn | None, loops: Sequence[str]
    ) -> Asked:
        """Ask about a turn, given as an utterance too, unless there is a reason not to.

        Raises ChatError where the server is the cause of a failure: the turn is asked about later.
        """
        if withheld_reason(turn) is not None or is_framed(utterance):
            return Asked(Findings(), {})
        context = earlier_text(before)
        question = question_about(utterance, context, loops)
        for _ in range(2):
            try:
                text = self._chat().complete(
                    question.system,
                    question.user,
                    max_tokens=MAX_TOKENS,
                    timeout_s=self._settings.timeout_s,
                )
            except ChatError as error:
                if not error.is_of_the_question:
                    raise
                return Asked(Findings(), {error.reason: 1})
            answer = read_answer(text, utterance, context, loops)
            if isinstance(answer, Answer):
                return Asked(answer.findings, answer.rejected)
            question = repair_of(question, answer.fault)
        return Asked(Findings(), Counter({_BROKEN: 1}))

    def _chat(self) -> ChatProvider:
        if self._provider is None:
            self._provider = configured_chat(self._settings)
        return self._provider
