"""The interface of a measured engine. Standard library only: every environment loads it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np

    Vectors = np.ndarray[Any, np.dtype[np.float32]]


class Engine(ABC):
    """One engine in one mode, with all its files below `folder`.

    A process either builds and closes, or opens, asks and closes. An engine's imports are in its
    methods, so that a new process pays for them as a user's does.
    """

    MODES: ClassVar[Mapping[str, str]]
    """The measured modes, by name, with the engine's settings. A mode whose name begins with
    `vector` asks by the vector alone, one that begins with `hybrid` by words too.
    """

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
        """Open the built index, ready for one query."""

    def prepare(self) -> None:  # noqa: B027  # most have nothing to prepare
        """Do the work that pays only if many queries follow."""

    @abstractmethod
    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        """The positions of the best `k` chunks, best first; their texts have been read."""

    def close(self) -> None:  # noqa: B027  # some have nothing to close
        """Close the files, with everything written."""
