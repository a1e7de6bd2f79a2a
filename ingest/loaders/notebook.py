"""Notebooks (Jupyter, nbformat 3 and 4): their cells, and the output of the cells."""

import json
import re
from collections.abc import Iterator
from typing import Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft, Lines, clean, closed_fences
from ingest.loaders.encodings.decoding import decoded_text
from ingest.loaders.failure_containment import drafted
from ingest.loaders.notebook_lines import CellLines, lines_of_cells
from ingest.values import SkippedFile

_MAX_OUTPUT_CHARS: Final = 4_000
"""The most characters of one cell's output; the log of a training run is not worth searching."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_IMAGE_DATA: Final = re.compile(r"data:[\w/+.-]{1,80};base64,[A-Za-z0-9+/=\s%]+")
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,30}")


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The cells in order, each a place; code and its output are fenced."""
    decoded = decoded_text(data, name)
    if isinstance(decoded, SkippedFile):
        return decoded
    text, _ = decoded
    return drafted(lambda draft, _: _fill(draft, text), data, name, what="notebook")


def _fill(draft: Draft, text: str) -> None:
    notebook = json.loads(text)
    if not isinstance(notebook, dict):
        raise DocumentError("broken", "not a notebook: its JSON is not an object")
    language = _language(notebook.get("metadata"))
    cells = list(_cells(notebook))
    places = lines_of_cells(text) or [CellLines([], [])] * len(cells)
    for number, (cell, lines) in enumerate(zip(cells, places, strict=True), start=1):
        draft.place(f"cell {number}")
        source = _text(cell.get("source", cell.get("input")))
        kind = cell.get("cell_type")
        if kind == "code":
            draft.code(source, language, lines.source)
            draft.code(_printed(cell.get("outputs")), lines=lines.output)
        elif kind == "heading":
            level = cell.get("level")
            draft.heading(level if isinstance(level, int) else 1, source, lines.source)
        elif kind == "markdown":
            # An image in it may be one of its lines, or several.
            is_whole = not _IMAGE_DATA.search(source)
            shown = lines.source if is_whole else _whole(lines.source)
            markdown = closed_fences(_IMAGE_DATA.sub("", clean(source)))
            draft.block(markdown, lines=shown)
        else:
            draft.paragraph(source, lines=lines.source)


def _whole(lines: Lines) -> Lines:
    return [(lines[0][0], lines[-1][1])] if lines else ()


def _cells(notebook: dict[str, object]) -> Iterator[dict[str, object]]:
    cells = notebook.get("cells")
    sheets = notebook.get("worksheets")
    if cells is None and isinstance(sheets, list):
        for sheet in sheets:
            if isinstance(sheet, dict):
                yield from _cells(sheet)
    elif isinstance(cells, list):
        yield from (cell for cell in cells if isinstance(cell, dict))
    else:
        raise DocumentError("broken", "not a notebook: it has no list of cells")


def _language(metadata: object) -> str:
    if isinstance(metadata, dict):
        for holder, key in (("language_info", "name"), ("kernelspec", "language")):
            described = metadata.get(holder)
            name = described.get(key) if isinstance(described, dict) else None
            if isinstance(name, str) and _LANGUAGE.fullmatch(name):
                return name
    return ""


def _printed(outputs: object) -> str:
    """The visible text below a code cell, up to a limit."""
    parts: list[str] = []
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        if output.get("output_type") in {"error", "pyerr"}:
            parts.append(f"{output.get('ename')}: {output.get('evalue')}")
            continue
        data = output.get("data")
        forms = data if isinstance(data, dict) else output
        kinds = ("text/markdown", "text/plain", "text")
        form = next((forms[kind] for kind in kinds if forms.get(kind)), None)
        parts.append(_text(form).strip("\n"))
    text = _COLOURS.sub("", "\n".join(part for part in parts if part))
    if len(text) <= _MAX_OUTPUT_CHARS:
        return text
    return text[: text.rfind("\n", 1, _MAX_OUTPUT_CHARS) if "\n" in text else _MAX_OUTPUT_CHARS]


def _text(value: object) -> str:
    """A text, which notebooks store whole or as a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""
