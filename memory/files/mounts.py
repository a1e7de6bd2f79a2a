"""Detection of unmounted disks, so that a sync does not take their files for deleted.

A folder on a disk that is not mounted does not exist, or is empty. Every complete sync stores which
file systems the roots are on, and which are mounted inside them; where that has changed, files that
are not found stay in the index, and the place is reported like a file that failed.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from contracts.named_tuple import NamedTuple
from ingest import SkippedFile, is_within, printable, with_parents
from memory.files.sync_plan import ScanComparison
from memory.storage import Database, Transaction, utc_now
from memory.storage.meta import FILE_SYSTEMS, FILE_SYSTEMS_AT, LAST_SYNC, read_meta, write_meta

_STAYING: Final = "; its files stay"
LOST: Final = f"root missing{_STAYING}"

Seen: TypeAlias = dict[str, dict[str, str]]
"""For each root, the device mounted at the mount point that it is on and at those inside it."""


def present_and_lost(roots: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """Return the roots that exist, and those that do not and are in none that does."""
    every = list(roots)
    present = [root for root in every if os.path.exists(root)]  # noqa: PTH110  # pathlib's raises
    return present, [root for root in every if not any(map(root.is_relative_to, present))]


def says_that_files_stay(reason: str) -> bool:
    """Return whether the reason of a problem is that a place is absent."""
    return reason.endswith(_STAYING)


def file_systems(roots: Iterable[Path]) -> Seen:
    """Return what each of these existing roots is on, and what is mounted inside it."""
    from ingest.watching.mounts import mounted

    table = mounted()
    return {str(root): mounted_for(str(root), table) for root in roots}


def mounted_for(root: str, table: Mapping[str, str]) -> dict[str, str]:
    """Return the mounts, by mount point, that a root is on or that are inside it."""
    from ingest.watching.mounts import marked

    if not table:  # a system without such a table shows at least the mount of the root
        point = next(folder for folder in with_parents(root) if os.path.ismount(folder))
        return {point: str(Path(point).stat().st_dev)}
    holding = next((folder for folder in with_parents(root) if folder in table), None)
    points = {point for point in table if is_within(point, {root})} | {holding or root}
    return {printable(point): marked(table[point], point) for point in points if point in table}


def with_marks(was: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return remembered mounts; one that was stored without the mark that it has now, with it."""
    return {
        point: now[point] if now.get(point, "").startswith(f"{mount} ") else mount
        for point, mount in was.items()
    }


class MissingMount(NamedTuple):
    """A place whose file system was unmounted or replaced, with its root and its mount point.

    Those where nothing is mounted sort before those where something else is.
    """

    is_only_another: bool
    root: str
    point: str
    place: str

    @property
    def detail(self) -> str:
        """The description of the mount."""
        what = "on another file system" if self.is_only_another else "no longer mounted"
        return f"{what}{_STAYING}"


def changed_mounts(then: Seen, states: Sequence[Seen]) -> list[MissingMount]:
    """Return where any of these states, before and after a scan, differs from the remembered
    one.
    """
    found = []
    for root, was in then.items():
        now = [state[root] for state in states if root in state]
        for point in {*was, *(point for state in now for point in state)}:
            if all(state.get(point) == was.get(point) for state in now):
                continue
            gone = point in was and any(_is_unmounted(point, root, state) for state in now)
            place = point if is_within(point, {root}) else root
            found.append(MissingMount(not gone, root, point, place))
    return sorted(found)


def _is_unmounted(point: str, root: str, now: Mapping[str, str]) -> bool:
    """Return whether nothing is mounted at a point any more; not if only something is mounted
    over it.
    """
    over = (other for other in now if is_within(root, {other}) and is_within(other, {point}))
    return next(over, None) is None and point not in now


def confirmed_missing(
    places: Iterable[MissingMount],
    tally: Callable[[MissingMount], tuple[int, int]],
    keep: Callable[[str], None],
) -> list[MissingMount]:
    """Return those of these places that are absent: files are missed there. Each is passed to
    `keep`.

    `tally` returns the number of files below a place that are missed, and of those that are found
    and were known when its file system was last there. Where something else is mounted than before,
    one of the latter is a sign that only its name is new.
    """
    missing = []
    for mount in places:
        missed, there = tally(mount)
        if missed and not (mount.is_only_another and there):
            keep(mount.place)
            missing.append(mount)
    return missing


def remembered(then: Seen, now: Seen, missing: Iterable[MissingMount]) -> Seen:
    """Return the state to remember: the present one; for absent file systems the former one."""
    kept = {**then, **{root: dict(points) for root, points in now.items()}}
    for mount in missing:
        was = then[mount.root].get(mount.point)
        kept[mount.root].pop(mount.point, None)
        if was is not None:
            kept[mount.root][mount.point] = was
    return kept


class Mounts:
    """The file systems under the roots of one sync, as they are and as they were."""

    def __init__(self, database: Database, roots: Iterable[Path]) -> None:
        self._database = database
        self.present, self._lost = present_and_lost(roots)
        self._then: Seen = read_meta(database, FILE_SYSTEMS) or {}
        self._before = file_systems(self.present)
        self._was = {
            root: with_marks(self._then.get(root, seen), seen)
            for root, seen in self._before.items()
        }
        self._now = self._then
        stored: dict[str, str] = read_meta(database, FILE_SYSTEMS_AT) or {}
        last_sync: str = read_meta(database, LAST_SYNC) or ""
        self._at = {**dict.fromkeys(self._before, last_sync), **stored}
        self._unchanged: list[str] = []

    @property
    def lost(self) -> list[str]:
        """The roots that do not exist."""
        return [str(root) for root in self._lost]

    @property
    def doubtful(self) -> list[str]:
        """Places whose files may only seem to be gone."""
        return [mount.place for mount in changed_mounts(self._was, [self._before])]

    def missing_mounts(self, comparison: ScanComparison) -> list[SkippedFile]:
        """Return the places that a scan missed, to be reported; `comparison` keeps their files."""
        after = file_systems(self.present)
        places = changed_mounts(self._was, [self._before, after])

        def tally(mount: MissingMount) -> tuple[int, int]:
            return comparison.tally(mount.place, until=self._at[mount.root])

        missing = confirmed_missing(places, tally, comparison.keep)
        away = {mount.root for mount in missing}
        self._unchanged = [root for root in after if root not in away]
        self._now = remembered({**self._then, **self._was}, after, missing)
        gone = [(mount.place, mount.detail) for mount in missing]
        lost = [(printable(str(root)), LOST) for root in self._lost]
        return [SkippedFile(place, "vanished", detail) for place, detail in (*gone, *lost)]

    def remember(self, tx: Transaction) -> None:
        """Store the present state."""
        if self._now != self._then:
            write_meta(tx, FILE_SYSTEMS, self._now)
        write_meta(tx, FILE_SYSTEMS_AT, {**self._at, **dict.fromkeys(self._unchanged, utc_now())})
