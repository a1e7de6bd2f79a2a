"""The turns that wait for a language model, found without a look at those that do not."""

from pathlib import Path

import pytest

from memory.conversations.llm_extraction.queue import ExtractionQueue
from memory.conversations.turns.store import TurnStore
from memory.storage.values import Parameters, Row
from memory.workspace import Workspace
from tests.memory.conversations.llm_extraction.model import say
from tests.memory.databases import opened


class Watching:
    """A database that notes what it is asked."""

    def __init__(self, workspace: Workspace) -> None:
        self._database = workspace.storage.database
        self.asked: list[tuple[str, Parameters]] = []

    def read(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        self.asked.append((sql, parameters or {}))
        return self._database.read(sql, parameters)

    def plans(self) -> list[str]:
        """How SQLite goes about what it was asked."""
        return [
            str(step[-1])
            for sql, parameters in self.asked
            for step in self._database.read(f"EXPLAIN QUERY PLAN {sql}", parameters)
        ]


@pytest.mark.sqlite_only(reason="reads SQLite's plan of a query")
def test_a_look_for_turns_that_wait_passes_over_all_others(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I like tea")
        watching = Watching(memory)
        queue = ExtractionQueue(watching)  # type: ignore[arg-type]  # it reads only
        assert queue.next(now="2026-01-01") is None
        assert queue.number() == 0
        assert TurnStore(watching).waiting("rules", limit=5) == []  # type: ignore[arg-type]
        of_turns = [plan for plan in watching.plans() if " turns " in plan]
    assert len(of_turns) == 3
    assert all("INDEX turns_waiting (extraction=?" in plan for plan in of_turns)


@pytest.mark.parametrize("not_before", ["2026-01-01", "2026-01-02"])
def test_a_turn_that_is_postponed_waits_for_its_time(tmp_path: Path, not_before: str) -> None:
    with opened(tmp_path) as memory:
        (turn_id,) = say(memory, "I like tea")
        queue = ExtractionQueue(memory.storage.database)
        with memory.storage.database.transaction() as tx:
            TurnStore(memory.storage.database).set_extraction(tx, [turn_id], "llm")
        first = queue.next(now="2026-01-01")
        assert first is not None
        assert (first.turn.id, first.tries, first.by_rules) == (turn_id, 0, False)
        queue.postpone(first._replace(tries=2, by_rules=True), not_before=not_before)
        again = queue.next(now="2026-01-01")
        assert (again is None) == (not_before == "2026-01-02")
        assert again is None or again == first._replace(tries=2, by_rules=True)
        assert queue.next(now="2026-01-03", after=turn_id) is None
        queue.close(turn_id, "done")
        assert queue.next(now="2026-01-03") is None
        assert queue.number() == 0
