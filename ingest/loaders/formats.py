"""The table of text file names and their kinds (data only).

A suffix not listed here belongs to no default pattern; such a file, if named explicitly, is read as
plain text.
"""

from typing import Final, Literal

MARKDOWN_SUFFIXES: Final = frozenset(
    {".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".qmd", ".rmd"}
)

CODE_SUFFIXES: Final[dict[str, str]] = {
    ".adb": "ada",
    ".ads": "ada",
    ".asm": "assembly",
    ".awk": "awk",
    ".bash": "shell",
    ".bat": "batch",
    ".c": "c",
    ".cc": "cpp",
    ".cjs": "javascript",
    ".clj": "clojure",
    ".cljs": "clojure",
    ".cmake": "cmake",
    ".cmd": "batch",
    ".cpp": "cpp",
    ".cs": "csharp",
    ".css": "css",
    ".cts": "typescript",
    ".cu": "cpp",
    ".cxx": "cpp",
    ".d": "d",
    ".dart": "dart",
    ".dockerfile": "dockerfile",
    ".el": "lisp",
    ".erl": "erlang",
    ".ex": "elixir",
    ".exs": "elixir",
    ".f90": "fortran",
    ".fish": "shell",
    ".fs": "fsharp",
    ".go": "go",
    ".gradle": "groovy",
    ".graphql": "graphql",
    ".groovy": "groovy",
    ".h": "cpp",  # its grammar reads C as well
    ".hh": "cpp",
    ".hpp": "cpp",
    ".hrl": "erlang",
    ".hs": "haskell",
    ".hxx": "cpp",
    ".java": "java",
    ".jl": "julia",
    ".js": "javascript",
    ".jsx": "javascript",
    ".kt": "kotlin",
    ".kts": "kotlin",
    ".less": "css",
    ".lisp": "lisp",
    ".lua": "lua",
    ".m": "objective-c",
    ".mjs": "javascript",
    ".mk": "make",
    ".ml": "ocaml",
    ".mli": "ocaml",
    ".mm": "objective-c",
    ".mts": "typescript",
    ".nim": "nim",
    ".nix": "nix",
    ".pas": "pascal",
    ".php": "php",
    ".pl": "perl",
    ".pm": "perl",
    ".proto": "protobuf",
    ".ps1": "powershell",
    ".psm1": "powershell",
    ".py": "python",
    ".pyi": "python",
    ".pyx": "python",
    ".r": "r",
    ".rb": "ruby",
    ".rkt": "lisp",
    ".rs": "rust",
    ".sass": "css",
    ".scala": "scala",
    ".scm": "lisp",
    ".scss": "css",
    ".sh": "shell",
    ".sol": "solidity",
    ".sql": "sql",
    ".svelte": "javascript",
    ".swift": "swift",
    ".tcl": "tcl",
    ".tf": "terraform",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".vb": "vb",
    ".vim": "vim",
    ".vue": "javascript",
    ".zig": "zig",
    ".zsh": "shell",
}

DATA_SUFFIXES: Final[dict[str, str]] = {
    ".cfg": "ini",
    ".conf": "ini",
    ".ini": "ini",
    ".json": "json",
    ".json5": "json",
    ".jsonc": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".properties": "ini",
    ".toml": "toml",
    ".yaml": "yaml",
    ".yml": "yaml",
}
"""Keys and values, and the rules for them."""

LINE_FORMATS: Final[dict[str, str]] = {
    ".log": "log",
}
"""Plain text whose unit is the line: a sentence end inside a line is not a better place to cut."""

TABLE_FORMATS: Final[dict[str, str]] = {".csv": "csv", ".tab": "tsv", ".tsv": "tsv"}
"""Rows of cells."""

MARKUP_SUFFIXES: Final[dict[str, Literal["asciidoc", "latex", "org"]]] = {
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".latex": "latex",
    ".ltx": "latex",
    ".org": "org",
    ".tex": "latex",
}
"""Markup languages besides Markdown and reStructuredText."""

TEXT_SUFFIXES: Final = frozenset(
    {
        ".textile",
        ".xml",
    }
)

CODE_NAMES: Final[dict[str, str]] = {
    "brewfile": "ruby",
    "cmakelists.txt": "cmake",
    "containerfile": "dockerfile",
    "dockerfile": "dockerfile",
    "gemfile": "ruby",
    "gnumakefile": "make",
    "jenkinsfile": "groovy",
    "justfile": "make",
    "makefile": "make",
    "procfile": "yaml",
    "rakefile": "ruby",
    "vagrantfile": "ruby",
}
"""Files recognised by their whole name, in lower case."""

TEXT_NAMES: Final = frozenset(
    {
        "authors",
        "changelog",
        "changes",
        "contributing",
        "contributors",
        "copying",
        "history",
        "install",
        "licence",
        "license",
        "news",
        "notice",
        "readme",
        "todo",
    }
)
