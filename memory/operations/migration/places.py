"""The place that a memory is moved to: a schema of a server, or a file."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, closing
from pathlib import Path

from contracts import InputError
from memory.config.expansion import expanded_text
from memory.storage import Storage
from memory.storage.opening import ON_SERVER, ServerAddress, open_storage

_ON_SERVER = re.compile(r"postgres(ql)?://|\s*\w+\s*=")


def opened_place(
    place: str, *, schema: str, environ: Mapping[str, str]
) -> AbstractContextManager[Storage]:
    """Open the place that a memory is moved to, and make it where it is missing.

    `place` is an address of PostgreSQL, in which `${VAR}` is read from the environment, or the name
    of a file. Raises InputError for an unset variable, and what `open_storage` does.
    """
    address, missing = expanded_text(place, environ)
    if missing is not None:
        raise InputError(f"{missing} is not set in the environment", hint="set it, or name another")
    if _ON_SERVER.match(address):
        server = ServerAddress(address, schema)
        return closing(open_storage(ON_SERVER, address=server, create=True))
    return closing(open_storage("sqlite", Path(address).absolute(), create=True))
