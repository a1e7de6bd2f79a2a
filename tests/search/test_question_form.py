"""Texts that have the form of an answer go before those with the same words."""

import pytest

from search import HybridSearch, SearchOptions
from search.ranking.question_form import WEIGHTS

KEYWORD = SearchOptions(mode="keyword", explain=True)


def answer(index, question):
    """The paths of the hits with the rules that lower them."""
    hits = HybridSearch(index).search(question, KEYWORD).hits
    return [(hit.row.path or hit.row.source, list(hit.explanation.form_rules)) for hit in hits]


@pytest.fixture
def faq(index):
    index.add("tuples and lists hold values", path="/a/types.md", title="Types > Values in them")
    index.add("tuples and lists hold values too", path="/a/faq.md", title="Why are both there?")
    return index


def test_an_entry_of_a_list_of_questions(faq):
    assert answer(faq, "why are there tuples and lists") == [
        ("/a/faq.md", []),
        ("/a/types.md", ["no_question"]),
    ]


@pytest.mark.parametrize("question", ["how do tuples and lists differ", "tuples and lists"])
def test_another_question_word_is_no_such_entry(faq, question):
    assert [rules for _, rules in answer(faq, question)] == [[], []]


def test_the_first_word_need_not_be_english(index):
    index.add("Werte und Listen in Speichern", path="/a/typen.md", title="Typen > Speicher dafür")
    index.add("Werte und Listen mit anderen Werten", path="/a/faq.md", title="Warum beide?")
    assert answer(index, "warum gibt es Werte und Listen")[0] == ("/a/faq.md", [])


@pytest.fixture
def redirects(index):
    index.add("redirects are followed by clients", path="/docs/client.rst")
    index.add("redirects are followed by the session", path="/src/sessions.py")
    return index


def test_where_something_is_done_is_told_by_code(redirects):
    assert answer(redirects, "where are redirects followed") == [
        ("/src/sessions.py", []),
        ("/docs/client.rst", ["no_code"]),
    ]


@pytest.mark.parametrize(
    "question",
    [
        "how are redirects followed",
        "where are redirects",
        "where are my redirects followed",
        "the place where redirects are followed",
    ],
)
def test_other_questions_do_not_ask_for_code(redirects, question):
    assert answer(redirects, question)[0] == ("/docs/client.rst", [])


def test_without_code_nothing_changes(index):
    index.add("redirects are followed", path="/docs/client.rst")
    (hit,) = HybridSearch(index).search("where are redirects followed", KEYWORD).hits
    assert (hit.score, hit.explanation.form_weight) == (1.0, 1.0)


@pytest.mark.parametrize(
    "folder, question, lowered",
    [
        ("requests-2.32.3/src", "how does requests read netrc", True),
        ("Requests", "how does requests read netrc", True),
        ("read-netrc", "how does requests read netrc", True),
        ("requests-cache", "how does requests read netrc", False),
        ("requests", "who reads netrc", False),
        ("who", "who reads netrc", False),
    ],
)
def test_a_question_with_the_name_of_a_folder(index, folder, question, lowered):
    index.add("netrc is read, requests read netrc", path="/python/netrc.md")
    index.add("netrc of requests is read as netrc is by others", path=f"/{folder}/utils.md")
    assert dict(answer(index, question))["/python/netrc.md"] == ["other_folder"] * lowered


def test_a_folder_that_holds_all_makes_no_difference(index):
    index.add("netrc is read", path="/requests/a.md")
    index.add("netrc is read there", path="/requests/src/b.md")
    assert [rules for _, rules in answer(index, "requests netrc")] == [[], []]


def test_only_files_weigh_less(index):
    index.add("the keys are kept, keys", source="text")
    index.add("keys", path="/keys/a.md")
    assert sorted(answer(index, "keys")) == [("/keys/a.md", []), ("text", [])]


def test_a_file_may_break_several_rules(index):
    index.add("proxies are chosen, chosen proxies", path="/docs/a.md")
    index.add("proxies are chosen", path="/requests/a.py")
    hits = HybridSearch(index).search("where are proxies chosen in requests", KEYWORD).hits
    why = hits[1].explanation
    assert why.form_rules == ["no_code", "other_folder"]
    assert why.form_weight == pytest.approx(WEIGHTS["no_code"] * WEIGHTS["other_folder"])
    assert hits[1].score == pytest.approx(why.fused * why.form_weight)
    assert hits[1].decay == pytest.approx(why.form_weight)
