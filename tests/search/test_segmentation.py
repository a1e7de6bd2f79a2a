import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import index_words
from search.analysis.segmentation import clusters_of, even_out, phrase_words, query_words

HAN = "中国人工智能語言学水"
THAI = "ก่ข้ภาษาไทยน้ำ"
spaceless = st.text(alphabet=HAN + THAI + "テスト한국어ကြမាសា", min_size=1, max_size=12)


@pytest.mark.parametrize(
    "text,words",
    [
        ("plain English, unchanged!", "plain English, unchanged!"),
        ("café naïve", "café naïve"),
        ("中国人", "中国 国人 人"),
        ("水", "水"),
        ("在 getUserById 里", "在 getUserById 里"),
        ("在getUserById里", "在 getUserById 里"),
        ("人工智能v2", "人工 工智 智能 能 v2"),
        ("日本語、中文。", "日本 本語 語 、 中文 文 。"),
        ("テスト", "テス スト ト"),
        ("한국어를 쓴다", "한국 국어 어를 를 쓴다 다"),
        ("น้ำดี", "น้ำดี ดี"),
        ("ກ້າ", "ກ້າ າ"),
        ("၁၂ မြန်မာ", "၁၂ မြန် န်မာ မာ"),
        ("ឆ្នាំ", "ឆ្នាំ នាំ"),
        ("ประเทศ๑๒", "ปร ระ ะเ เท ทศ ศ ๑๒"),
        ("ｶﾞｷﾞ", "ガギ ギ"),
        ("ＡＢＣ１", "ABC1"),
        ("葛\U000e0100城", "葛城 城"),
        ("high\u00adlight", "highlight"),
        ("a\u200fb\ufeff", "ab"),
        ("x\ud800y", "x y"),
        ("e\u0301", "é"),
        ("программирование и код", "программирован и код"),
        ("Школами школа", "школ школ"),
        ("المدرسة والمدارس", "مدرس مدارس"),
        ("كِتَابُهُم فالكتاب بالكتاب", "كتاب كتاب كتاب"),
        ("προγραμματισμός", "προγρα"),
        ("उपयोगकर्ता", "उपयोगक"[:6]),
        ("слово123", "слово123"),
        ("Straßenbahnhaltestelle", "Strassenbahnhaltestelle"),
    ],
)
def test_words_for_the_index(text, words):
    assert index_words(text).split() == words.split()


def test_a_word_has_the_same_stem_in_every_thread():
    words = "المدرسة программирования كتابهم школами " * 50
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(index_words, [words] * 64)) == {index_words(words)}


def test_ascii_is_the_very_same_text():
    text = "nothing to do here " * 100
    assert index_words(text) is text


@given(spaceless)
def test_every_pair_of_clusters_and_the_last_cluster_are_words(run):
    run = even_out(run)
    clusters = clusters_of(run)
    assert "".join(clusters) == run
    words = index_words(run).split()
    assert words[-1] == clusters[-1]
    assert words[:-1] == [a + b for a, b in pairwise(clusters)]


@given(spaceless, spaceless, spaceless)
def test_what_stands_inside_a_run_is_found(before, run, after):
    indexed = index_words(even_out(before + " " + run + after)).split()
    whole = even_out(run + after)
    if not whole.startswith(even_out(run)):
        return  # the first mark of `after` belongs to the last cluster of `run`
    if clusters_of(whole)[: len(clusters_of(even_out(run)))] != clusters_of(even_out(run)):
        return
    words, prefixes = query_words(even_out(run))
    assert set(words) <= set(indexed)
    assert all(any(word.startswith(prefix) for word in indexed) for prefix in prefixes)
    assert bool(words) != bool(prefixes)


@given(st.text())
def test_any_text_is_accepted_and_evened_out_once(text):
    once = even_out(text)
    assert even_out(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not re.search(r"[\ud800-\udfff\u00ad\ufeff]", once)
    index_words(text).encode()


@pytest.mark.parametrize(
    "word,words,prefixes",
    [
        ("plain", ["plain"], []),
        ("中国人", ["中国", "国人"], []),
        ("水", [], ["水"]),
        ("น้ำ", [], ["น้ำ"]),
        ("在getUserById里", ["getUserById"], ["在", "里"]),
        ("программа", ["программ"], []),
        ("größe", ["grösse"], []),
    ],
)
def test_words_of_a_query(word, words, prefixes):
    assert query_words(word) == (words, prefixes)


@pytest.mark.parametrize(
    "word,last,words",
    [
        ("plain", True, ["plain"]),
        ("中国人", True, ["中国", "国人"]),
        ("中国人", False, ["中国", "国人", "人"]),
        ("水", False, ["水"]),
        ("水", True, []),
        ("中国abc水", True, ["中国", "国", "abc"]),
        ("программа", True, ["программ"]),
    ],
)
def test_words_of_a_phrase(word, last, words):
    assert phrase_words(word, last=last) == words
