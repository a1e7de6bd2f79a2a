"""What an engine has to do to be measured. Standard library only: every environment loads it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np

    Vectors = np.ndarray[Any, np.dtype[np.float32]]


class Engine(ABC):
    """One engine in one mode, with all its files below `folder`.

    A process either builds and closes, or opens, asks and closes. What an engine imports is
    imported in its methods, so that a new process pays for it as a user's does.
    """

    MODES: ClassVar[Mapping[str, str]]
    """What is measured, by name, and how the engine is set for it. A mode whose name begins with
    `vector` asks by the vector alone, one that begins with `hybrid` by words too."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.folder = folder
        self.mode = mode

    @property
    def is_hybrid(self) -> bool:
        return self.mode.startswith("hybrid")

    @abstractmethod
    def build(self, chunks: Sequence[str], vectors: "Vectors") -> None:
        """Store texts with their unit vectors, `(n, dimensions)`, and index them, durably."""

    @abstractmethod
    def open(self) -> None:
        """Open what was built, ready for one query."""

    def prepare(self) -> None:  # noqa: B027  # most have nothing to prepare
        """Do what pays only when many queries follow."""

    @abstractmethod
    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        """The positions of the best `k` chunks, best first; their texts have been read."""

    def close(self) -> None:  # noqa: B027  # some have nothing to close
        """Let go of the files, everything written."""
