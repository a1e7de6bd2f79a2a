"""GET /memory/files/{id}: the indexed text of a file, whole or some lines."""

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request

from contracts import InputError
from memory.api.app_state import state_of
from memory.api.responses import Json, fields_of
from memory.api.schemas.indexing import FileContentResponse
from memory.operations import manage

router = APIRouter(tags=["files"])

_LINES = re.compile(r"(?P<first>\d{1,9})(?P<range>-(?P<last>\d{1,9})?)?", re.ASCII)
_NO_END = 10**9


@router.get("/memory/files/{file_id}", response_model=FileContentResponse)
def get_file(
    request: Request,
    file_id: str,
    lines: Annotated[
        str | None, Query(description="`10-20`, `10`, or `10-` to the end; both ends included.")
    ] = None,
) -> Json:
    """Return the text as it was indexed; `stale`: the file on disk has changed since."""
    wanted = None if lines is None else parse_lines(lines)
    content = manage.get_file(state_of(request).workspace, file_id, lines=wanted)
    return Json({**fields_of(content), "citation": manage.citation_of(content)})


def parse_lines(text: str) -> tuple[int, int]:
    """Parse a range of lines, from 1, both ends included. Raises InputError for a bad range."""
    match = _LINES.fullmatch(text.strip())
    if match is None:
        raise InputError(f"lines is {text!r}", hint="write it as 10-20, 10 or 10-")
    first = int(match["first"])
    if match["last"]:
        return first, int(match["last"])
    return first, _NO_END if match["range"] else first
