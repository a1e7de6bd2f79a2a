"""Find an embedding provider by name without importing any other.

Built-in providers are import paths in a table. Any other name is looked up among the installed
distributions' entry points of the group `symbiosis_memory.providers`; since reading those takes
longer than a whole search, it happens only for a name that is not built in.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from contracts import ConfigError, UnavailableError, install_hint
from contracts.named_tuple import NamedTuple
from providers.base import EmbeddingProvider
from providers.settings import ProviderSettings, is_usable, unknown_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

ENTRY_POINT_GROUP: Final = "symbiosis_memory.providers"
"""An entry point of this group names a callable: ProviderSettings in, EmbeddingProvider out."""

Factory: TypeAlias = Callable[[ProviderSettings], EmbeddingProvider]


class _BuiltIn(NamedTuple):
    """The place of a factory (`module:attribute`), its library and the library's extra."""

    factory: str
    library: str | None = None
    extra: str = ""


_BUILT_IN: Final = {
    "static": _BuiltIn("providers.static_model.provider:StaticProvider.from_settings"),
    "sentence_transformers": _BuiltIn(
        "providers.sentence_transformers.provider:SentenceTransformersProvider",
        library="sentence_transformers",
        extra="sentence-transformers",
    ),
    "minilm": _BuiltIn("providers.onnx.minilm:MinilmProvider", library="onnxruntime", extra="onnx"),
    "onnx": _BuiltIn("providers.onnx.provider:OnnxProvider", library="onnxruntime", extra="onnx"),
    "openai": _BuiltIn("providers.remote.openai:OpenAIProvider", library="openai", extra="openai"),
    "gemini": _BuiltIn(
        "providers.remote.gemini:GeminiProvider", library="google.genai", extra="gemini"
    ),
    "voyage": _BuiltIn(
        "providers.remote.voyage:VoyageProvider", library="voyageai", extra="voyage"
    ),
    "fake": _BuiltIn("providers.fake:FakeProvider.from_settings"),
}


def create(name: str, settings: ProviderSettings) -> EmbeddingProvider:
    """The provider called `name`; its model may be loaded later, at its first use.

    Raises ConfigError for a name that is neither built in nor installed, and for settings the
    provider refuses; UnavailableError when a library it needs is missing or does not load.
    """
    built_in = _BUILT_IN.get(name) if is_usable(name) else None
    if built_in is None:
        return _create_plugin(name, settings)
    require_library(name)
    module, _, attribute = built_in.factory.partition(":")
    factory: Factory = attrgetter(attribute)(import_module(module))
    return factory(settings)


def known_providers() -> tuple[str, ...]:
    """Every name that `create` knows, in alphabetical order; reads all entry points."""
    return tuple(sorted({*filter(is_usable, _BUILT_IN), *_plugins().names}))


def require_library(name: str) -> None:
    """Raise UnavailableError when a built-in provider's library is missing; loads nothing."""
    built_in = _BUILT_IN.get(name, _BuiltIn(""))
    if built_in.library is not None and not _is_installed(built_in.library):
        raise UnavailableError(
            f"the embedding provider {name} needs the library {built_in.library},"
            " which is not installed",
            hint=install_hint(built_in.extra),
        )


def _is_installed(library: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(library) is not None
    except ModuleNotFoundError:  # not even the parent package
        return False


def _plugins() -> EntryPoints:
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINT_GROUP)


def _create_plugin(name: str, settings: ProviderSettings) -> EmbeddingProvider:
    plugins = _plugins()
    places = {point.value: point for point in plugins if point.name == name}
    if not places:
        raise unknown_name(
            "embedding provider", name, {*filter(is_usable, _BUILT_IN), *plugins.names}
        )
    if len(places) > 1:
        raise ConfigError(
            f"several installed plugins call themselves the embedding provider {name}:"
            f" {', '.join(sorted(places))}",
            hint="uninstall all of them but one",
        )
    (point,) = places.values()
    try:
        factory: Any = point.load()
    except (ImportError, AttributeError) as error:
        raise UnavailableError(
            f"the plugin of the embedding provider {name} ({point.value}) does not load: {error}",
            hint="install what is missing, or choose another memory.embeddings.provider",
        ) from error
    provider = factory(settings)
    if not isinstance(provider, EmbeddingProvider):
        raise ConfigError(
            f"the plugin of the embedding provider {name} ({point.value}) made a"
            f" {type(provider).__name__}, which is not an EmbeddingProvider",
            hint="choose another memory.embeddings.provider, or fix the plugin",
        )
    return provider
