"""Spellings that are one for the index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.analysis.letter_folding import fold_letters, is_emoji


@pytest.mark.parametrize(
    "text,folded",
    [
        pytest.param("Straße GROẞ", "Strasse GROSS", id="German"),
        pytest.param("smørrebrød Ægir œuvre", "smorrebrod Aegir oeuvre", id="ligatures"),
        pytest.param("Łódź Đà", "Lódź Dà", id="strokes"),
        pytest.param("ısı ışık", "isi işik", id="Turkish"),
        pytest.param("ﬁle oﬃce", "file office", id="printed ligatures"),
        pytest.param("ὁδός Ἀθῆναι", "οδος Αθηναι", id="Greek"),
        pytest.param("ёлка йод", "елка йод", id="Russian"),
        pytest.param("שָׁלוֹם", "שלום", id="Hebrew"),
        pytest.param("كِتَابٌ كتـــاب", "كتاب كتاب", id="Arabic vowels"),
        pytest.param("أحمد إلى مدرسة", "احمد الي مدرسه", id="Arabic letters"),
        pytest.param("کتاب ایرانی", "كتاب ايراني", id="Persian"),
        pytest.param("ـ", "ـ", id="a stroke alone"),
        pytest.param("🚀", " \U000ff680 ", id="emoji"),
        pytest.param("👍🏽 ❤", " \U000ff44d   \U000f2764 ", id="skin"),
    ],
)
def test_spellings(text: str, folded: str) -> None:
    assert fold_letters(text) == folded


@pytest.mark.parametrize("text", ["plain", "“quoted” – café", "中国人", "हिन्दी", "→ ×"])
def test_what_does_not_vary_is_the_very_same_text(text: str) -> None:
    assert fold_letters(text) is text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold_letters(fold_letters(text)) == fold_letters(text)
    assert bool(text.strip()) <= bool(fold_letters(text))


@pytest.mark.parametrize("char,expected", [("🚀", True), ("☀", True), ("a", False), ("→", False)])
def test_emoji(char: str, expected: bool) -> None:
    assert is_emoji(char) is expected
