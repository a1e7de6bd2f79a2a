"""Turns of whom a question asks about come before others', and no conversation before documents."""

import random
from dataclasses import replace

import pytest

from contracts import ChunkRow, Scope
from search import HybridSearch, SearchOptions, TimeDecay, analyse
from search.ranking.fusion import Fused
from search.ranking.speakers import SPEAKER_BONUS, TIME_BONUS, bonuses

OPTIONS = SearchOptions(mode="keyword", fold="none", explain=True, decay=TimeDecay(enabled=False))


def turn(chunk_id, text, *, session="s", **metadata):
    return ChunkRow(
        chunk_id=chunk_id,
        uid=f"uid-{chunk_id}",
        source="turn",
        owner_id=str(chunk_id),
        text=text,
        heading="",
        occurred_at="2026-01-01T00:00:00.000Z",
        recorded_at="2026-01-01T00:00:00.000Z",
        session_id=session,
        metadata=metadata,
    )


def favoured(query, *said):
    """The turns, counted from 0, that gain by their speaker, and those that gain by their time."""
    rows = {number: row._replace(chunk_id=number) for number, row in enumerate(said)}
    gained = bonuses(analyse(query), {key: Fused(0.5, 0.5, 0.5) for key in rows}, rows)
    speaker = [key for key, bonus in gained.items() if bonus.speaker]
    assert all(bonus.speaker in (0, SPEAKER_BONUS) for bonus in gained.values())
    assert all(bonus.time in (0, TIME_BONUS) for bonus in gained.values())
    return speaker, [key for key, bonus in gained.items() if bonus.time]


def speaker_of(query, *said):
    return favoured(query, *said)[0]


ANA = turn(1, "I repaired the boat", speaker="Ana Lima", role="user")
BO = turn(2, "Nice boat", speaker="Bo", role="user")
MINE = turn(3, "I keep bees", role="user")
REPLY = turn(4, "Bees like clover", role="assistant")


@pytest.mark.parametrize(
    "query,expected",
    [
        ("What did Ana repair?", [0]),
        ("what did ana repair", [0]),
        ("Ana's boat", [0]),
        ("what about Mrs Lima", [0]),
        ("what did BO say", [1]),
        ("did Ana and Bo meet", []),
        ("what did Cleo say", []),
        ("who repaired an analogue boat", []),
        ("", []),
    ],
    ids=["name", "small", "possessive", "surname", "capitals", "all", "other", "part", "empty"],
)
def test_a_named_speaker(query, expected):
    assert speaker_of(query, ANA, BO) == expected


@pytest.mark.parametrize(
    "query,expected",
    [
        ("what do I keep", [0]),
        ("what do i keep", [0]),
        ("my bees", [0]),
        ("I'm keeping what?", [0]),
        ("bees", []),
        ("i/o of the hive", []),
        ("myriad bees, i.e. swarms", []),
        ("which plant did you recommend", [1]),
        ("what did you tell me about clover", []),
        ("can you tell me what my hobby is", [0]),
    ],
    ids=lambda value: str(value) or "nothing",
)
def test_who_asks(query, expected):
    assert speaker_of(query, MINE, REPLY) == expected


def test_who_asks_is_not_known_among_several_that_speak_as_user():
    assert speaker_of("what did I repair", ANA, BO) == []
    assert speaker_of("what did I repair", ANA, REPLY) == [0]
    assert speaker_of("what did Bo tell me", ANA, BO) == [1]


@pytest.mark.parametrize(
    "name,query,expected",
    [
        ("Will", "when will it rain", []),
        ("Will", "Will it rain", []),
        ("Will", "did Will see rain", [0]),
        ("Zoë", "what does zoe like", [0]),
        ("Łukasz", "ŁUKASZ and the boat", [0]),
        ("小明", "小明 喜欢 什么", [0]),
    ],
    ids=["word", "beginning", "capital", "accent", "stroke", "chinese"],
)
def test_names_that_are_words_or_spelt_in_other_ways(name, query, expected):
    assert speaker_of(query, turn(1, "rain", speaker=name), BO) == expected


def test_a_name_before_a_text_is_a_speaker_if_other_turns_say_so():
    said = [turn(1, "Ana: hello"), turn(2, "I sail", speaker="Ana"), turn(3, "Note: buy milk")]
    assert speaker_of("where does Ana sail", *said) == [0, 1]
    assert speaker_of("a note of Ana", said[0], said[2]) == []


WHEN = "when did the boat sink"


@pytest.mark.parametrize(
    "query,asks",
    [
        (WHEN, True),
        ("When was it?", True),
        ("So, when did it sink", True),
        ("how long did they sail", True),
        ("which year did it sink", True),
        ("do you know when it sank", True),
        ("what did Ana say when it sank", False),
        ("whenever it rains", False),
        ("the boat sank", False),
    ],
    ids=str,
)
def test_questions_for_a_time(query, asks):
    said = turn(1, "It sank in 2019"), turn(2, "It sank here")
    assert favoured(query, *said)[1] == ([0] if asks else [])


@pytest.mark.parametrize(
    "text",
    [
        *("in 2019", "on 3 March", "last Friday", "yesterday", "three weeks ago", "at 5 pm"),
        *("for ten years", "on 12.03.2024", "2024-03-12", "at 10:30", "this summer", "in May"),
        *("two days", "the following week", "the 9th of May", "May 9", "Sept 4"),
    ],
)
def test_texts_that_tell_a_time(text):
    assert favoured(WHEN, turn(1, f"It was {text}, yes"), turn(2, "It was"))[1] == [0]


@pytest.mark.parametrize(
    "text",
    [
        *("it may rain", "march on", "a fall down the stairs", "it sank", "the daybed", "3.5 kg"),
        *("the sunny side", "a second-hand boat and a decoy", "route 66", "https://x.org:80"),
    ],
)
def test_texts_that_tell_none(text):
    assert favoured(WHEN, turn(1, text), turn(2, "in 2019"))[1] == [1]


def conversation(index, seed):
    chance = random.Random(seed)
    words = ["amber", "birch", "cedar", "dune", "ember", "fjord"]
    for number in range(60):
        is_turn = number % 2
        index.add(
            " ".join(chance.choices(words, k=chance.randint(3, 9))),
            source="turn" if is_turn else "file",
            **({"session": "s", "speaker": chance.choice(["Ana", "Bo"])} if is_turn else {}),
        )
    return index


def test_a_bonus_moves_turns_among_turns_alone(index):
    for seed in range(5):
        conversation(index, seed)
    options = replace(OPTIONS, max_results=1000)
    plain = HybridSearch(index).search("amber birch", options).hits
    named = HybridSearch(index).search("amber birch Ana", options).hits

    def of(hits, source):
        return {hit.row.chunk_id: hit.score for hit in hits if hit.row.source == source}

    assert of(named, "file") == of(plain, "file")
    assert max(of(named, "turn").values()) == pytest.approx(max(of(plain, "turn").values()))
    before, after = of(plain, "turn"), of(named, "turn")
    assert before.keys() == after.keys()
    spoken = {key for key in after if index.rows[key].metadata["speaker"] == "Ana"}
    raised = {key: score + SPEAKER_BONUS * (key in spoken) for key, score in before.items()}
    scale = max(before.values()) / max(raised.values())
    assert after == pytest.approx({key: score * scale for key, score in raised.items()})
    assert [hit.score for hit in named] == sorted((hit.score for hit in named), reverse=True)


def test_a_bonus_is_explained(index):
    index.add("amber and amber", source="turn", session="s", speaker="Bo", role="user")
    index.add("amber since 2019", source="turn", session="s", speaker="Ana", role="user")
    for filler in ["cedar", "dune", "ember", "fjord", "grove", "heath"]:
        index.add(filler)
    first, second = HybridSearch(index).search("when did Ana find amber", OPTIONS).hits
    assert [hit.row.chunk_id for hit in (first, second)] == [2, 1]
    why = first.explanation
    assert (why.speaker_bonus, why.time_bonus) == (SPEAKER_BONUS, TIME_BONUS)
    assert first.score == pytest.approx(1)
    for hit in (first, second):
        told = hit.explanation
        gained = told.fused + told.speaker_bonus + told.time_bonus
        assert hit.score == pytest.approx(gained * told.turn_scale * told.decay)


def test_other_sources_gain_nothing_and_other_scopes_ask_for_no_turn(index):
    index.add("Ana: amber", source="memory", speaker="Ana")
    index.add("amber", source="turn", session="s", speaker="Ana")
    index.add("amber", source="turn", session="s", speaker="Bo")
    hits = HybridSearch(index).search("amber of Ana", OPTIONS).hits
    gained = {hit.row.chunk_id: hit.explanation.speaker_bonus for hit in hits}
    assert gained == {1: 0, 2: SPEAKER_BONUS, 3: 0}

    (scale,) = {hit.explanation.turn_scale for hit in hits}
    assert scale < 1  # what is remembered of turns is compared with them

    class Silent(type(index)):
        def conversation_rows(self, chunk_ids):
            raise AssertionError("no turn may answer")

    silent = Silent()
    silent.add("amber")
    scope = Scope(sources=("file",))
    assert len(HybridSearch(silent).search("amber", SearchOptions(scope=scope)).hits) == 1
