"""An export whose lines are not as the program writes them."""

import json
from collections.abc import Mapping
from pathlib import Path

from memory.operations.exchange.exporting import export
from memory.workspace import Workspace


def export_changed(memory: Workspace, path: Path, kind: str, change: Mapping[str, object]) -> Path:
    """Export a memory, with these fields in every line of a kind; return the path."""
    export(memory, str(path))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows = [{**row, **change} if row["type"] == kind else row for row in rows]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path
