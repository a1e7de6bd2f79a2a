"""Actors of the stress test that write and clean up turns and memories."""

import json
from pathlib import Path

from benchmarks.stress.actor import Actor
from benchmarks.stress.values import TURNS, kept_text, said_text
from memory.conversations.lifecycle import collect_garbage
from memory.conversations.memories.editing import remember
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.operations.exchange.exporting import export
from memory.operations.exchange.history_import import import_history
from memory.operations.exchange.importing import import_lines


def talkers(actor: Actor) -> None:
    """Say things, often again, and ask to keep some."""
    with actor.opened() as workspace:
        for _ in range(10):
            number = actor.random.randrange(TURNS)
            text = said_text(actor.role, number)
            turn = NewTurn(actor.role, text, client_id=f"turn-{number}")
            with actor.telling("say", text):
                process_turns(workspace, [turn])
            if actor.random.random() < 0.3:
                text = kept_text(actor.role, number)
                with actor.telling("remember", text):
                    remember(workspace, text)


def collectors(actor: Actor) -> None:
    """Collect memories while others make them."""
    with actor.telling("gc"), actor.opened() as workspace:
        collect_garbage(workspace)
    actor.rest(0.2, 1.0)


_DOCUMENTS = ('{"type":"document"', '{"type":"chunk"')
"""The beginnings of lines that would bring back what another actor has removed meanwhile."""


def importers(actor: Actor) -> None:
    """Import a chat history, then the conversations that the database exports, again and again."""
    history = actor.base.folder / f"{actor.role}.jsonl"
    if not history.exists():
        said = [{"role": "user", "content": said_text(actor.role, n)} for n in range(TURNS)]
        _write(history, json.dumps({"messages": said}))
    with actor.telling("import"), actor.opened() as workspace:
        import_history(workspace, history, "openai-jsonl")
    copy = actor.base.folder / f"{actor.role}-export.jsonl"
    with actor.telling("export"), actor.opened() as workspace:
        export(workspace, str(copy), force=True)
    lines = copy.read_text(encoding="utf-8").splitlines()
    _write(copy, "\n".join(line for line in lines if not line.startswith(_DOCUMENTS)))
    with actor.telling("import"), actor.opened() as workspace:
        report = import_lines(workspace, str(copy))
        if report.errors:
            raise RuntimeError(f"{len(report.errors)} lines of an export: {report.errors[0]}")
    actor.rest(0.5, 2.0)


def _write(path: Path, text: str) -> None:
    """Write a file that is whole or not there, whenever the process is killed."""
    part = path.with_suffix(".part")
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(path)
