import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import KeywordQuery
from search import analyse
from search.analysis.inflection import STEM_MARK
from search.analysis.query import (
    MAX_BINDING,
    MAX_CHARS,
    MAX_IDENTIFIERS,
    MAX_PHRASE_WORDS,
    MAX_WORDS,
    phrase_of,
    split_words,
)

PIECES = """
" - * AND NEAR( ) col: ^ \0 \ud800 🙂 \u202e foo a_b the 水 ไทย “ ” ' { } getUserById -x-y ''
"""
pieces = st.sampled_from([*PIECES.split(), " ", "OR NOT"])
queries = st.one_of(st.text(), st.lists(pieces).map("".join), st.lists(pieces).map(" ".join))


@given(queries)
def test_no_query_fails_and_no_operator_reaches_the_index(query):
    analysis = analyse(query)
    keyword = analysis.keyword
    phrases = keyword.phrases + keyword.required + keyword.excluded
    for word in (
        *keyword.words,
        *keyword.stems,
        *keyword.prefixes,
        *(word for p in phrases for word in p),
    ):
        assert word
        for char in word:
            category = unicodedata.category(char)
            assert category[0] in "LN" or category in ("Mn", "Mc", "Co")
        word.encode()
    assert all(phrases)
    assert 0 <= analysis.latin_share <= 1
    assert bool(analysis) == bool(keyword)


@given(queries)
def test_cleaning_twice_is_cleaning_once(query):
    once = analyse(query).text
    assert analyse(once).text == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in once)
    assert once == " ".join(once.split())


@given(queries)
def test_a_query_with_letters_has_something_to_look_for(query):
    text = analyse(query).text
    assert bool(analyse(query)) == bool(split_words(text))


@given(st.lists(pieces).map(" ".join))
def test_words_stand_once(query):
    words = analyse(query).keyword.words
    assert len({word.lower() for word in words}) == len(words)


def without_stems(query: str) -> KeywordQuery:
    return analyse(query).keyword._replace(stems=())


@pytest.mark.parametrize(
    "query,words",
    [
        ("How do I configure SSL?", "configure SSL"),
        ("what is it", "what is it"),
        ("to be or not to be", "to be or not"),
        ("don't", "don t"),
        ("I don't think it's Alice's idea", "think Alice idea"),
        ("the IT department of the US", "IT department US"),
        ("THE IT DEPARTMENT", "DEPARTMENT"),
        ("red Red RED apple", "red apple"),
        ("AND OR NOT NEAR(x) title:y z^2", "NEAR x title y z 2"),
        ("a:b (c) {d} [e] ^f + g", "b c d e f g"),
        ("temperature -40 degrees", "temperature 40 degrees"),
        ("git commit -m", "git commit m"),
        ("use --dry-run", "use dry run dryrun"),
        ("price: $5 & more - less", "price 5 less"),
        ("**bold** *text*", "bold text"),
        ("a* b", "b"),
        ('5" pipe and 3" tube', "5 pipe 3 tube"),
        ('an "unclosed quote', "unclosed quote"),
        ('"" empty', "empty"),
        ("café naïve", "café naïve"),
        ("foo\0bar\nbaz", "foo bar baz"),
        ("soft\u00adhyphen \u202eRTL", "softhyphen RTL"),
        ("🙂 smile 🙂", "\U000ff642 smile"),
        ("call getUserById", "call getUserById get user id"),
        ("file src/main.py", "file src main py srcmainpy mainpy"),
        ("user_id_1", "user id 1 userid1"),
        ("中国人 Müller", "中国 国人 Müller"),
        ("программирование", "программирован"),
        ("-only -these", "only these"),
        ("🙂", "\U000ff642"),
        ("go🚀now", "go \U000ff680 now"),
        ("straße Ørsted", "strasse Orsted"),
        ("?!", ""),
        ("", ""),
    ],
)
def test_words(query, words):
    assert without_stems(query) == KeywordQuery(words=tuple(words.split()))


@pytest.mark.parametrize(
    "query,keyword",
    [
        (
            '"hybrid search" tuning',
            KeywordQuery(
                words=("hybrid", "search", "tuning"),
                phrases=(("hybrid", "search"),),
                required=(("hybrid", "search"),),
            ),
        ),
        ("“to be” x", KeywordQuery(("x",), phrases=(("to", "be"),), required=(("to", "be"),))),
        ('"to be"', KeywordQuery(required=(("to", "be"),))),
        ('"中国 abc"', KeywordQuery(("中国", "abc"), (), *[(("中国", "国", "abc"),)] * 2)),
        ('"水"', KeywordQuery(prefixes=("水",))),
        ("conf*", KeywordQuery(prefixes=("conf",))),
        ("get_user* now", KeywordQuery(words=("get", "getuser"), prefixes=("user",))),
        ("中国* 水*", KeywordQuery(prefixes=("中国", "水"))),
        ("中国人*", KeywordQuery(words=("中国",), prefixes=("国人",))),
        ("программиро*", KeywordQuery(prefixes=("программир",))),
        ("水 x", KeywordQuery(words=("x",), prefixes=("水",))),
        ("python -snake", KeywordQuery(words=("python",), excluded=(("snake",),))),
        ("python -snake_case", KeywordQuery(words=("python",), excluded=(("snake", "case"),))),
        ('python -"the snake"', KeywordQuery(words=("python",), excluded=(("the", "snake"),))),
        ("中国 -日本語", KeywordQuery(words=("中国",), excluded=(("日本", "本語"),))),
        ("commit 3f2a9bc", KeywordQuery(words=("commit", "3f2a9bc"), prefixes=("3f2a9bc",))),
    ],
)
def test_what_binds(query, keyword):
    assert without_stems(query) == keyword


def test_what_is_shown_and_embedded():
    analysis = analyse('  How about "Hybrid Search" in conf* or src/main.py -draft ')
    assert analysis.text == 'How about "Hybrid Search" in conf* or src/main.py -draft'
    assert analysis.plain == "How about Hybrid Search in conf or src/main.py"
    assert analysis.words == ("Hybrid", "Search", "src", "main", "py")
    assert analysis.phrases == ("Hybrid Search",)
    assert analysis.prefixes == ("conf",)
    assert analysis.excluded == ("draft",)
    assert analysis.identifiers == ("src/main.py",)
    assert analysis.warnings == ()


@pytest.mark.parametrize(
    "query,share",
    [
        ("plain", 1.0),
        ("Größe", 1.0),
        ("中国", 0.0),
        ("ab 中国", 0.5),
        ("123 ?", 1.0),
        ("", 1.0),
        ("кот cat", 0.5),
        ("cat -中国人", 1.0),
    ],
)
def test_latin_share(query, share):
    assert analyse(query).latin_share == share


def test_a_short_flag_that_leaves_out_is_pointed_out():
    (warning,) = analyse("rm -rf").warnings
    assert warning == "-rf leaves out results with 'rf'; write \"-rf\" in quotes to search for it"
    assert analyse('rm "-rf"').keyword.required == (("rf",),)


def test_a_long_query_is_cut_and_says_so():
    analysis = analyse(" ".join(f"word{n}" for n in range(2 * MAX_WORDS)))
    assert analysis.keyword.words == tuple(f"word{n}" for n in range(MAX_WORDS))
    assert f"the first {MAX_WORDS} words of the query were looked up" in analysis.warnings[0]
    assert len(analysis.identifiers) == MAX_IDENTIFIERS


def test_what_binds_is_limited_too():
    names = [f"w{n}" for n in range(MAX_BINDING + 1)]
    query = " ".join(f'"a {n}" {n}* -x{n}' for n in names) + f' "{"a " * 2 * MAX_PHRASE_WORDS}"'
    keyword = analyse(query).keyword
    assert keyword.required == tuple(("a", name) for name in names[:MAX_BINDING])
    assert keyword.prefixes == tuple(names[:MAX_BINDING])
    assert keyword.excluded == tuple((f"x{name}",) for name in names[:MAX_BINDING])
    assert "word beginnings" in analyse(query).warnings[0]
    (phrase,) = analyse(f'"{"a " * 2 * MAX_PHRASE_WORDS}"').keyword.required
    assert phrase == ("a",) * MAX_PHRASE_WORDS


@pytest.mark.parametrize(
    "query,stems",
    [
        ("Einstellungen ändern", "Einst änder aende"),
        ("settings of the file", ""),
        ("der settings", "setti"),
        ("Muenchen", "Muenc Munch"),
        ("query", "query"),
        ("getUserById user_id cat x86_64 программирование 中国人", ""),
        ('"große Häuser" -Hütte*', "gross Häuse Haeus"),
        ("EINSTELLUNG", "EINST"),
        ("einst*", ""),
    ],
)
def test_stems(query, stems):
    found = analyse(query).keyword.stems
    assert found == tuple(f"{stem}{STEM_MARK}" for stem in stems.split())


def test_stems_are_limited():
    query = " ".join(f"{a}{b}{c}word" for a in "abcdefghi" for b in "jklmnop" for c in "qrstuv")
    assert len(analyse(query).keyword.stems) == MAX_WORDS


@pytest.mark.parametrize("unit", ["word ", "x", "中", '"a" ', "-a ", "\0", "a*", "e\u0301", "a_"])
def test_a_megabyte_is_read_in_part(unit):
    analysis = analyse(unit * (2**20 // len(unit)))
    assert len(analysis.text) <= MAX_CHARS
    assert len(analysis.keyword.words) <= MAX_WORDS
    assert f"only the first {MAX_CHARS} characters of the query were read" in analysis.warnings


@pytest.mark.parametrize(
    "text,words",
    [
        ("get_user.by-id", ("get", "user", "by", "id")),
        ("हिन्दी text", ("हिन्दी", "text")),
        ("人工 智能", ("人工", "工", "智能")),
        ("...", ()),
    ],
)
def test_phrases_as_the_index_has_them(text, words):
    assert phrase_of(text) == words
