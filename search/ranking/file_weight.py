"""Lower weights of files that are seldom what a question about code is after.

Tests repeat the words of what they test, vendored and generated code those of others, the indexes
of a site and lock files those of everything. A question that asks for such files gets them: by
their word, or by leaving the rule out of the options.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from contracts.named_tuple import NamedTuple

FileRule: TypeAlias = Literal[
    "tests", "vendored", "generated", "minified", "source_pages", "lock_files"
]
FILE_RULES: tuple[FileRule, ...] = get_args(FileRule)

LOWERED = 0.6
"""The weight of a file under a rule. Chosen on questions about the code of requests and rich."""

_PROSE = (
    *(".adoc", ".doc", ".docx", ".epub", ".htm", ".html", ".ipynb", ".md", ".odt", ".org"),
    *(".pdf", ".ppt", ".pptx", ".rst", ".tex", ".txt"),
)


class _Rule(NamedTuple):
    """The files that a rule is about, in lower case, and the words that ask for them.

    A file is below one of `folders` (prose is not, if the rule leaves it out), has one of `names`,
    or its name begins or ends in one of those ways.
    """

    words: frozenset[str]
    folders: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    leaves_prose: bool = True

    def is_about(self, folders: Collection[str], name: str) -> bool:
        """Return whether a file of this name in these folders is under the rule."""
        if name in self.names:
            return True
        if self.leaves_prose and name.endswith(_PROSE):
            return False
        return (
            name.startswith(self.beginnings)
            or name.endswith(self.endings)
            or not self.folders.isdisjoint(folders)
        )


_RULES: Final[dict[FileRule, _Rule]] = {
    "tests": _Rule(
        frozenset(
            {
                *("conftest", "fixture", "fixtures", "pytest", "spec", "specs", "test", "tested"),
                *("testing", "tests", "unittest"),
            }
        ),
        folders=frozenset({"__tests__", "test", "tests"}),
        names=frozenset({"conftest.py", "test.py", "tests.py", "tests.rs"}),
        beginnings=("test_",),
        endings=(
            *("_test.c", "_test.cc", "_test.cpp", "_test.exs", "_test.go", "_test.py", "_test.rb"),
            *("_tests.py", "_spec.rb", ".spec.js", ".spec.jsx", ".spec.ts", ".spec.tsx"),
            *(".test.js", ".test.jsx", ".test.mjs", ".test.ts", ".test.tsx"),
            *("test.java", "tests.java", "test.kt", "tests.cs", "spec.scala", "tests.swift"),
        ),
    ),
    "vendored": _Rule(
        frozenset({"vendor", "vendored"}),
        folders=frozenset(
            {
                *("_vendor", "bower_components", "node_modules", "third-party", "third_party"),
                *("thirdparty", "vendor", "vendored"),
            }
        ),
        leaves_prose=False,
    ),
    "generated": _Rule(
        frozenset({"generated", "genindex", "searchindex"}),
        folders=frozenset({"__generated__", "generated"}),
        names=frozenset(
            {
                *("genindex.html", "py-modindex.html", "search_index.json", "searchindex.js"),
                *(
                    f"genindex-{part}.html"
                    for part in (*"abcdefghijklmnopqrstuvwxyz_", "all", "symbols")
                ),
            }
        ),
        beginnings=("zz_generated",),
        endings=(
            *("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.cc", ".pb.go", ".pb.h", ".g.cs"),
            *(".g.dart", ".freezed.dart", ".designer.cs", ".generated.cs", ".generated.ts"),
            *("_generated.go", "_generated.rs"),
        ),
    ),
    "minified": _Rule(
        frozenset({"bundle", "minified"}),
        endings=(
            ".min.css",
            ".min.js",
            ".min.mjs",
            ".bundle.js",
            ".chunk.js",
            ".css.map",
            ".js.map",
        ),
    ),
    "source_pages": _Rule(
        frozenset({"_modules", "_sources"}),
        folders=frozenset({"_modules", "_sources"}),
        leaves_prose=False,
    ),
    "lock_files": _Rule(
        frozenset({"lock", "locked", "lockfile", "lockfiles"}),
        names=frozenset(
            {
                *("bun.lock", "cargo.lock", "composer.lock", "flake.lock", "gemfile.lock"),
                *("go.sum", "mix.lock", "npm-shrinkwrap.json", "package-lock.json"),
                *("packages.lock.json", "pdm.lock", "pipfile.lock", "pnpm-lock.yaml"),
                *("podfile.lock", "poetry.lock", "pubspec.lock", "uv.lock", "yarn.lock"),
            }
        ),
    ),
}


class FileWeights:
    """The weights of files for one question, by their path."""

    def __init__(self, rules: Sequence[FileRule], words: Collection[str]) -> None:
        """`words` are those of the question; `rules` that it asks for do not apply."""
        asked = {word.lower() for word in words}
        self._rules = tuple(name for name in rules if asked.isdisjoint(_RULES[name].words))

    def rule(self, path: str | None) -> FileRule | None:
        """The first rule that a path is under, if any."""
        return _rule_of(path, self._rules) if path and self._rules else None

    def __call__(self, path: str | None) -> float:
        """The weight of the file at a path, in (0, 1]."""
        return 1.0 if self.rule(path) is None else LOWERED


@lru_cache(4096)
def _rule_of(path: str, rules: tuple[FileRule, ...]) -> FileRule | None:
    *folders, name = path.replace("\\", "/").lower().split("/")
    return next((rule for rule in rules if _RULES[rule].is_about(folders, name)), None)
