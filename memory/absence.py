"""Keeps what is indexed of a disk that is not there, instead of taking its files for deleted.

A folder on a disk that is not mounted does not exist, or is empty. Which file systems the roots lie
on, and which are mounted inside them, is remembered at every complete sync; where that has changed,
files that are not found stay in the index, and the place is reported like a file that failed.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from ingest import SkippedFile, is_within, printable, with_parents
from memory.documents import Document
from memory.sync_plan import SyncPlan, new_document

LOST: Final = "root missing; its files stay"

Seen: TypeAlias = dict[str, dict[str, str]]
"""For each root, what is mounted at the point that it lies on and at those inside it."""


def present_and_lost(roots: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """The roots that exist, and those that do not and lie in none that does."""
    every = list(roots)
    present = [root for root in every if os.path.exists(root)]  # noqa: PTH110  # pathlib's raises
    return present, [root for root in every if not any(map(root.is_relative_to, present))]


def file_systems(roots: Iterable[Path]) -> Seen:
    """What each of these existing roots lies on, and what is mounted inside it."""
    from ingest.watching.mounts import mounted

    table = mounted()
    return {str(root): mounted_for(str(root), table) for root in roots}


def mounted_for(root: str, table: Mapping[str, str]) -> dict[str, str]:
    """Of all that is mounted, by mount point, what a root lies on and what lies inside it."""
    if not table:  # a system without such a table tells at least what the root lies on
        point = next(folder for folder in with_parents(root) if os.path.ismount(folder))
        return {point: str(Path(point).stat().st_dev)}
    holding = next((folder for folder in with_parents(root) if folder in table), None)
    points = {point for point in table if is_within(point, {root})} | {holding or root}
    return {printable(point): table[point] for point in points if point in table}


class Absence(NamedTuple):
    """A place whose file system is another now, or none; which root it lies in, and mounted where.

    Those where nothing is mounted sort before those where something else is.
    """

    is_only_another: bool
    root: str
    point: str
    place: str

    @property
    def detail(self) -> str:
        """What to say of the place."""
        what = "on another file system" if self.is_only_another else "no longer mounted"
        return f"{what}; its files stay"


def absences(then: Seen, states: Sequence[Seen]) -> list[Absence]:
    """Where any of these states, before and after a scan, differs from what was remembered."""
    found = []
    for root, was in then.items():
        now = [state[root] for state in states if root in state]
        for point in {*was, *(point for state in now for point in state)}:
            if all(state.get(point) == was.get(point) for state in now):
                continue
            gone = point in was and any(_is_unmounted(point, root, state) for state in now)
            place = point if is_within(point, {root}) else root
            found.append(Absence(not gone, root, point, place))
    return sorted(found)


def _is_unmounted(point: str, root: str, now: Mapping[str, str]) -> bool:
    """Whether nothing is mounted at a point any more; not if only something lies over it."""
    over = (other for other in now if is_within(root, {other}) and is_within(other, {point}))
    return next(over, None) is None and point not in now


def keep_absent(
    plan: SyncPlan, known: Mapping[str, Document], places: Iterable[Absence]
) -> list[Absence]:
    """Take the files of absent file systems out of the missing ones; which are still absent.

    Where something else is mounted than before, one known file that is found is a sign that only
    its name is new.
    """
    absent = []
    for absence in places:
        inside = [path for path in known if is_within(path, {absence.place}) and known[path].hash]
        missing = [path for path in inside if path in plan.missing]
        if not missing or (absence.is_only_another and len(missing) < len(inside)):
            continue
        for path in missing:
            del plan.missing[path]
        report(plan, absence.place, absence.detail, known.get(absence.place))
        absent.append(absence)
    return absent


def report(plan: SyncPlan, place: str, detail: str, known: Document | None) -> None:
    """Have the plan say that a place is not there now."""
    document = plan.missing.pop(place, None) or known or new_document(place)
    plan.refused.append((SkippedFile(place, "vanished", detail), document))


def remembered(then: Seen, now: Seen, absent: Iterable[Absence]) -> Seen:
    """What is to be remembered: what is seen now, but for absent file systems what was before."""
    kept = {**then, **{root: dict(points) for root, points in now.items()}}
    for absence in absent:
        was = then[absence.root].get(absence.point)
        kept[absence.root].pop(absence.point, None)
        if was is not None:
            kept[absence.root][absence.point] = was
    return kept
