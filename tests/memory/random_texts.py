"""Random texts and questions in many scripts, for comparing two ways of ranking by words."""

from collections.abc import Sequence
from math import exp
from random import Random

from contracts import KeywordFields, KeywordQuery
from memory.storage import NewChunk
from search.analysis.segmentation import index_words
from tests.memory.storage.oracle import World, new_chunk

VOCABULARY = tuple(
    index_words(
        "the run running runs ran cat cats general generally café cafe straße İstanbul istanbul "
        "getUserById user_id_10 3.11 x86_64 2024-06-01 naïve ΑΒΓ αβγ Привет привета дом дома "
        "東京都 京都 在 数据库 データベース 검색 엔진 "
        "ภาษาไทย ก็ हिन्दी काम की שלום عَرَبِيّ عربي 𠮷野家 e\u0301te\u0301"
    ).split()
)

SHARES = [1 - exp(-0.12 * place) for place in range(1, len(VOCABULARY))] + [1.0]
"""Of each word and all before it."""


def some_words(chance: Random, most: int) -> str:
    """Some words of many, the first ones far more often than the last."""
    return " ".join(chance.choices(VOCABULARY, cum_weights=SHARES, k=most))


def some_fields(chance: Random) -> KeywordFields:
    """Texts for all columns, some empty, some with one word many times."""
    return KeywordFields(
        some_words(chance, chance.randrange(60)),
        title=some_words(chance, chance.randrange(4)),
        neighbours=some_words(chance, chance.choice((0, 0, 5, 300))),
        identifiers=some_words(chance, chance.randrange(6)),
    )


def some_chunks(chance: Random, owner: str, count: int) -> list[NewChunk]:
    return [
        new_chunk(f"{chance.random()}", owner, fields=some_fields(chance)) for _ in range(count)
    ]


def some_query(chance: Random) -> KeywordQuery:
    """A question of single words, of which some must and some must not be there."""

    def words(most: int) -> Sequence[str]:
        return some_words(chance, chance.randrange(most + 1)).split()

    return KeywordQuery(
        words=tuple(words(8)),
        prefixes=tuple(word[: chance.randint(1, 3)] for word in words(1)),
        required=tuple((word,) for word in words(1) if chance.random() < 0.3),
        excluded=tuple((word,) for word in words(1) if chance.random() < 0.5),
    )


def change_something(world: World, chance: Random, owners: Sequence[str]) -> None:
    """Add, replace, keep, move, rewrite or remove chunks of one owner."""
    owner = chance.choice(owners)
    known = [key for key, row in world.rows.items() if row.owner_id == owner]
    action = chance.randrange(5)
    if action == 0:
        world.remove(owner)
    elif action == 1:
        chosen = chance.sample(known, len(known) // 3)
        world.rewrite({key: some_fields(chance) for key in chosen})
    elif action == 2:
        world.put(owner, [world.rows[key].chunk for key in known if chance.random() < 0.8])
    else:
        kept = [world.rows[key].chunk for key in known[: chance.randrange(20)]]
        world.put(owner, [*some_chunks(chance, owner, chance.randrange(15)), *kept])
