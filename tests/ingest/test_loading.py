"""Opening of files, and the structure that a file's name implies."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from contracts import install_hint
from ingest import (
    DEFAULT_PATTERNS,
    LoadedText,
    LoadLimits,
    SkippedFile,
    is_heavy,
    load,
    load_bytes,
    loader_id,
    missing_extra,
    read_bytes,
)


@pytest.mark.parametrize(
    "name, kind, language",
    [
        ("notes.md", "markdown", None),
        ("NOTES.MD", "markdown", None),
        ("/a/b.c/README", "text", None),
        ("a.tar.py", "code", "python"),
        ("Makefile", "code", "make"),
        ("CMakeLists.txt", "code", "cmake"),
        ("app.log", "text", "log"),
        ("table.csv", "table", "csv"),
        ("table.tsv", "table", "tsv"),
        ("data.json", "data", "json"),
        ("unknown.xyz", "text", None),
        ("ends-with-dot.", "text", None),
        (".md", "markdown", None),
    ],
)
def test_name_decides_the_structure(name, kind, language):
    assert load_bytes(b"x", name) == LoadedText("x", kind, "utf-8", language)


def test_patterns_name_what_the_loaders_know():
    assert {"*.md", "*.py", "*.txt", "*.csv", "makefile", "license"} <= set(DEFAULT_PATTERNS)
    assert len(DEFAULT_PATTERNS) == len(set(DEFAULT_PATTERNS))


def test_a_format_that_is_more_than_text_has_an_id_and_is_heavy():
    assert "*.pdf" in DEFAULT_PATTERNS
    assert (loader_id("a/B.PDF"), is_heavy("a/B.PDF")) == ("pdf-2", True)
    assert missing_extra("b.pdf") is None
    assert (loader_id("a.md"), is_heavy("a.md"), missing_extra("a.md")) == (
        "markdown-1",
        False,
        None,
    )
    assert (loader_id("a.TXT"), loader_id("a.rst")) == ("text-1", "rst-1")
    for name in ("a.py", "README", "unknown.xyz"):
        assert (loader_id(name), is_heavy(name), missing_extra(name)) == ("", False, None)


WITHOUT_A_LIBRARY = """
import sys
from importlib.machinery import PathFinder

class Hidden:
    def find_spec(name, path=None, target=None):
        return None if name == {library!r} else PathFinder.find_spec(name, path, target)

sys.meta_path[:] = [Hidden if item is PathFinder else item for item in sys.meta_path]
from ingest import load_bytes, missing_extra
refused = load_bytes(b"x", {name!r})
print(missing_extra({name!r}), refused.reason, refused.detail, sep="|")
"""


def test_a_format_without_its_library_names_the_extra():
    code = WITHOUT_A_LIBRARY.format(library="pypdfium2", name="report.pdf")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = f"documents|missing-extra|needs {install_hint('documents')}"
    assert done.stdout.strip() == expected


@pytest.mark.parametrize(
    "text, limit, fits",
    [("x" * 99, 99, True), ("x" * 100, 99, False), ("é" * 50, 100, True), ("é" * 51, 100, False)],
)
def test_a_text_over_the_limit_is_refused(text, limit, fits):
    loaded = load_bytes(text.encode(), "a.txt", limits=LoadLimits(text_bytes=limit))
    refused = SkippedFile("a.txt", "over-limit", f"more text than the limit of {limit} bytes")
    assert loaded == (LoadedText(text, "text", "utf-8") if fits else refused)


def test_file_is_read_whole_with_its_line_ends(tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"# A\r\n\r\nb")
    assert load(path) == LoadedText("# A\r\n\r\nb", "markdown", "utf-8")
    assert load(str(path)) == load(path)


def test_vanished_file_is_reported(tmp_path):
    assert load(tmp_path / "a.md") == SkippedFile(
        str(tmp_path / "a.md"), "vanished", "no longer there"
    )
    (tmp_path / "file").write_text("x")
    assert load(tmp_path / "file" / "below").reason == "vanished"


def test_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("12345")
    assert load(path, max_size_bytes=5).text == "12345"
    assert load(path, max_size_bytes=4) == SkippedFile(
        str(path), "too-large", "5 bytes, the limit is 4"
    )


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_file_that_hides_its_size_is_held_to_the_limit():
    assert "Name:" in load("/proc/self/status").text
    assert read_bytes("/proc/self/status", max_size_bytes=3).reason == "too-large"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs /proc")
def test_file_that_opens_but_cannot_be_read_is_reported():
    assert load("/proc/self/mem").reason == "unreadable"


def test_folder_and_pipe_are_no_files_and_do_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    assert load(tmp_path / "pipe.txt").detail == "not a regular file"
    assert load(tmp_path).reason == "unreadable"


def test_names_that_cannot_be_opened_or_printed(tmp_path):
    assert load("a\0b.txt").reason == "unreadable"
    assert load("\ud800.txt") == SkippedFile("\\ud800.txt", "unreadable", "not a usable file name")
    assert load("x" * 300).reason == "unreadable"
    odd = tmp_path / os.fsdecode(b"\xff.txt")
    odd.write_text("odd name")
    assert load(odd).text == "odd name"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_file_without_permission_is_reported(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("x")
    path.chmod(0)
    assert load(path).reason == "unreadable"


def test_file_that_is_written_to_all_the_time_is_reported(tmp_path):
    path = tmp_path / "a.log"
    path.write_bytes(b"line\n" * 400_000)
    stop = threading.Event()

    def write() -> None:
        with path.open("ab", buffering=0) as handle:
            while not stop.is_set():
                handle.write(b"line\n")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        deadline = time.monotonic() + 60
        result = read_bytes(path)
        while not isinstance(result, SkippedFile) and time.monotonic() < deadline:
            result = read_bytes(path)
    finally:
        stop.set()
        writer.join()
    assert result == SkippedFile(str(path), "changing", "written to while it was read")
    assert len(read_bytes(path)) == path.stat().st_size
