"""The pure-Python tokenizer against the Rust library, and its own rules."""

import random
import sysconfig
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.static_model.provider import DATA
from providers.static_model.table import VOCABULARY
from providers.static_model.wordpiece import LONGEST_WORD, UNKNOWN, WordPiece

SHIPPED = (DATA / VOCABULARY).read_text(encoding="utf-8").split()
TINY = [UNKNOWN, "play", "##ing", "##er", "get", "user", "by", "id", "http", "header", "parse"]
TINY += ["un", "##believ", "##able", "!", "-", "1", "##2", "e", "中", "文", "σ"]


def numbered(entries: list[str]) -> dict[str, int]:
    return {entry: index for index, entry in enumerate(entries)}


@pytest.fixture(scope="module")
def shipped() -> WordPiece:
    return WordPiece(numbered(SHIPPED))


@pytest.fixture(scope="module")
def rust() -> Any:
    library = pytest.importorskip("tokenizers")
    ids = numbered(SHIPPED)
    tokenizer = library.Tokenizer(
        library.models.WordPiece(ids, unk_token=UNKNOWN, max_input_chars_per_word=LONGEST_WORD)
    )
    tokenizer.normalizer = library.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = library.pre_tokenizers.BertPreTokenizer()
    return tokenizer


def entries(text: str, vocabulary: list[str] = TINY) -> list[str]:
    return [vocabulary[index] for index in WordPiece(numbered(vocabulary)).ids(text)]


def standard_library_texts(count: int) -> list[str]:
    """Pieces of 700 characters of Python's own modules, evenly spread."""
    texts: list[str] = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        source = path.read_text(encoding="utf-8", errors="replace")
        texts += [source[start : start + 700] for start in range(0, len(source), 700)]
    return texts[:: max(1, len(texts) // count)]


def generated_texts(count: int) -> list[str]:
    """Words mixed with characters of many blocks.

    The library's Unicode tables are older than Python's, so only characters that both have known
    for long and class alike are drawn.
    """
    blocks = [
        (0x20, 0x7E),
        (0xA0, 0x24F),
        (0x370, 0x51F),
        (0x5D0, 0x5EA),
        (0x620, 0x64A),
        (0x900, 0x939),
    ]
    blocks += [(0xE01, 0xE3A), (0x2010, 0x2027), (0x2190, 0x21FF), (0x3041, 0x30FF)]
    blocks += [(0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0xF900, 0xFA2D), (0xFF01, 0xFF9F)]
    blocks += [(0x1F600, 0x1F640), (0x20000, 0x2A6D6)]
    known = [
        [chr(code) for code in range(low, high + 1) if unicodedata.category(chr(code)) != "Cn"]
        for low, high in blocks
    ]
    words = ["memory", "naïve", "İstanbul", "ΣΟΦΟΣ", "straße", "ﬁne", "Å", "e\u0301te\u0301"]
    words += ["soft\u00adhyphen", "zero\u200bwidth", "nul\x00byte", "\ufffd", "don't", "C++"]
    chance = random.Random(3)
    return [
        "".join(
            chance.choice([*words, " ", " ", chance.choice(chance.choice(known))])
            for _ in range(chance.randint(1, 40))
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("make", [standard_library_texts, generated_texts])
def test_ids_are_those_of_the_rust_library(make: Any, shipped: WordPiece, rust: Any) -> None:
    texts = make(1000)
    assert len(texts) >= 1000
    different = [
        text for text in texts if shipped.ids(text) != rust.encode(shipped.divide(text)).ids
    ]
    assert different == []


def test_undivided_prose_is_tokenised_as_in_the_rust_library(shipped: WordPiece, rust: Any) -> None:
    texts = [
        "The quick brown fox (who jumped) isn't lazy; he's 3.14 times faster — naïvely.",
        "Émile Zola wrote «J'accuse…!» in 1898, and 東京 is the capital of Japan.",
        "tabs\tand\nnew lines\r\nand no-break\u00a0spaces",
    ]
    for text in texts:
        assert shipped.ids(text) == rust.encode(text).ids


@pytest.mark.parametrize(
    "text, words",
    [
        ("getUserById", "get User By Id"),
        ("get_user_by_id", "get user by id"),
        ("__init__", "init"),
        ("HTTPHeaderParser", "HTTP Header Parser"),
        ("utf8Decode", "utf8 Decode"),
        ("base64Encode(toBytes)", "base64 Encode(to Bytes)"),
        ("PhD, YouTube", "PhD, YouTube"),
        ("mRNAs and 3D PDFs for iPhone", "mRNAs and 3D PDFs for iPhone"),
        ("MAX_CHUNK_SIZE", "MAX CHUNK SIZE"),
        (" spaced\tout\x0bby\x85any ", "spaced out by any"),
        ("___", ""),
        ("", ""),
    ],
)
def test_identifiers_are_divided(shipped: WordPiece, text: str, words: str) -> None:
    assert shipped.divide(text) == words


@pytest.mark.parametrize(
    "text, expected",
    [
        ("playing", ["play", "##ing"]),
        ("PLAYER!", ["play", "##er", "!"]),
        ("un-believable", ["un", "-", UNKNOWN]),
        ("unbelievable", ["un", "##believ", "##able"]),
        ("parseHTTPHeader", ["parse", "http", "header"]),
        ("get_user_by_id", ["get", "user", "by", "id"]),
        ("12", ["1", "##2"]),
        ("playx", [UNKNOWN]),
        ("é e\u0301 \u0301", ["e", "e"]),
        ("中文", ["中", "文"]),
        ("ΠΣ Σ", [UNKNOWN, "σ"]),
        ("pl\x00ay", ["play"]),
        ("pl\ud800ay\udfff", ["play"]),
        ("pl\u00aday", ["play"]),
        ("play\u2014play", ["play", UNKNOWN, "play"]),
        ("\ufffd", []),
        (" \n\t\u3000", []),
    ],
)
def test_pieces(text: str, expected: list[str]) -> None:
    assert entries(text) == expected


def test_word_beyond_the_limit_is_unknown() -> None:
    vocabulary = [UNKNOWN, "a", "##a"]
    assert WordPiece(numbered(vocabulary)).ids("a" * LONGEST_WORD) == [1] + [2] * (LONGEST_WORD - 1)
    assert WordPiece(numbered(vocabulary)).ids("a" * (LONGEST_WORD + 1)) == [0]


def test_vocabulary_needs_an_unknown_entry() -> None:
    with pytest.raises(ValueError, match=r"no \[UNK\]"):
        WordPiece({"a": 0})


def test_more_words_than_are_remembered_change_nothing() -> None:
    tokenizer = WordPiece(numbered(TINY), remembered=3)
    text = "play user get by id play un header http play user"
    assert [TINY[index] for index in tokenizer.ids(text)] == text.split()
    assert tokenizer.ids(text) == tokenizer.ids(text)


@given(st.text(alphabet=st.characters(), max_size=200))
def test_words_are_independent_of_their_neighbours(text: str) -> None:
    tokenizer = WordPiece(numbered(SHIPPED[:3000]))
    apart = [index for word in text.split() for index in tokenizer.word_ids(word)]
    assert tokenizer.ids(text) == apart
    assert all(0 <= index < 3000 for index in apart)
