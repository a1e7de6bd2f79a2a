"""Read the labelled conversations, which were written for this without looking at the rules.

`dev` and `held_out`, which is similar, are for people who work on the rules; nobody of them reads
`typed`, which is by another writer, of eleven people who type as in a chat.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.harness.processes import ROOT

FOLDER = ROOT / "tests" / "memory" / "records" / "distillation" / "labelled"
FILES = ("dev", "held_out", "typed")


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A turn and what a careful reader would write down of it; `owner` is whose records they are.

    `trap` names what tempts to write more, "" if nothing does.
    """

    owner: str
    session_id: str
    ts: str
    role: str
    speaker: str | None
    text: str
    labels: tuple[dict[str, Any], ...]
    trap: str


def read_labelled(name: str) -> Mapping[str, Sequence[LabelledTurn]]:
    """Return the turns of a file in their order, by owner."""
    found: dict[str, list[LabelledTurn]] = {}
    for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        turn = LabelledTurn(
            one["owner"],
            one["session_id"],
            one["ts"],
            one["role"],
            one.get("speaker"),
            one["text"],
            tuple(one["labels"]),
            one.get("trap_type", ""),
        )
        found.setdefault(turn.owner, []).append(turn)
    return found
