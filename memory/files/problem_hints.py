"""Next steps for files that are not indexed, by the reason in their record."""

import re
import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

from contracts.installation import install_command, install_hint
from memory.values.reports import FileProblem

_STEPS = {
    "changing": "sync again when no program writes to them",
    "encrypted": "save them without a password",
    "outside": "sync the folders that these links lead to",
    "over-limit": "raise memory.files.max_load_seconds, max_load_memory_mb or max_text_mb",
    "too-large": "raise memory.files.max_file_size_mb",
    "undecodable": "save them, or their names, as UTF-8",
    "unreadable": "allow this user to read them",
    "vanished": "sync again; mem sync --prune removes what will not come back",
}
"""The next step for each reason that has one: binary, broken and empty files have none."""

_COMMANDS = {
    "outside": 'mem sync "$(realpath {path})"',
    "over-limit": "mem config get memory.files",
    "unreadable": "chmod u+r {path}",
    "vanished": "mem sync --prune",
}
UNREADABLE_FORMS = frozenset({"binary", "broken", "empty", "encrypted", "undecodable"})
"""Reasons that stay until the file is saved in another form, or is left out."""

_MIB = 1 << 20
_SIZE = re.compile(r"(\d+) bytes")
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


def reason_code(reason: str) -> str:
    """Return the code that a reason begins with: `too-large` of `too-large: 70 MB, the limit is
    ...`.
    """
    return reason.partition(":")[0]


def next_step(code: str) -> str | None:
    """Return the next step for files with this reason, if there is one."""
    if code == "missing-extra":
        return install_hint("documents")
    return _STEPS.get(code)


def next_command(problem: FileProblem) -> str | None:
    """Return the command for a shell that helps with one file, if one does.

    It leaves a file out that has one of `UNREADABLE_FORMS`.
    """
    code, path = reason_code(problem.reason), PurePath(problem.path)
    if code == "missing-extra":
        return install_command("documents")
    if code == "too-large" and (size := _SIZE.search(problem.reason)):
        return f"mem config set memory.files.max_file_size_mb {-(-int(size[1]) // _MIB)}"
    if code in UNREADABLE_FORMS and problem.path.isprintable():
        pattern = shlex.quote("/" + _SPECIAL.sub(r"\\\1", path.name))
        return f"echo {pattern} >> {shlex.quote(str(path.parent / '.memignore'))}"
    return _COMMANDS[code].format(path=shlex.quote(problem.path)) if code in _COMMANDS else None


def count_reasons(problems: Iterable[FileProblem]) -> dict[str, int]:
    """Count the files of each reason, the most frequent first."""
    counts = Counter(reason_code(problem.reason) for problem in problems)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
