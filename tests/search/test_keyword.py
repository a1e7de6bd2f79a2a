from contracts import KeywordFields, KeywordQuery
from search import keyword_fields, select_words
from search.keyword import FEW_CHUNKS

QUERY = KeywordQuery(
    words=("common", "rare", "rarer"), prefixes=("p",), excluded=(("x",),), required=()
)
OFTEN = {"common": 500, "rare": 200, "rarer": 3}


def test_every_column_gets_its_words():
    fields = keyword_fields(
        "call getUserById 中国人", "Größe › api_keys", neighbours="水です", name="Setup-Guide.md"
    )
    assert fields == KeywordFields(
        text="call getUserById  中国 国人 人 ",
        title="Größe › api_keys",
        neighbours=" 水で です す ",
        identifiers="apikeys getuserbyid get user by id setupguidemd setupguide setup guide md",
    )


def test_nothing_is_made_of_nothing():
    assert keyword_fields("") == KeywordFields(text="")


def test_words_in_more_than_a_fifth_of_the_chunks_are_left_out():
    chosen = select_words(QUERY, OFTEN, FEW_CHUNKS)
    assert chosen.words == ("rare", "rarer")
    assert (chosen.prefixes, chosen.excluded) == (QUERY.prefixes, QUERY.excluded)


def test_words_are_kept_where_too_little_would_remain():
    assert select_words(QUERY, OFTEN | {"rare": 201}, FEW_CHUNKS) is QUERY
    two = KeywordQuery(words=("common", "rare"))
    assert select_words(two, OFTEN, FEW_CHUNKS) is two


def test_words_are_kept_in_a_small_database():
    assert select_words(QUERY, OFTEN, FEW_CHUNKS - 1) is QUERY


def test_a_word_nobody_counted_is_rare():
    assert select_words(QUERY, {"common": 999}, FEW_CHUNKS).words == ("rare", "rarer")
    assert select_words(QUERY, {}, FEW_CHUNKS) is QUERY
