"""Requests to the configured model about one turn, and the texts withheld from it."""

import os
import time
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.extractor import Candidate
from ingest.extractor.llm import own_words_of, question_about, read_answer
from ingest.pii import SECRET, privacy_tags, without_secrets
from ingest.threads.worth import worth_a_model
from memory.config.sections.conversations import LLMConfig
from memory.conversations.turns.utterances import utterance_of
from memory.conversations.turns.values import Turn
from providers.chat import ChatError, ChatProvider, ChatSettings, create_chat

MAX_TOKENS: Final = 1024
"""The most tokens of an answer, with room for models that think first."""


class Answered(NamedTuple):
    """The candidates a model found in a turn; `dropped` has a reason for each rejected item."""

    candidates: tuple[Candidate, ...]
    dropped: tuple[str, ...]
    seconds: float


class Failed(NamedTuple):
    """A request without a usable answer.

    reason   the key under which it is counted
    said     a message for people, without text of the turn or the answer
    hint     the next step
    after_s  the pause that the server asks for
    of_turn  the turn may be the cause: it counts as one of its tries
    passing  the server is fine: another turn may be answered
    seconds  the duration of the request
    """

    reason: str
    said: str
    hint: str
    after_s: float | None
    of_turn: bool
    passing: bool
    seconds: float


class ExtractionModel:
    """The configured model, loaded at the first request."""

    def __init__(self, settings: LLMConfig) -> None:
        self.settings = settings
        self._provider: ChatProvider | None = None

    def ask(self, turn: Turn, before: Turn | None) -> Answered | Failed:
        """Return the model's answer about a turn. Raises MemError for unusable settings."""
        utterance, context = utterance_of(turn), earlier_text(before)
        question = question_about(utterance, context)
        provider = self._chat_provider()
        started = time.perf_counter()
        try:
            text = provider.complete(
                question.system,
                question.user,
                max_tokens=MAX_TOKENS,
                timeout_s=self.settings.timeout_s,
            )
        except ChatError as error:
            return _failed(error, time.perf_counter() - started)
        seconds = time.perf_counter() - started
        answer = read_answer(text, utterance, context)
        if answer.fault is not None:
            return _unusable(provider, answer.fault, seconds)
        return Answered(answer.candidates, answer.dropped, seconds)

    def _chat_provider(self) -> ChatProvider:
        if self._provider is None:
            self._provider = configured_chat(self.settings)
        return self._provider


def configured_chat(llm: LLMConfig) -> ChatProvider:
    """Return the configured model. Raises MemError for unusable settings."""
    settings = ChatSettings(
        llm.endpoint, llm.model, os.environ.get(llm.api_key_env), llm.api_key_env
    )
    return create_chat(llm.provider, settings)


def withheld_reason(turn: Turn) -> str | None:
    """Return the reason for not sending a turn to the model; None if it is sent."""
    if SECRET in turn.tags or SECRET in privacy_tags(turn.text):
        return "secret"
    if not own_words_of(utterance_of(turn)).strip():
        return "words of others"
    return None if worth_a_model([turn.text]) else "small talk"


def earlier_text(before: Turn | None) -> str:
    """Return the previous turn's text, unless its user wanted nothing extracted from it."""
    if before is None or (before.role == "user" and before.extraction == "off"):
        return ""
    return without_secrets(before.text)


def _failed(error: ChatError, seconds: float) -> Failed:
    return Failed(
        reason=error.reason,
        said=error.message,
        hint=error.hint,
        after_s=error.after_s,
        of_turn=error.is_of_the_question or error.reason in ("timeout", "server error"),
        passing=error.is_of_the_question,
        seconds=seconds,
    )


def _unusable(provider: ChatProvider, fault: str, seconds: float) -> Failed:
    said = {
        "empty": "with nothing",
        "refused": "that it does not want to",
        "no JSON": "without any JSON",
    }
    return Failed(
        reason=fault,
        said=f"{provider.model} at {provider.host} answered {said[fault]}",
        hint="choose another memory.llm.model if that happens often",
        after_s=None,
        of_turn=True,
        passing=True,
        seconds=seconds,
    )
