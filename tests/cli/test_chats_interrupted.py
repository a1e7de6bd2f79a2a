"""An import of a chat history that is killed, and made again."""

import json
import signal
from pathlib import Path

import pytest

from tests.cli.shell import Mem, start
from tests.cli.stored_rows import asked
from tests.waiting import output_of, wait_until

TURNS = 1600
FACTS = ["tea", "coffee", "soup", "rain", "jazz", "chess", "maps", "trains", "lakes", "bread"]


def history(folder: Path) -> Path:
    """Every tenth turn is a user's, with one of a few facts."""
    path = folder / "log.jsonl"
    lines = []
    for number in range(TURNS):
        is_user = number % 10 == 0
        text = f"I like {FACTS[number // 10 % len(FACTS)]}." if is_user else f"remark {number}"
        role = "user" if is_user else "assistant"
        lines.append({"role": role, "content": text, "timestamp": 1_700_000_000 + number})
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


COUNT = "SELECT count(*) FROM turns"
EVERYTHING = "SELECT content, occurred_at, hits FROM memories ORDER BY content"
WORDS = "SELECT session_id, ts, text, extraction FROM turns ORDER BY ts"


@pytest.mark.slow
def test_it_goes_on_where_it_was_killed(mem: Mem, folder: Path) -> None:
    path, database = history(folder), folder / "killed.db"
    process = start("--db", str(database), "import", path.name, cwd=folder)
    wait_until(lambda: asked(database, COUNT) > [(0,)])
    process.send_signal(signal.SIGKILL)
    output_of(process)
    ((stored,),) = asked(database, COUNT)
    assert 0 < int(str(stored)) < TURNS
    again = mem("--db", str(database), "import", path.name, "--json").json
    assert (again["known"], again["added"]) == (stored, TURNS - int(str(stored)))
    assert mem("--db", "whole.db", "import", path.name).code == 0
    for sql in (EVERYTHING, WORDS):
        assert asked(database, sql) == asked(folder / "whole.db", sql)
