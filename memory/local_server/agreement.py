"""A digest of everything that decides what a command does: equal ones give equal answers.

A command uses a server only when both have the same one. It is keyed, because what it digests
includes secrets and the server shows it to anybody who connects.
"""

import os

from memory import __version__
from memory.config.loading import LoadedConfig
from memory.local_server.address import Identity
from memory.local_server.protocol import keyed_hash

_VARIABLES = ("HOME", "TZ", "HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "SYMBIOSIS_MEMORY_TESTS")
"""Variables of the environment that change answers, besides those that the configuration names."""


def agreement(loaded: LoadedConfig, identity: Identity, key: bytes) -> str:
    """Return the digest of the program's version, the settings with their trust, and the database.

    The folder that relative paths started at is left out: they are absolute by now.
    """
    names = (*_VARIABLES, loaded.config.memory.llm.api_key_env)
    parts = (
        *(__version__, os.geteuid(), identity, loaded.config),
        *(loaded.path, loaded.merely_found, loaded.users_database, loaded.trusts_database),
        *(os.environ.get(name) for name in names),
    )
    return keyed_hash(repr(parts).encode("utf-8", "surrogateescape"), key)
