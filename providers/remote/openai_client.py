"""The client of OpenAI's library, as embedding and chat models of any such server use it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openai import OpenAI

NO_KEY: Final = "none"
"""The placeholder key for a server without keys: the library requires one."""


def connected(address: str, *, key: str, owner: object) -> OpenAI:
    """Return a client, usable by any thread, which is closed with the object that owns it.

    An address is always given, or the environment could send texts elsewhere. Redirects are off for
    the same reason: texts go only to the configured server.
    """
    from openai import DefaultHttpxClient, OpenAI

    http = DefaultHttpxClient(follow_redirects=False)
    client = OpenAI(api_key=key, base_url=address, max_retries=0, http_client=http)
    weakref.finalize(owner, client.close)
    return client
