"""The interface of a chat provider: one method that asks once, and errors with a next step."""

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
"""The reason for a missing answer, as counted in metrics.

The first four may pass by themselves. The next six last until the configuration or the account is
fixed. `refused` and `unreadable` belong to one question.
"""

OF_THE_QUESTION: frozenset[Reason] = frozenset({"refused", "unreadable"})


class ChatError(UnavailableError):
    """A chat model did not answer a question, or refused to.

    after_s  the pause that its server asks for, in seconds; None if it does not say
    """

    def __init__(
        self, message: str, *, hint: str, reason: Reason, after_s: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.reason: Reason = reason
        self.after_s = after_s

    @property
    def is_of_the_question(self) -> bool:
        """Return whether other questions may be answered although this one is not."""
        return self.reason in OF_THE_QUESTION


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """The address and name of a chat model.

    endpoint      address of the server's API, which usually ends in /v1
    model         name of the model there
    api_key       secret; never part of a repr
    key_variable  environment variable for the key
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
        """The destination of questions, as `host` or `host:port`; makes no network request."""

    @property
    @abstractmethod
    def model(self) -> str:
        """The name of the model."""

    @abstractmethod
    def complete(
        self, system: str, user: str, *, max_tokens: int, timeout_s: float, json: bool = True
    ) -> str:
        """The model's answer to one question, asked once: the caller decides about retries.

        `timeout_s` is the total time limit, `max_tokens` bounds the answer, and `json` asks the
        server to restrict the model to JSON, if it can. Raises ChatError.
        """
