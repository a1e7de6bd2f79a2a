"""The environment of each engine: its packages, and its creation."""

import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness.processes import ROOT

_MADE = "made-of.txt"


@dataclass(frozen=True, slots=True)
class Packages:
    """The packages of an engine; the first is the engine itself.

    `with_torch`: torch is installed before the others, in the version of `constraints.txt`, from a
    package index for processors only: the default build of PyPI brings CUDA.
    """

    pinned: tuple[str, ...]
    with_torch: bool = False

    @property
    def engine(self) -> str:
        """The engine with its version, such as `chromadb 1.5.9`."""
        return self.pinned[0].replace("==", " ")


NUMPY = "numpy==2.4.6"

PACKAGES: dict[str, Packages] = {
    "sqlite_vec": Packages(("sqlite-vec==0.1.9", "apsw==3.54.1.0", NUMPY)),
    "lancedb": Packages(("lancedb==0.40.0", "pyarrow==26.0.1", NUMPY)),
    "chroma": Packages(("chromadb==1.5.9", NUMPY)),
    "txtai": Packages(("txtai==9.14.0",), with_torch=True),
    "qdrant": Packages(("qdrant-client==1.20.0", NUMPY)),
}
"""The peers by the module of their adapter."""


def interpreter(name: str, folder: Path) -> str:
    """The Python of an engine's environment below `folder`, made if needed."""
    home = folder / name
    python = home / "bin" / "python"
    made_of = "\n".join((*_torch(PACKAGES[name]), *PACKAGES[name].pinned))
    if not (home / _MADE).exists() or (home / _MADE).read_text(encoding="utf-8") != made_of:
        print(f"making the environment of {PACKAGES[name].engine}", file=sys.stderr, flush=True)
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        for packages in (_torch(PACKAGES[name]), PACKAGES[name].pinned):
            if packages:
                _install(python, packages)
        (home / _MADE).write_text(made_of, encoding="utf-8")
    return str(python)


def _install(python: Path, packages: tuple[str, ...]) -> None:
    """Install packages. Raises RuntimeError with pip's message if that fails."""
    command = [str(python), "-m", "pip", "install", "--quiet", *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr[-2000:]
        raise RuntimeError(f"{', '.join(packages)} cannot be installed:\n{said}")


def _torch(packages: Packages) -> tuple[str, ...]:
    if not packages.with_torch:
        return ()
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line.startswith("torch=="))
