"""The results of a search as a list of files, as Markdown and as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

from cli.output import shown
from memory.values.citations import cite_path
from memory.values.results import SearchResult
from memory.values.user_folders import working_folder

Form: TypeAlias = Literal["files", "md", "csv"]

CSV_COLUMNS: Final = (
    *("rank", "score", "confidence", "citation", "source", "path", "start_line", "end_line"),
    *("heading", "occurred_at", "text"),
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of a cell that a spreadsheet may take for a formula."""


def in_form(results: Sequence[SearchResult], form: Form) -> str:
    """The results in a form, without a final line end."""
    if form == "files":
        return "\n".join(dict.fromkeys(map(_file, results)))
    return _csv(results) if form == "csv" else "\n\n".join(_markdown(results))


def _file(result: SearchResult) -> str:
    """The path of a hit, relative if below the working folder; the citation of other records."""
    if result.file_path is None:
        return shown(result.citation)
    return shown(cite_path(result.file_path, cwd=working_folder()))


def _markdown(results: Sequence[SearchResult]) -> Iterator[str]:
    for rank, result in enumerate(results, start=1):
        name = _escaped(shown(result.citation))
        if result.file_path is not None:
            line = "" if result.start_line is None else f"#L{result.start_line}"
            name = f"[{name}]({quote(cite_path(result.file_path, cwd=working_folder()))}{line})"
        heading = f" {_escaped(shown(result.heading))}" if result.heading else ""
        lines = [f"{rank}. {name} ({result.confidence}){heading}", ""]
        lines += [f"   > {shown(line.expandtabs(4))}".rstrip() for line in result.text.splitlines()]
        yield "\n".join(lines)


def _escaped(text: str) -> str:
    """A text on one line of Markdown, where none of its characters is markup."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!" else c for c in text)


def _csv(results: Sequence[SearchResult]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for rank, hit in enumerate(results, start=1):
        cells = {**{name: getattr(hit, name, None) for name in CSV_COLUMNS}, "rank": rank}
        cells["path"] = hit.file_path
        writer.writerow([_cell(cells[name]) for name in CSV_COLUMNS])
    return out.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    """A value that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
