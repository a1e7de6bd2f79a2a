"""In whatever order a history comes in, what was said last is what holds."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import Candidate
from memory.conversations.memories.comparison.facts import fact_of
from memory.conversations.memories.consolidation import consolidate
from memory.storage import utc_text
from tests.examples import examples
from tests.memory.conversations.memories.conversing import active, memories
from tests.memory.databases import opened

HOMES = ("Oslo", "Rome", "Bern")
THINGS = ("User plays chess", "User runs daily")
_BEGIN = datetime(2024, 1, 1, tzinfo=UTC)

MEAT = ("User eats meat", "User no longer eats meat")
_said = st.lists(
    st.one_of(
        st.sampled_from(HOMES).map(lambda home: f"User lives in {home}"),
        st.sampled_from(THINGS),
        st.sampled_from(MEAT),
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
        homes = [content for content in said if content not in (*THINGS, *MEAT)]
        meat = [content for content in said if content in MEAT]
        things = [content for content in THINGS if content in said]

        assert sorted(active(workspace)) == sorted([*homes[-1:], *meat[-1:], *things])
        told = sum(memory.hits + 1 for memory in memories(workspace))
        assert told == len(said)


_homes = st.lists(st.tuples(st.sampled_from(HOMES), st.booleans()), min_size=1, max_size=6)


@given(said=_homes, order=st.randoms(use_true_random=False))
@settings(max_examples=examples(15), deadline=None)
def test_what_is_uncertain_gives_way_in_any_order(
    said: list[tuple[str, bool]], order: random.Random
) -> None:
    facts = [
        fact_of(
            Candidate(f"User lives in {home}", certain=certain),
            said_at=utc_text(_BEGIN + timedelta(days=day)),
        )
        for day, (home, certain) in enumerate(said)
    ]
    order.shuffle(facts)
    with opened(Path("/nowhere"), backend="memory") as workspace:
        for fact in facts:
            consolidate(workspace, [[fact]], origin="import")

        clear = [home for home, certain in said if certain]
        present = clear[-1] if clear else said[0][0]
        assert active(workspace) == [f"User lives in {present}"]
