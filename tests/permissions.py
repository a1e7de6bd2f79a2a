"""Permissions of files, which do not count for root."""

import codecs
import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Become somebody else for a while, where root runs the tests."""
    if os.geteuid() != 0:
        yield
        return
    codecs.lookup("utf-8-sig")  # what is imported when it is needed may lie out of reach
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)
