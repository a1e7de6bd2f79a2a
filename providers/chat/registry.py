"""Find a chat provider by name without importing any other."""

from importlib import import_module
from operator import attrgetter
from typing import Final

from contracts import UnavailableError, install_hint
from contracts.named_tuple import NamedTuple
from providers.chat.base import ChatProvider, ChatSettings
from providers.settings import unknown_name


class _BuiltIn(NamedTuple):
    """The place of a provider's class (`module:attribute`), its library and the library's extra."""

    factory: str
    library: str
    extra: str


_BUILT_IN: Final = {
    "openai": _BuiltIn("providers.chat.openai:OpenAIChat", library="openai", extra="openai"),
}


def create_chat(name: str, settings: ChatSettings) -> ChatProvider:
    """The chat provider called `name`; nothing heavy is loaded before its first question.

    Raises ConfigError for an unknown name or an invalid address, UnavailableError when the library
    it needs is not installed.
    """
    built_in = _BUILT_IN.get(name)
    if built_in is None:
        raise unknown_name("chat provider", name, sorted(_BUILT_IN))
    require_chat_library(name)
    module, _, attribute = built_in.factory.partition(":")
    provider: ChatProvider = attrgetter(attribute)(import_module(module))(settings)
    return provider


def require_chat_library(name: str) -> None:
    """Raise UnavailableError when a built-in provider's library is missing; loads nothing."""
    from importlib.util import find_spec

    built_in = _BUILT_IN.get(name)
    if built_in is not None and find_spec(built_in.library) is None:
        raise UnavailableError(
            f"the chat provider {name} needs the library {built_in.library},"
            " which is not installed",
            hint=install_hint(built_in.extra),
        )
