"""A folder of documents that changes all the time, as people and editors change files."""

import threading
from pathlib import Path
from random import Random

_WORDS = (
    *("harbour", "ferry", "winter", "pump", "signal", "lantern", "orchard", "copper", "station"),
    *("letter", "river", "engine", "ladder", "compass", "granite", "whistle", "meadow", "thunder"),
)
_FOLDERS = 6
_NAMES = 40
_PAUSE_S = 0.02


class ChangingTree:
    """Changes files below a folder in its own thread, until it is stopped."""

    def __init__(self, folder: Path, *, seed: int, files: int) -> None:
        self._folder = folder
        self._random = Random(f"tree {seed}")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tree")
        self.changes = 0
        for _ in range(files):
            self._write(self._anywhere())

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        ways = (self._write, self._write, self._append, self._replace, self._move, self._remove)
        while not self._stopping.wait(_PAUSE_S):
            self._random.choice(ways)(self._anywhere())
            self.changes += 1

    def _anywhere(self) -> Path:
        folder = self._folder / f"part{self._random.randrange(_FOLDERS)}"
        return folder / f"{self._random.randrange(_NAMES)}.md"

    def _text(self) -> str:
        sections = []
        for number in range(self._random.randrange(1, 7)):
            words = self._random.choices(_WORDS, k=self._random.randrange(20, 90))
            sections.append(f"## Part {number} {words[0]}\n\n{' '.join(words)}.\n")
        return "\n".join(sections)

    def _write(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(self._text(), encoding="utf-8")

    def _append(self, path: Path) -> None:
        if path.exists():
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n{' '.join(self._random.choices(_WORDS, k=12))}.\n")

    def _replace(self, path: Path) -> None:
        """Write aside and rename, as editors do."""
        path.parent.mkdir(exist_ok=True)
        aside = path.with_suffix(".swap")
        aside.write_text(self._text(), encoding="utf-8")
        aside.replace(path)

    def _move(self, path: Path) -> None:
        if path.exists():
            other = self._anywhere()
            other.parent.mkdir(exist_ok=True)
            path.replace(other)

    def _remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        if self._random.random() < 0.02:
            for other in list(path.parent.glob("*")):
                other.unlink()
