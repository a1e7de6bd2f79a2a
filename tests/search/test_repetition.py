"""Near-identical texts: permitted and forbidden differences."""

import pytest

from search.ranking.repetition import Fingerprinter, beginnings
from tests.search.licences import TERMS, licence

LOG = "2026-03-04 12:00:01 worker started the nightly copy of the archive and found nothing to do"
CONTRACT = """\
The tenant pays Anna Berg a rent of 1,250 euro for the rooms on the second floor, at the latest on
the third working day of every month, by transfer to the account that the landlord has named. The
tenant may keep small animals as long as nobody in the house is disturbed by them, and gives notice
of three months before leaving. The deposit is paid back when the rooms have been handed over clean
and whole. What is written here replaces everything that was said before; changes have to be agreed
by both in writing.
"""
CONFIG = "".join(f"option {name} = on\n" for name in "abcdefghijklmnopqrstuvwxyz" * 4)
CODE = "".join(
    f"def step_{name}(items):\n    return [item for item in items if item.{name} > limit]\n"
    for name in "abcdefgh"
)
NAMES = "alder\nbirch\ncedar\ndogwood\nelm\nfir\nhazel\nlarch\nmaple\noak\npine\nrowan\n" * 9
CHINESE = "".join("合同规定租户每月支付租金并且保持房间整洁" for _ in range(20))


def like(one: str, other: str, query: str = "") -> bool:
    fingerprinter = Fingerprinter(beginnings(query.split()))
    found = fingerprinter(one).resembles(fingerprinter(other))
    assert fingerprinter(other).resembles(fingerprinter(one)) == found
    return found


def without(text: str, word: str, other: str = "") -> tuple[str, str]:
    assert word in text
    return text, text.replace(word, other, 1)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((LOG, LOG), id="the same"),
        pytest.param((TERMS, " ".join(TERMS.split())), id="lines broken elsewhere"),
        pytest.param((TERMS, TERMS.replace(". ", "! ").replace(",", ";")), id="punctuation"),
        pytest.param(without(TERMS, "receives", "obtains"), id="a word"),
        pytest.param(without(TERMS, "beforehand"), id="the last word"),
        pytest.param((licence(1), licence(2)), id="year and holder"),
        pytest.param(
            ("Copyright 2019 Anna Berg.\n" + TERMS, "(c) 2021 B. Cole <b@example.org>\n" + TERMS),
            id="another form of notice",
        ),
        pytest.param(
            (f"© 2019 Heron.  All rights reserved.\n{TERMS}", f"(c) 2020 Crane\n{TERMS}"),
            id="rights reserved",
        ),
        pytest.param((f"- {TERMS}", f"* {TERMS}"), id="the sign of a list"),
        pytest.param(
            (
                f"Copyright (C) 1999 Heron.\n{TERMS}Thus speaks Heron.",
                f"Copyright (C) 1999 Crane.\n{TERMS}Thus speaks Crane.",
            ),
            id="the holder once more",
        ),
        pytest.param(
            (f"© 2020 {'a b c d e ' * 12}\n{TERMS}", f"© 2020 {'a b c d e ' * 12}\n{TERMS}"),
            id="a long notice",
        ),
    ],
)
def test_copies(texts: tuple[str, str]) -> None:
    assert like(*texts)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(without(CONTRACT, "1,250", "1,350"), id="an amount"),
        pytest.param(without(CONTRACT, "Anna Berg", "Anna Lund"), id="a name"),
        pytest.param(without(CONTRACT, "may keep", "may not keep"), id="a negation"),
        pytest.param(without(CONTRACT, "before leaving", "after leaving"), id="the opposite"),
        pytest.param(without(TERMS, "A changed copy", "An x_1 copy"), id="an identifier"),
        pytest.param(without(LOG, "nightly", "weekly"), id="a word of a short text"),
        pytest.param(without(LOG, "do", "fear"), id="the last word of a short text"),
        pytest.param(without(CONFIG, "option k = on", "option k = off"), id="a value"),
        pytest.param(without(CONFIG, "option k =", "option kk ="), id="a key"),
        pytest.param(without(CODE, "> limit", "< limit"), id="a sign in code"),
        pytest.param(without(CODE, "return", "yield"), id="a word of code"),
        pytest.param(without(NAMES, "rowan", "thuja"), id="a word of a list"),
        pytest.param(without(CHINESE, "租金", "押金"), id="a word of another script"),
        pytest.param((TERMS, TERMS + CONTRACT[:200].lower()), id="a sentence more"),
        pytest.param(("price: -5 now", "price: 5 now"), id="a sign"),
        pytest.param(
            (f"© 2020 Heron\n{TERMS} in 2020", f"© 2021 Heron\n{TERMS} in 2021"),
            id="a year outside of the notice",
        ),
        pytest.param(
            (f"the copyright notice of 2020\n{TERMS}", f"the copyright notice of 2021\n{TERMS}"),
            id="no notice",
        ),
    ],
)
def test_texts_that_mean_something_else(texts: tuple[str, str]) -> None:
    assert not like(*texts)


@pytest.mark.parametrize(
    "texts, query, expected",
    [
        pytest.param(without(TERMS, "harm", "damage"), "the maker", True, id="asked of both"),
        pytest.param(without(TERMS, "harm", "damage"), "who pays for damages", False, id="a word"),
        pytest.param((licence(1), licence(2)), "work", True, id="of both copies"),
        pytest.param((licence(1), licence(2)), "work of 2011", False, id="a year"),
        pytest.param((licence(1), licence(2)), "by acme tools", False, id="a holder"),
        pytest.param((licence(1), licence(3)), "by acme tools", True, id="another holder"),
    ],
)
def test_what_the_query_asks_for_must_not_differ(
    texts: tuple[str, str], query: str, expected: bool
) -> None:
    assert like(*texts)
    assert like(*texts, query) == expected


def test_texts_without_words_are_alike() -> None:
    assert like("", "")
    assert like("...", "!")
    assert not like("...", "word")
