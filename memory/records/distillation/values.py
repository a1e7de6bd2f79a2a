"""The results of distillation: each record that was written, or would be, and the counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Action: TypeAlias = Literal["open", "close", "person", "signal", "fact", "pattern"]


@dataclass(frozen=True, slots=True)
class Distilled:
    """A record made of a turn: `text` says what, `citation` names the turn, `by` who found it.

    `record` is its citation, "" in a dry run.
    """

    action: Action
    text: str
    citation: str
    by: Literal["rules", "llm"] = "rules"
    record: str = ""


@dataclass(frozen=True, slots=True)
class DistillationReport:
    """The outcome of a run.

    `turns` were read, `skipped` of them not worth it by thread analysis; `waiting` are left.
    `taken_back` are records of earlier runs that a turn takes back: a loop is closed ("close"), one
    that was closed is open again ("open"), and others are removed. `rejected` counts what a model
    said and no turn proves, by reason. `error` says why the run ended early, if it did, `hint` the
    remedy, `retry_in_s` the pause that a server asked for.
    """

    turns: int = 0
    skipped: int = 0
    waiting: int = 0
    written: list[Distilled] = field(default_factory=list)
    taken_back: list[Distilled] = field(default_factory=list)
    rejected: Mapping[str, int] = field(default_factory=dict)
    dry_run: bool = False
    error: str | None = None
    hint: str | None = None
    retry_in_s: float | None = None
