"""In whatever order a history comes in, what was said last is what holds."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import Candidate
from memory.conversations.memories.consolidation import consolidate, fact_of
from memory.storage import utc_text
from tests.examples import examples
from tests.memory.conversations.memories.conversing import active, memories
from tests.memory.databases import opened

HOMES = ("Oslo", "Rome", "Bern")
THINGS = ("User plays chess", "User runs daily")
_BEGIN = datetime(2024, 1, 1, tzinfo=UTC)

_said = st.lists(
    st.one_of(
        st.sampled_from(HOMES).map(lambda home: f"User lives in {home}"),
        st.sampled_from(THINGS),
    ),
    min_size=1,
    max_size=7,
)


@given(said=_said, order=st.randoms(use_true_random=False))
@settings(max_examples=examples(15), deadline=None)
def test_the_order_of_telling_changes_nothing(said: list[str], order: random.Random) -> None:
    facts = [
        fact_of(Candidate(content), said_at=utc_text(_BEGIN + timedelta(days=day)))
        for day, content in enumerate(said)
    ]
    order.shuffle(facts)
    with opened(Path("/nowhere"), backend="memory") as workspace:
        consolidate(workspace, [facts[:3]], origin="import")
        consolidate(workspace, [facts[3:]], origin="import")
        homes = [content for content in said if content not in THINGS]
        things = [content for content in THINGS if content in said]

        assert sorted(active(workspace)) == sorted([*homes[-1:], *things])
        told = sum(memory.hits + 1 for memory in memories(workspace))
        assert told == len(said)
