"""Errors of a chat model's server, each with a reason that can be counted."""

import re
from dataclasses import dataclass, field
from typing import Final

from contracts import UnavailableError
from providers.chat.base import ChatError, Reason
from providers.remote.retry import TransientError
from providers.remote.service_errors import Service

OPENAI_HOST: Final = "api.openai.com"
KEY_VARIABLE: Final = "OPENAI_API_KEY"
_UNSPACED: Final = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_ESCAPE: Final = re.compile(r"\\.")
"""JSON's escapes for line ends and the like, next to a word."""

_MASKED: Final = re.compile(r"…(?:\s*…)*")


@dataclass(frozen=True, slots=True)
class ChatService(Service):
    """A chat server; every error is a ChatError, inside a TransientError if it may pass.

    asked  the question, of which no message may repeat a word: messages are kept
    """

    asked: str = field(default="", repr=False)

    def quoted(self, text: str) -> str:
        """As for any service, with repeated words of the question masked."""
        asked = f"{self.asked} {_ESCAPE.sub(' ', self.asked)}".casefold()
        private = set(_WORD.findall(asked))
        masked = _WORD.sub(lambda word: "…" if word[0].casefold() in private else word[0], text)
        return Service.quoted(self, _MASKED.sub("…", masked))

    @property
    def is_openai(self) -> bool:
        """Return whether it is OpenAI's own server; no other server gets OpenAI's key."""
        return self.host == OPENAI_HOST

    def no_key(self) -> ChatError:
        hint = f"export {self.variable}=..., or name another in {self.section}.api_key_env"
        if self.variable == KEY_VARIABLE and not self.is_openai:
            hint = f"name its variable in {self.section}.api_key_env: {KEY_VARIABLE} is OpenAI's"
        return _error(
            "no key", f"{self.name} at {self.host} needs an API key, and none is set", hint=hint
        )

    def unusable_key(self) -> ChatError:
        return _error(
            "wrong key",
            f"the API key for {self.host} holds characters that no key has",
            hint=f"set {self.variable} again",
        )

    def wrong_key(self) -> ChatError:
        if self.secret is None:
            return self.no_key()
        return _error(
            "wrong key",
            f"{self.host} does not accept the API key",
            hint=f"set {self.variable} to another one",
        )

    def forbidden(self, reason: str) -> ChatError:
        return _error(
            "not allowed",
            f"{self.host} does not allow this: {self.quoted(reason)}",
            hint=f"allow it in the account at {self.name}, or use another key",
        )

    def unknown_model(self, model: str) -> ChatError:
        return _error(
            "no model",
            f"{self.host} has no chat model {model!r}",
            hint=f"set {self.section}.model to one that it has",
        )

    def nothing_at(self, path: str) -> ChatError:
        return _error(
            "no model",
            f"{self.host} has nothing at {path}",
            hint=f"fix {self.section}.endpoint, which usually ends in /v1",
        )

    def used_up(self, reason: str) -> ChatError:
        return _error(
            "no quota",
            f"the quota at {self.host} is used up: {self.quoted(reason)}",
            hint=f"add credit at {self.name} or wait for its next period",
        )

    def rejected(self, reason: str) -> ChatError:
        return _error(
            "wrong request",
            f"{self.host} rejects the request: {self.quoted(reason)}",
            hint=f"fix the section {self.section} first",
        )

    def refused(self, reason: str) -> ChatError:
        return _error(
            "refused",
            f"{self.host} refuses the text: {self.quoted(reason)}",
            hint="nothing to do: the memories found by the rules are kept",
        )

    def garbage(self, what: str) -> ChatError:
        return _error(
            "unreadable",
            f"{self.host} answered with {self.quoted(what)}",
            hint=f"make sure that {self.section} names a chat model of that server",
        )

    def busy(self, status: int, reason: str, *, after_s: float | None = None) -> TransientError:
        said = f"{status} {self.quoted(reason)}".strip()
        pause = "" if after_s is None else f", and asks to wait {after_s:g} seconds"
        error = ChatError(
            f"{self.host} is too busy or broken ({said}){pause}",
            hint="nothing to do: it is asked again later",
            reason="rate limited" if status == 429 else "server error",
            after_s=after_s,
        )
        return TransientError(error, after_s=after_s)

    def unreachable(self, reason: str) -> TransientError:
        return TransientError(
            _error(
                "unreachable",
                f"the connection to {self.host} failed: {self.quoted(reason)}",
                hint=f"check {self.section}.endpoint and that the server is running",
            )
        )

    def silent(self, timeout_s: float) -> TransientError:
        return TransientError(
            _error(
                "timeout",
                f"{self.host} did not answer within {timeout_s:.3g} seconds",
                hint=f"set {self.section}.timeout_s higher if the model is that slow",
            )
        )


def chat_error(failure: UnavailableError | TransientError) -> ChatError:
    """The ChatError within; any error not made by this service counts as unreadable."""
    error = failure.error if isinstance(failure, TransientError) else failure
    if isinstance(error, ChatError):
        return error
    return ChatError(error.message, hint=error.hint, reason="unreadable")


def _error(reason: Reason, message: str, *, hint: str) -> ChatError:
    return ChatError(message, hint=hint, reason=reason)
