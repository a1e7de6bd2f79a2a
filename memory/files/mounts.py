"""Keeps what is indexed of a disk that is not there, instead of taking its files for deleted.

A folder on a disk that is not mounted does not exist, or is empty. Which file systems the roots lie
on, and which are mounted inside them, is remembered at every complete sync; where that has changed,
files that are not found stay in the index, and the place is reported like a file that failed.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from ingest import SkippedFile, is_within, printable, with_parents
from memory.files.sync_plan import Survey
from memory.storage import Database, Transaction
from memory.storage.meta import FILE_SYSTEMS, read_meta, write_meta

_STAYING: Final = "; its files stay"
LOST: Final = f"root missing{_STAYING}"

Seen: TypeAlias = dict[str, dict[str, str]]
"""For each root, what is mounted at the point that it lies on and at those inside it."""


def present_and_lost(roots: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """The roots that exist, and those that do not and lie in none that does."""
    every = list(roots)
    present = [root for root in every if os.path.exists(root)]  # noqa: PTH110  # pathlib's raises
    return present, [root for root in every if not any(map(root.is_relative_to, present))]


def says_that_files_stay(reason: str) -> bool:
    """Whether the reason of a problem is that a place is not there."""
    return reason.endswith(_STAYING)


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
        return f"{what}{_STAYING}"


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


def absent_among(
    places: Iterable[Absence],
    tally: Callable[[str], tuple[int, int]],
    keep: Callable[[str], None],
) -> list[Absence]:
    """Which of these are absent: files are missed there. Each is passed to `keep`.

    `tally` says how many known files below a place are missed, and how many are not. Where
    something else is mounted than before, one known file that is found is a sign that only its name
    is new.
    """
    absent = []
    for absence in places:
        missed, there = tally(absence.place)
        if missed and not (absence.is_only_another and there):
            keep(absence.place)
            absent.append(absence)
    return absent


def remembered(then: Seen, now: Seen, absent: Iterable[Absence]) -> Seen:
    """What is to be remembered: what is seen now, but for absent file systems what was before."""
    kept = {**then, **{root: dict(points) for root, points in now.items()}}
    for absence in absent:
        was = then[absence.root].get(absence.point)
        kept[absence.root].pop(absence.point, None)
        if was is not None:
            kept[absence.root][absence.point] = was
    return kept


class Mounts:
    """The file systems under the roots of one sync: what is there, and what was."""

    def __init__(self, database: Database, roots: Iterable[Path]) -> None:
        self._database = database
        self.present, self._lost = present_and_lost(roots)
        self._then: Seen = read_meta(database, FILE_SYSTEMS) or {}
        self._before = file_systems(self.present)
        self._was = {root: self._then.get(root, seen) for root, seen in self._before.items()}
        self._now: Seen | None = None

    @property
    def lost(self) -> list[str]:
        """The roots that are not there."""
        return [str(root) for root in self._lost]

    @property
    def doubtful(self) -> list[str]:
        """Where files may seem to be gone that are not."""
        return [absence.place for absence in absences(self._was, [self._before])]

    def missed(self, survey: Survey) -> list[SkippedFile]:
        """What is not there after a scan, to be reported; the survey keeps the files."""
        after = file_systems(self.present)
        places = absences(self._was, [self._before, after])
        absent = absent_among(places, survey.tally, survey.keep)
        self._now = remembered({**self._then, **self._was}, after, absent)
        gone = [(absence.place, absence.detail) for absence in absent]
        lost = [(printable(str(root)), LOST) for root in self._lost]
        return [SkippedFile(place, "vanished", detail) for place, detail in (*gone, *lost)]

    def forget(self) -> None:
        """Take what is there for what has always been: after a sync that kept nothing."""
        self._now = file_systems(self.present)

    def remember(self, tx: Transaction) -> None:
        """Store what was seen, if it is new."""
        if self._now is not None and self._now != self._then:
            write_meta(tx, FILE_SYSTEMS, self._now)
