"""Find folders on file systems that give no events for changes made elsewhere.

A folder on a network or in a user-space file system accepts a watch, and stays silent when another
machine writes to it. `/proc/self/mountinfo` (proc(5)) shows a folder's file system; systems without
it say nothing.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from contracts.named_tuple import NamedTuple

_MOUNTS: Final = Path("/proc/self/mountinfo")
_SILENT: Final = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "drvfs", "fuse", "glusterfs", "gpfs",
        "lustre", "ncpfs", "nfs", "nfs4", "orangefs", "prl_fs", "smb2", "smb3", "smbfs", "vboxsf",
        "virtiofs", "vmhgfs",
    }
)  # fmt: skip
_NOT_ASKED: Final = _SILENT | {"autofs"}
"""File systems that may not answer, or that are mounted by the question."""

_BY_UUID: Final = Path("/dev/disk/by-uuid")
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")
_KIND_AFTER: Final = " - "
_DEVICE_FIELD: Final = 2
_MOUNT_POINT_FIELD: Final = 4


class Mount(NamedTuple):
    """A file system and the folder where it appears."""

    point: str
    kind: str

    @property
    def is_silent(self) -> bool:
        """Return whether changes made elsewhere give no events here."""
        return self.kind in _SILENT or self.kind.startswith("fuse.")


def mounts(table: Path = _MOUNTS) -> list[Mount]:
    """The mounts, in the order of mounting; empty without such a table."""
    return [Mount(line.point, line.kind) for line in _lines(table)]


def mounted() -> dict[str, str]:
    """The mount at each point, as a text that differs for another file system or folder."""
    return {line.point: line.identity for line in _lines(_MOUNTS)}


def marked(identity: str, point: str, *, by_uuid: Path = _BY_UUID) -> str:
    """A mount of `mounted`, with a mark of its file system where that has one: another disk may be
    on the same device.
    """
    kind, _, device, _ = identity.split(" ")
    if kind in _NOT_ASKED or kind.startswith("fuse."):
        return identity
    mark = _uuid(device, by_uuid) or _number(point)
    return f"{identity} {mark}" if mark else identity


def _uuid(device: str, by_uuid: Path) -> str:
    """The UUID of the file system on a device, such as "8:17"; empty if no link tells it."""
    try:
        for link in by_uuid.iterdir():
            number = link.stat().st_rdev
            if f"{os.major(number)}:{os.minor(number)}" == device:
                return link.name
    except OSError:
        pass
    return ""


def _number(point: str) -> str:
    """The number of the file system at a mount point, see statfs(2); empty if it has none."""
    try:
        number = os.statvfs(point).f_fsid
    except OSError:
        return ""
    return f"{number:x}" if number else ""


class _Line(NamedTuple):
    point: str
    kind: str
    identity: str


def _lines(table: Path) -> list[_Line]:
    try:
        text = os.fsdecode(table.read_bytes())
    except OSError:
        return []
    return [line for row in text.split("\n") if (line := _line(row)) is not None]


def _line(row: str) -> _Line | None:
    before, found, after = row.partition(_KIND_AFTER)
    fields = before.split(" ")
    if not found or len(fields) <= _MOUNT_POINT_FIELD:
        return None
    kind, _, rest = after.partition(" ")
    device, folder = fields[_DEVICE_FIELD], fields[_DEVICE_FIELD + 1]
    identity = " ".join((kind, rest.partition(" ")[0], device, folder))
    return _Line(_unescaped(fields[_MOUNT_POINT_FIELD]), kind, identity)


def _unescaped(text: str) -> str:
    """A name in which space, tab, newline and backslash are written as octal numbers."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)


def concerning(roots: Sequence[str], mounted: Sequence[Mount]) -> list[tuple[str, Mount]]:
    """For each root its own mount, then those below it: folder and file system."""
    at = {mount.point: mount for mount in mounted}  # of several at one point, the last is visible
    found: list[tuple[str, Mount]] = []
    for root in roots:
        own = _holding(root, at)
        if own is not None:
            found.append((root, own))
        inside = root.rstrip(os.sep) + os.sep
        found += [(point, at[point]) for point in at if point.startswith(inside) and point != root]
    return found


def _holding(path: str, at: dict[str, Mount]) -> Mount | None:
    while path not in at:
        above = os.path.dirname(path)  # noqa: PTH120 - paths are text here
        if above == path:
            return None
        path = above
    return at[path]
