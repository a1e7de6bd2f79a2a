from contracts import KeywordFields
from search import keyword_fields


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
