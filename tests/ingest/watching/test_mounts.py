"""Folders without events, and file systems that come and go inside a root."""

import os
import sys
from pathlib import Path

import pytest

from ingest import ScanRules
from ingest.watching.mounts import Mount, concerning, marked, mounts
from ingest.watching.opening import _Events
from tests.ingest.watching.namespaces import in_own_namespace
from tests.ingest.watching.watched import POLLING_S, Watched

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has that table")


def test_reads_what_is_mounted(tmp_path):
    table = tmp_path / "mountinfo"
    table.write_text(
        "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
        "30 27 0:30 / /mnt/a\\040b rw master:2 propagate_from:2 - nfs4 host:/x rw\n"
        "31 27 0:31 / /mnt/ssh rw - fuse.sshfs me@host: rw\n"
        "32 27 8:1 / /mnt/disk rw - fuseblk /dev/sda1 rw\n"
        "nonsense\n"
    )
    found = mounts(table)
    assert [(mount.point, mount.kind, mount.is_silent) for mount in found] == [
        ("/", "ext4", False),
        ("/mnt/a b", "nfs4", True),
        ("/mnt/ssh", "fuse.sshfs", True),
        ("/mnt/disk", "fuseblk", False),
    ]
    assert concerning(["/home/me"], found) == [("/home/me", Mount("/", "ext4"))]
    assert concerning(["/mnt/a b/docs"], found) == [("/mnt/a b/docs", Mount("/mnt/a b", "nfs4"))]
    assert concerning(["/mnt"], found) == [
        ("/mnt", Mount("/", "ext4")),
        ("/mnt/a b", Mount("/mnt/a b", "nfs4")),
        ("/mnt/ssh", Mount("/mnt/ssh", "fuse.sshfs")),
        ("/mnt/disk", Mount("/mnt/disk", "fuseblk")),
    ]
    assert mounts(tmp_path / "none") == []
    assert concerning(["/home"], []) == []


@linux
def test_a_mount_has_a_mark_of_its_file_system(tmp_path):
    device = Path(os.devnull).stat().st_rdev
    number = f"{os.major(device)}:{os.minor(device)}"
    by_uuid = tmp_path / "by-uuid"
    by_uuid.mkdir()
    (by_uuid / "1A2B-3C4D").symlink_to(os.devnull)
    (by_uuid / "5E6F").symlink_to("/dev/zero")
    stick, other = f"vfat /dev/sdb1 {number} /", "vfat /dev/sdb1 99:99 /"
    fsid = os.statvfs(tmp_path).f_fsid
    own = f"{other} {fsid:x}" if fsid else other
    assert marked(stick, str(tmp_path), by_uuid=by_uuid) == f"{stick} 1A2B-3C4D"
    assert marked(other, str(tmp_path), by_uuid=by_uuid) == own
    assert marked(other, str(tmp_path), by_uuid=tmp_path / "none") == own
    assert marked(other, str(tmp_path / "none"), by_uuid=by_uuid) == other
    share = f"nfs4 host:/x {number} /"
    assert marked(share, str(tmp_path), by_uuid=by_uuid) == share


@linux
def test_what_is_silent_is_polled_and_the_rest_is_not(tmp_path):
    """One root on a local disk with a share in it, another root on a share."""
    local, other = tmp_path / "local", tmp_path / "other"
    share = local / "share"
    for folder in (local, share, other):
        folder.mkdir()
        (folder / "a.md").write_text("there")
    table = [Mount("/", "ext4"), Mount(str(share), "nfs4"), Mount(str(other), "fuse.sshfs")]
    source = _Events(
        (str(local), str(other)),
        ScanRules(),
        "auto",
        polling_s=POLLING_S,
        mounted=lambda: list(table),
    )
    assert source.method == "inotify"
    said = "polled, for fuse.sshfs, nfs4 gives no events of other machines"
    assert source.reason == f"{share}, {other}: {said}"
    watched = Watched(tmp_path, source)
    for folder in (local, share, other):
        (folder / "a.md").write_text("changed")
        watched.until(lambda folder=folder: watched.covers(folder / "a.md"), str(folder))
    assert not watched.overflow
    table.pop()
    watched.until(lambda: watched.overflow, "a share that is gone")
    assert source.reason == f"{share}: polled, for nfs4 gives no events of other machines"
    source.close()


@linux
def test_nothing_but_silent_roots(tmp_path):
    table = [Mount("/", "virtiofs")]
    source = _Events(
        (str(tmp_path),), ScanRules(), "auto", polling_s=POLLING_S, mounted=lambda: table
    )
    assert source.method == "polling"
    assert source.reason == f"{tmp_path}: polled, for virtiofs gives no events of other machines"
    source.close()
    source = _Events(
        (str(tmp_path),), ScanRules(), "events", polling_s=POLLING_S, mounted=lambda: table
    )
    assert (source.method, source.reason) == ("inotify", None)
    source.close()


@linux
def test_a_mount_inside_a_root_comes_and_goes(tmp_path):
    (tmp_path / "root" / "disk").mkdir(parents=True)
    code = f"""if True:
    import subprocess, time
    from pathlib import Path
    from ingest.watching import open_events
    disk = Path("{tmp_path}/root/disk")
    source = open_events([disk.parent], polling_s=.05)
    def until(seen):
        deadline = time.monotonic() + 20
        while not seen(hints := source.wait(.2)):
            assert time.monotonic() < deadline, hints
    subprocess.run(["mount", "-t", "tmpfs", "none", disk], check=True)
    until(lambda hints: hints.overflow)
    (disk / "a.md").write_text("on the mounted disk")
    until(lambda hints: str(disk / "a.md") in hints.paths)
    subprocess.run(["umount", disk], check=True)
    until(lambda hints: hints.overflow)
    (disk / "b.md").write_text("on the disk below")
    until(lambda hints: str(disk / "b.md") in hints.paths)
    print("seen")
    """
    assert in_own_namespace(code) == "seen\n"
