from contracts import KeywordFields
from search import keyword_fields
from search.analysis.inflection import STEM_MARK


def test_every_column_gets_its_words():
    fields = keyword_fields(
        "call getUserById 中国人", "Größe › api_keys", neighbours="水です", name="Setup-Guide.md"
    )
    assert fields == KeywordFields(
        text="call getUserById  中国 国人 人 ",
        title="Grösse › api_keys",
        neighbours=" 水で です す ",
        identifiers="apikeys getuserbyid get user by id setupguidemd setupguide setup guide md",
    )


def test_stems_of_another_language_stand_beside_the_neighbours():
    body = "Eine Prüfung der Einstellungen und des Ortes"
    fields = keyword_fields(body, "Übersicht", neighbours="und so", name="a.md")
    stems = " ".join(f"{stem}{STEM_MARK}" for stem in ("Übers", "Prüfu", "Einst", "Ortes"))
    assert fields == KeywordFields(
        text=body, title="Übersicht", neighbours=f"und so {stems}", identifiers="amd a md"
    )


def test_nothing_is_made_of_nothing():
    assert keyword_fields("") == KeywordFields(text="")
