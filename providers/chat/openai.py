"""Chat models of OpenAI, and of every server that speaks its chat completions.

Servers and models accept different options: newer models of OpenAI use another name for the answer
limit and take no temperature, LM Studio knows no JSON mode. An option that a server rejects by name
is omitted, or renamed, for the lifetime of the process.
"""

from __future__ import annotations

import json as json_of
import threading
import time
from dataclasses import replace
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from providers.chat.base import ChatError, ChatProvider, ChatSettings
from providers.chat.service import KEY_VARIABLE, OPENAI_HOST, ChatService, chat_error
from providers.remote.openai_client import NO_KEY, connected
from providers.remote.openai_errors import failure_of, reason_of
from providers.remote.retry import Clock, within
from providers.remote.service_errors import checked_url, host_of
from providers.text import well_formed

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI, OpenAIError

_SECTION: Final = "memory.llm"
_MOST_CHARS: Final = 1_000_000
"""The most characters of an answer: many times what the token limit allows."""

_NEWER_LIMIT: Final = "max_completion_tokens"
_OPTIONAL: Final = ("max_tokens", "response_format", "temperature", _NEWER_LIMIT)
_TEXT_CODES: Final = ("context_length_exceeded", "content_filter", "content_policy_violation")
_UNREADABLE_OPTIONS: Final = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)


class OpenAIChat(ChatProvider):
    """A chat model behind OpenAI's `/chat/completions`.

    The key of the variable `OPENAI_API_KEY` belongs to OpenAI and goes there only; another server
    gets a key when the settings name another variable.
    """

    def __init__(self, settings: ChatSettings, *, clock: Clock | None = None) -> None:
        """Raises ConfigError for an invalid address."""
        self._address = checked_url(settings.endpoint, key=f"{_SECTION}.endpoint")
        self._model = settings.model
        host = host_of(self._address)
        foreign = settings.key_variable == KEY_VARIABLE and host != OPENAI_HOST
        secret = None if foreign else settings.api_key
        name = "OpenAI" if host == OPENAI_HOST else "the server"
        self._service = ChatService(name, _SECTION, host, settings.key_variable, secret=secret)
        self._clock = clock or Clock()
        self._unwanted: frozenset[str] = frozenset()
        self._lock = threading.Lock()

    @property
    def host(self) -> str:
        return self._service.host

    @property
    def model(self) -> str:
        return self._model

    def complete(
        self, system: str, user: str, *, max_tokens: int, timeout_s: float, json: bool = True
    ) -> str:
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": well_formed(system)},
                {"role": "user", "content": well_formed(user)},
            ],
            "temperature": 0,
            "max_tokens": max_tokens,
        }
        if json:
            body["response_format"] = {"type": "json_object"}
        _ = self._client  # importing the library counts towards no question's time
        deadline = time.monotonic() + timeout_s
        try:
            return within(timeout_s, lambda: self._asked(body, deadline, timeout_s))
        except TimeoutError:
            silent = chat_error(self._service.silent(timeout_s))
        raise silent

    def _asked(self, body: dict[str, Any], deadline: float, timeout_s: float) -> str:
        """The answer; each rejected option is dropped before the next attempt."""
        from openai import APIStatusError, OpenAIError

        failure: ChatError
        for _ in range(len(_OPTIONAL)):
            try:
                return self._answer(self._sent(body, deadline))
            except APIStatusError as error:
                if self._learns_from(error):
                    continue
                failure = self._failure_of(error, body, timeout_s)
            except OpenAIError as error:
                failure = self._failure_of(error, body, timeout_s)
            break
        # Outside the handler: the library's message may hold the key, and must not be chained.
        raise failure

    def _failure_of(self, error: OpenAIError, body: dict[str, Any], timeout_s: float) -> ChatError:
        from openai import APIStatusError

        service = replace(self._service, asked=body["messages"][-1]["content"])
        fields = error.body if isinstance(error, APIStatusError) else None
        if isinstance(fields, dict) and _is_of_the_text(fields):
            return chat_error(service.refused(str(fields.get("message"))))
        failure = failure_of(
            error, service, model=self._model, timeout_s=timeout_s, clock=self._clock
        )
        return chat_error(failure)

    def _sent(self, body: dict[str, Any], deadline: float) -> str:
        """The raw body of the answer: the library does not validate it."""
        left_s = max(0.001, deadline - time.monotonic())
        completions = self._client.chat.completions.with_raw_response
        return completions.create(**self._wanted(body), timeout=left_s).text

    def _wanted(self, body: dict[str, Any]) -> dict[str, Any]:
        """The request in the form that this model accepts."""
        wanted = {name: value for name, value in body.items() if name not in self._unwanted}
        if "max_tokens" in self._unwanted and _NEWER_LIMIT not in self._unwanted:
            wanted[_NEWER_LIMIT] = body["max_tokens"]
        return wanted

    def _learns_from(self, error: APIStatusError) -> bool:
        """Return whether the server named an unsupported option, which is omitted from now on."""
        if error.status_code not in _UNREADABLE_OPTIONS:
            return False
        fields = error.body if isinstance(error.body, dict) else {}
        param, said = fields.get("param"), reason_of(error)
        with self._lock:
            for name in _OPTIONAL:
                if name not in self._unwanted and (name == param or (not param and name in said)):
                    self._unwanted |= {name}
                    return True
        return False

    def _answer(self, content: str) -> str:
        """The model's answer. Raises ChatError for a refusal and for an invalid answer.

        Neither is quoted: a model repeats its input.
        """
        if len(content) > _MOST_CHARS:
            raise self._service.garbage(f"more than {_MOST_CHARS} characters")
        try:
            choice = json_of.loads(content)["choices"][0]
            message = choice["message"]
            refusal, said = message.get("refusal"), message["content"]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            failure = self._service.garbage("no message")
        else:
            if refusal or choice.get("finish_reason") == "content_filter":
                raise self._service.refused("the model declines")
            if said is None:
                return ""
            if isinstance(said, str):
                return said
            failure = self._service.garbage("a message that is not text")
        raise failure

    @property
    def _client(self) -> OpenAI:
        with self._lock:
            return self._connected

    @cached_property
    def _connected(self) -> OpenAI:
        """The library's client; made under the lock."""
        needed = self._service.is_openai or self._service.secret is not None
        key = self._service.usable_key() if needed else NO_KEY
        return connected(self._address, key=key, owner=self)


def _is_of_the_text(fields: dict[str, Any]) -> bool:
    """Return whether an error object says that the question itself was too long or not allowed."""
    param = str(fields.get("param") or "")
    return fields.get("code") in _TEXT_CODES or param.startswith(("messages", "prompt"))
