"""Regular expressions that are compiled at their first use.

Compiling all patterns of a search takes longer than searching a small collection, and most queries
hold no identifier, phrase or operator at all. The patterns of the extraction of facts take a server
0.1 s, which is ready before anybody says something.
"""

import re
from typing import cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class _Deferred:
    """Takes over the methods of the compiled pattern at the first use."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def deferred(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, at its first use; it offers methods, `pattern` and `flags`."""
    return cast("re.Pattern[str]", _Deferred(pattern, flags))
