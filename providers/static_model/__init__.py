"""The built-in embedding model: a table of token vectors that ships with the program."""

from providers.static_model.provider import StaticProvider

__all__ = ["StaticProvider"]
