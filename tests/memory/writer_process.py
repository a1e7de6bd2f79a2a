"""Writes to files without end until its input is closed; run by name in a process of its own."""

import itertools
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path


def version(number: int, size: int) -> bytes:
    """A text that shows where it ends: one word, over and over, and as long as any other."""
    word = f"word{number:06} ".encode()
    return word * (size // len(word))


def in_place(path: Path, size: int) -> Callable[[int], None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    return lambda number: os.pwrite(descriptor, version(number, size), 0) and None


def aside(path: Path, size: int) -> Callable[[int], None]:
    def replace(number: int) -> None:
        beside = path.with_suffix(".new")
        beside.write_bytes(version(number, size))
        beside.replace(path)

    return replace


def links(path: Path, _: int) -> Callable[[int], None]:
    """A file whose folder is by turns itself and a link to another folder with such a file."""
    folder = path.parent
    real, other = folder.with_name("real"), folder.with_name("other")

    def swap(_: int) -> None:
        folder.rename(real)
        other.rename(folder)
        folder.rename(other)
        real.rename(folder)

    return swap


if __name__ == "__main__":
    actions = {"in_place": in_place, "aside": aside, "links": links}
    act = actions[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
    ended = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=wait_for_end).start()
    act(0)
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    for turn in itertools.count():
        if ended.is_set():
            break
        act(turn)
