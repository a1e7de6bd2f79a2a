"""What a chat provider is: one method that asks once, and errors that say what to do next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from contracts import UnavailableError

# fmt: off
Reason: TypeAlias = Literal[
    "timeout", "unreachable", "rate limited", "server error",
    "no key", "wrong key", "not allowed", "no quota", "no model", "wrong request",
    "refused", "unreadable",
]
# fmt: on
"""Why there is no answer, as it is counted.

The first four may pass by themselves. The next six last until somebody mends the configuration or
the account. `refused` and `unreadable` belong to the question that was asked.
"""

PASSING: frozenset[Reason] = frozenset({"timeout", "unreachable", "rate limited", "server error"})
OF_THE_QUESTION: frozenset[Reason] = frozenset({"refused", "unreadable"})


class ChatError(UnavailableError):
    """A chat model did not answer a question, or refused to.

    after_s  how long its server asks to be left alone, None when it does not say
    """

    def __init__(
        self, message: str, *, hint: str, reason: Reason, after_s: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.reason: Reason = reason
        self.after_s = after_s

    @property
    def may_pass(self) -> bool:
        """Whether the same question may be answered later, with nothing changed."""
        return self.reason in PASSING

    @property
    def is_of_the_question(self) -> bool:
        """Whether another question may be answered although this one is not."""
        return self.reason in OF_THE_QUESTION


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Where a chat model is and what it is called.

    endpoint      address of the server's API, which usually ends in /v1
    model         name of the model there
    api_key       secret; never part of a repr
    key_variable  of the environment, which has the key or should have it
    """

    endpoint: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    key_variable: str = "OPENAI_API_KEY"


class ChatProvider(ABC):
    """Asks one chat model. Any thread may use it."""

    @property
    @abstractmethod
    def host(self) -> str:
        """Where questions are sent, as `host` or `host:port`; known without asking anybody."""

    @property
    @abstractmethod
    def model(self) -> str:
        """The name of the model."""

    @abstractmethod
    def complete(
        self, system: str, user: str, *, max_tokens: int, timeout_s: float, json: bool = True
    ) -> str:
        """The model's answer to one question, which is asked once: whoever asks decides again.

        `timeout_s` is the whole time it may take, `max_tokens` bounds the answer, and `json` asks
        the server to let the model write nothing but JSON, where it can. Raises ChatError.
        """
