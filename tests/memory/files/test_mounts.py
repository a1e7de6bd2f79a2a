"""Disks that are not there: what is indexed of them stays, and is reported."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ingest import is_within
from memory.files.ingestion import sync_files
from memory.files.mounts import (
    MissingMount,
    changed_mounts,
    confirmed_missing,
    file_systems,
    mounted_for,
    present_and_lost,
    remembered,
    with_marks,
)
from memory.files.roots import drop_root
from memory.operations.explain_file import why_file
from memory.operations.manage import list_records
from memory.storage.meta import FILE_SYSTEMS, read_meta
from memory.workspace import Workspace
from tests.memory.databases import counts, document, write
from tests.repository import ROOT


@pytest.fixture(scope="module")
def namespace() -> list[str]:
    """The command that lets another one mount what it wants, for itself."""
    command = [shutil.which("unshare") or "unshare", "--map-root-user", "--mount"]
    tried = [*command, "mount", "-t", "tmpfs", "none", "/mnt"]
    if shutil.which("unshare") is None or subprocess.run(tried, capture_output=True).returncode:
        pytest.skip("no mount namespaces here")
    return command


def told(namespace: list[str], story: str, base: Path) -> list[tuple[dict[str, int], list[str]]]:
    """What each sync of a story counted, and the reasons that it gave."""
    command = [*namespace, sys.executable, "-m", "tests.memory.files.mounting", story, str(base)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    answers: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    for answer in answers:  # what the report says stands in the index, too
        assert answer["states"].get("failed", 0) == answer["counts"].get("failed", 0)
    return [
        (
            {key: n for key, n in answer["counts"].items() if key not in ("chunks", "embedded")},
            answer["reasons"],
        )
        for answer in answers
    ]


GONE = "disk: vanished: no longer mounted; its files stay"
OTHER = "vanished: on another file system; its files stay"


@pytest.mark.sqlite_only(
    reason="mounts in a namespace of users, which cannot reach the server's socket"
)
def test_a_root_on_a_disk(namespace: list[str], tmp_path: Path) -> None:
    assert told(namespace, "a_root_on_a_disk", tmp_path) == [
        ({"added": 2}, []),
        ({"failed": 1}, [GONE]),
        ({"failed": 1}, [GONE]),
        ({"failed": 1}, [f"disk: {OTHER}"]),
        ({"unchanged": 2}, []),
        ({"deleted": 2}, []),
    ]


@pytest.mark.sqlite_only(reason="the database is a file of the disk that fills up")
def test_a_disk_that_fills_up_in_the_middle_of_a_sync(namespace: list[str], tmp_path: Path) -> None:
    """What was stored before stays, and the next sync with room adds the rest."""
    (first, _), (again, _) = told(namespace, "a_disk_that_fills_up", tmp_path)
    assert first["added"] + first.get("unchanged", 0) == 300
    assert first.get("unchanged", 0) > 0
    assert again == {"unchanged": 300}


@pytest.mark.sqlite_only(
    reason="mounts in a namespace of users, which cannot reach the server's socket"
)
def test_a_disk_inside_a_root(namespace: list[str], tmp_path: Path) -> None:
    assert told(namespace, "a_disk_inside_a_root", tmp_path) == [
        ({"added": 3}, []),
        ({"deleted": 1, "failed": 1}, [GONE]),
        ({"unchanged": 1, "failed": 1}, [GONE]),
        ({"unchanged": 2}, []),
        ({"unchanged": 1, "deleted": 1}, []),
    ]


@pytest.mark.sqlite_only(
    reason="mounts in a namespace of users, which cannot reach the server's socket"
)
def test_a_root_that_another_disk_hides(namespace: list[str], tmp_path: Path) -> None:
    assert told(namespace, "a_root_under_a_disk", tmp_path) == [
        ({"added": 1}, []),
        ({"failed": 1}, [f"docs: {OTHER}"]),
        ({"unchanged": 1}, []),
    ]


@pytest.mark.sqlite_only(
    reason="mounts in a namespace of users, which cannot reach the server's socket"
)
@pytest.mark.parametrize("story", ["another_disk", "another_disk_on_the_device"])
def test_another_disk_with_files_of_its_own(
    namespace: list[str], tmp_path: Path, story: str
) -> None:
    """Its files are added, by a sync of one of them, too, and those of the first disk stay."""
    assert told(namespace, story, tmp_path) == [
        ({"added": 2}, []),
        ({"added": 1}, []),
        ({"added": 1, "unchanged": 1, "failed": 1}, [f"disk: {OTHER}"]),
        ({"unchanged": 2, "failed": 1}, [f"disk: {OTHER}"]),
        ({"unchanged": 2, "deleted": 2}, []),
        ({"unchanged": 1, "deleted": 1}, []),
    ]


def test_mounts_that_were_stored_without_a_mark() -> None:
    was = {"/": "ext4 /dev/a 8:1 /", "/d": "vfat /dev/b 8:2 / 12", "/e": "vfat /dev/c 8:3 /"}
    now = {"/": "ext4 /dev/a 8:1 / 7f", "/d": "vfat /dev/b 8:2 / 123"}
    assert with_marks(was, now) == {**was, "/": now["/"]}


@pytest.mark.parametrize(
    "then, before, after, missing, kept, place",
    [
        ({"/": "a"}, {"/": "a"}, {"/": "a"}, ["/r/a", "/r/d/b"], [], None),
        ({"/r": "a"}, {"/": "b"}, {"/": "b"}, ["/r/a"], ["/r/a"], "/r"),
        ({"/": "a"}, {"/": "b"}, {"/": "b"}, ["/r/a", "/r/d/b"], ["/r/a", "/r/d/b"], "/r"),
        ({"/": "a"}, {"/": "b"}, {"/": "b"}, ["/r/a"], [], None),
        ({"/": "a", "/r/d": "d"}, {"/": "a"}, {"/": "a"}, ["/r/a", "/r/d/b"], ["/r/d/b"], "/r/d"),
        ({"/": "a", "/r/d": "d"}, {"/": "a"}, {"/": "a"}, ["/r/a"], [], None),
        # mounted again while the folders were looked at
        ({"/r": "a"}, {"/": "b"}, {"/r": "a"}, ["/r/a"], ["/r/a"], "/r"),
        ({"/r": "a"}, {"/r": "a"}, {"/": "b"}, ["/r/a"], ["/r/a"], "/r"),
        ({"/": "a"}, {"/": "a"}, {"/": "a", "/r/d": "d"}, ["/r/d/b"], ["/r/d/b"], "/r/d"),
    ],
)
def test_what_stays(
    *,
    then: dict[str, str],
    before: dict[str, str],
    after: dict[str, str],
    missing: list[str],
    kept: list[str],
    place: str | None,
) -> None:
    every = ["/r/a", "/r/d/b"]
    places: list[str] = []

    def left(path: str) -> bool:
        return path in missing and not is_within(path, set(places))

    def tally(mount: MissingMount) -> tuple[int, int]:
        inside = [left(path) for path in every if is_within(path, {mount.place})]
        return sum(inside), len(inside) - sum(inside)

    found = changed_mounts({"/r": then}, [{"/r": before}, {"/r": after}])
    absent = confirmed_missing(found, tally, places.append)
    assert [path for path in missing if not left(path)] == kept
    assert places == ([place] if place else [])
    next_time = remembered({"/r": then}, {"/r": after}, absent)
    assert bool(changed_mounts(next_time, [{"/r": after}])) == bool(absent and then != after)


def test_a_system_that_lists_no_mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (seen,) = file_systems([tmp_path]).values()
    assert seen
    ((point, device),) = mounted_for(str(tmp_path), {}).items()
    assert tmp_path.is_relative_to(point)
    assert device == str(tmp_path.stat().st_dev)


def test_a_lost_root_is_a_record_until_it_is_back(memory: Workspace, docs: Path) -> None:
    write(docs, {"one/a.md": document(0), "two/b.md": document(1)})
    sync_files(memory, [docs / "one", docs / "two"])
    assert set(read_meta(memory.storage.database, FILE_SYSTEMS)) == {
        str(docs / "one"),
        str(docs / "two"),
    }
    (docs / "one").rename(docs / "away")
    assert present_and_lost([docs / "one", docs / "two"]) == ([docs / "two"], [docs / "one"])
    for _ in range(2):
        assert counts(sync_files(memory)) == {"unchanged": 1, "failed": 1}
    (problem,) = list_records(memory, only_problems=True).records
    assert (problem.path, problem.reason) == (
        str(docs / "one"),
        "vanished: root missing; its files stay",
    )
    found = why_file(memory, docs / "one/a.md")
    assert (found.verdict, found.reason) == ("missing", "root missing; its files stay")
    (docs / "away").rename(docs / "one")
    assert counts(sync_files(memory)) == {"unchanged": 2}
    assert list_records(memory, only_problems=True).records == []


@pytest.mark.parametrize("with_files", [True, False])
def test_a_lost_root_that_is_dropped_leaves_no_complaint(
    memory: Workspace, docs: Path, with_files: bool
) -> None:
    write(docs, {"one/a.md": document(0), "two/b.md": document(1)})
    sync_files(memory, [docs / "one", docs / "two"])
    (docs / "one").rename(docs / "away")
    sync_files(memory)
    assert drop_root(memory, docs / "one", with_files=with_files).files == 1
    states = [(record.path, record.state) for record in list_records(memory).records]
    assert states == [(str(docs / "one/a.md"), "indexed")] * (not with_files) + [
        (str(docs / "two/b.md"), "indexed")
    ]
