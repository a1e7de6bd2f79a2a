"""Next steps for files that are not indexed, by the reason in their record."""

from collections import Counter
from collections.abc import Iterable

from contracts import install_hint
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


def count_reasons(problems: Iterable[FileProblem]) -> dict[str, int]:
    """Count the files of each reason, the most frequent first."""
    counts = Counter(reason_code(problem.reason) for problem in problems)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
