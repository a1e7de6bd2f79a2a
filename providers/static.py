"""The registry's factory for the built-in model, separate so that the model knows no settings."""

from contracts import ConfigError
from providers.settings import ProviderSettings
from providers.static_model.provider import StaticProvider


def create_static(settings: ProviderSettings) -> StaticProvider:
    """The built-in model; `settings.model` may name it, or a folder with another of its kind.

    It has no options and ignores all other settings.
    """
    settings.refuse_unknown_options("static", ())
    if settings.model_folder:
        return StaticProvider(settings.model_folder)
    provider = StaticProvider()
    if settings.model and settings.model != provider.model_name:
        raise ConfigError(
            f"the embedding provider static has no model {settings.model!r}",
            hint=f"set memory.embeddings.model to null or to {provider.model_name},"
            " or choose another memory.embeddings.provider",
        )
    return provider
