"""Errors, values and protocols shared by the packages. Nothing here depends on a package."""

from contracts.errors import (
    BusyError,
    ConfigError,
    ForbiddenError,
    IncompatibleError,
    InputError,
    MemError,
    NotFoundError,
    StorageError,
    UnavailableError,
    did_you_mean,
)
from contracts.installation import install_hint
from contracts.protocols import CandidateIndex
from contracts.values import (
    ChunkRow,
    KeywordFields,
    KeywordQuery,
    QueryVector,
    Scope,
    Scored,
    Source,
)

__all__ = [
    "BusyError",
    "CandidateIndex",
    "ChunkRow",
    "ConfigError",
    "ForbiddenError",
    "IncompatibleError",
    "InputError",
    "KeywordFields",
    "KeywordQuery",
    "MemError",
    "NotFoundError",
    "QueryVector",
    "Scope",
    "Scored",
    "Source",
    "StorageError",
    "UnavailableError",
    "did_you_mean",
    "install_hint",
]
