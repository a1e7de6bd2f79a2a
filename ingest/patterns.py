"""Match file names against the configured patterns, in a fraction of a microsecond per name.

Nearly every pattern is `*.suffix` or a whole name, which a set answers. The rest is one regular
expression; patterns with a slash are matched against the path below the root, as in ignore files.
"""

import fnmatch
import os
import re
from collections.abc import Sequence
from typing import Final

from ingest.ignore import IgnoreFile

_WILD: Final = frozenset("*?[")


class FilePatterns:
    """The configured file patterns, compiled once. Upper and lower case are the same."""

    __slots__ = ("_names", "_others", "_paths", "_suffixes")

    def __init__(self, patterns: Sequence[str]) -> None:
        lowered = [pattern.lower() for pattern in patterns]
        self._paths = IgnoreFile([p + "**" if p.endswith("/") else p for p in lowered if "/" in p])
        plain = [p for p in lowered if "/" not in p]
        self._suffixes = frozenset(p[1:] for p in plain if _is_suffix(p))
        self._names = frozenset(p for p in plain if not _WILD.intersection(p))
        others = [p for p in plain if not _is_suffix(p) and _WILD.intersection(p)]
        self._others = re.compile("|".join(map(fnmatch.translate, others))) if others else None

    def take(self, name: str, below_root: str) -> bool:
        """Return whether a file called `name` in the folder `below_root` (ends with a slash or is
        empty) matches.
        """
        name = name.lower()
        if name[name.rfind(".") :] in self._suffixes or name in self._names:
            return True
        if self._others is not None and self._others.match(name):
            return True
        if not self._paths:
            return False
        folder = below_root.lower().replace(os.sep, "/")
        return self._paths.verdict(name, folder) is True


def _is_suffix(pattern: str) -> bool:
    """Return whether it is like `*.md`; not `*.tar.gz`, whose last dot is not its first, nor
    `*.[ch]`.
    """
    return pattern.startswith("*.") and not _WILD.union(".").intersection(pattern[2:])
