"""A small client of a running `mem serve`, of the standard library alone.

The packages for frameworks beside this one are made of it. It is safe to use from several threads;
in asynchronous code, call it in one (`asyncio.to_thread`).
"""

from symbiosis_memory_client.client import (
    TOKEN_VARIABLE,
    URL_VARIABLE,
    MemoryClient,
    MemoryServerError,
    NewTurn,
)

__all__ = ["TOKEN_VARIABLE", "URL_VARIABLE", "MemoryClient", "MemoryServerError", "NewTurn"]
