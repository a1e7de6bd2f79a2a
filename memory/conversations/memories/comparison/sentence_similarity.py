"""Comparison of two sentences about a person by their words.

Sentences are compared by Jaccard overlap, where words of similar meaning count as equal. A wrong
merge loses information, a missing one leaves two memories of one thing, so anything that can change
the meaning of a sentence forbids a merge: another number, name or day, a negation, another order,
or a word without a counterpart in the older sentence.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from contracts.named_tuple import NamedTuple

Nearness = Callable[[str, str], float]
"""The cosine of two words, in [-1, 1]."""

_WORD = re.compile(r"(?:(?<!\S)[-−](?=\d))?[^\W_]+(?:['’][^\W_]+)*(?:(?:[+#]+|%)(?!\w))?|[$€£¥]")
"""Includes the symbols that change a word: C++ is not C, and -5 % not 5."""


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BEGINNING = re.compile(r"\s*([^\w\s'’]+)")
_OF_SYMBOLS = frozenset(("So", "Cn", "Co"))
"""The categories of emoji, also of those that this Python does not know yet."""

_SUBJECT = frozenset(("user", "users", "user's"))
_EMPTY = _set_of(
    "a an the really very quite so truly definitely absolutely actually just also too currently"
    " presently is are am be"
)
"""Words that change nothing about a fact; not compared."""

_LIGHT = _set_of("at by during for in it its of on that their there this")
"""Words that a sentence may have or lack."""

_ADDING = _set_of("with to from for near after before because as since around")
"""Words that begin an addition to a sentence."""

_TURNING = _set_of(
    "no not never none neither nor cannot without nobody nothing nowhere hardly barely rarely"
    " seldom except unless but only former formerly ex used was were ended stopped quit almost"
    " nearly maybe perhaps might would could should"
)
"""Words that reverse or limit the meaning of a sentence."""

_NEGATIONS = frozenset(("no", "not", "never", "cannot"))
_DENYING = _NEGATIONS | _set_of("don't doesn't didn't isn't aren't do does longer any anymore more")
"""Words that may differ between a sentence and its denial."""

_UNDENIED = {"can't": "can", "cannot": "can", "won't": "will", "couldn't": "could"}
_NUMBERS = _set_of(
    "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million"
    " first second third half twice thrice once"
)
_DAYS = _set_of(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june"
    " july august september october november december today yesterday tomorrow tonight"
)
_WHEN = _set_of(
    "every each day week weekend month year morning afternoon evening night daily weekly monthly"
    " often regularly usually sometimes occasionally once twice time now since"
)
"""Words that say when or how often."""

_ABOUT = frozenset(("about", "around", "roughly"))
"""Words before a number or a time that is not exact."""

_NAMING = frozenset(("named", "called"))
_CLASSES = (
    "mother mom mum father dad brother sister son daughter husband wife partner boyfriend"
    " girlfriend uncle aunt cousin nephew niece grandmother grandfather grandma grandpa parent"
    " child baby friend colleague boss neighbour neighbor fiance fiancee twin stepmother"
    " stepfather",
    "vegan vegetarian pescatarian",
    "morning noon afternoon evening night midnight",
    "spring summer autumn fall winter",
    "breakfast lunch dinner supper",
    "older younger elder elderly young old",
    "left right",
    "north south east west",
    "to from",
    "before after",
    "in out",
    "up down",
    "with without",
    "borrow lend",
    "buy sell",
    "more less fewer",
    "always often sometimes",
    "day week month year daily weekly monthly yearly hour minute",
    "his her their my",
)
"""Words that are similar to the model only because they are alternatives."""

_CONTRASTS: dict[str, frozenset[int]] = {}
for _number, _members in enumerate(_CLASSES):
    for _member in _members.split():
        _CONTRASTS[_member] = _CONTRASTS.get(_member, frozenset()) | {_number}

_KEPT_ENDINGS = ("ss", "us", "is")
_SHORT = 3


class Sentence(NamedTuple):
    """A sentence prepared for comparison.

    `words` are in their order, in plain form and without the ignored ones; `firm` are those that no
    other word can replace: names, numbers, days.
    """

    words: tuple[str, ...]
    firm: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """Return a key that is equal for equal sentences."""
        return " ".join(self.words)

    @property
    def telling(self) -> tuple[str, ...]:
        """Return the different words by which a sentence can be found."""
        distinct = dict.fromkeys(self.words)
        return tuple(word for word in distinct if word not in _LIGHT) or tuple(distinct)


def sentence(content: str) -> Sentence:
    """Prepare a memory's content for comparison."""
    text = unicodedata.normalize("NFKC", content).replace("’", "'")
    words, firm = [], set()
    for found in _WORD.findall(text):
        lowered = found.casefold()
        if lowered in _SUBJECT or lowered in _EMPTY:
            continue
        word = _plain(lowered)
        words.append(word)
        if _is_firm(found, lowered):
            firm.add(word)
    if words and (name := _name_of_symbols(text)):
        words.insert(0, name)
        firm.add(name)
    if not words:  # only ignored words: compare those
        words = [found.casefold() for found in _WORD.findall(content)] or [content.strip()]
    return Sentence(tuple(words), frozenset(firm))


def _name_of_symbols(text: str) -> str:
    """Return the symbols that a sentence begins with, if any: in chats people are called 🦄."""
    found = _BEGINNING.match(text)
    has_symbol = found and any(unicodedata.category(one) in _OF_SYMBOLS for one in found[1])
    return found[1] if found and has_symbol else ""


def _is_firm(found: str, lowered: str) -> bool:
    is_name = found[0] != found[0].lower()
    is_sign = not found[-1].isalnum() or any(map(str.isdigit, found))
    return is_name or is_sign or lowered in _NUMBERS or lowered in _DAYS


def _plain(word: str) -> str:
    """Return a word without the endings of plural, third person and possession."""
    bare = word.removesuffix("'s").removesuffix("'")
    if len(bare) <= _SHORT or bare.endswith(_KEPT_ENDINGS) or not bare.endswith("s"):
        return bare
    if bare.endswith("ies"):
        return bare[:-3] + "y"
    if bare.endswith(("ches", "shes", "sses", "xes", "zes", "oes")):
        return bare[:-2]
    return bare[:-1]


def say_the_same(
    old: Sentence,
    new: Sentence,
    *,
    least: float,
    near: Nearness | None,
    nearest: float,
    loosely: bool = False,
) -> bool:
    """Return whether `new` says nothing beyond `old`.

    `least` is the Jaccard overlap they need, where words whose cosine by `near` is at least
    `nearest` count as equal; without `near` only equal words do. `loosely` lets `old` have words
    that may change the meaning of those after them.
    """
    if old.words == new.words:
        return True
    if not may_say_the_same(old.words, new.words, least=least):
        return False
    olds, news = dict.fromkeys(old.words), dict.fromkeys(new.words)
    shared = [word for word in news if word in olds]
    if [word for word in olds if word in news] != shared:
        return False
    only_old = [word for word in olds if word not in news]
    only_new = [word for word in news if word not in olds]
    if _is_turned(only_old, only_new, firm=old.firm | new.firm):
        return False
    pairs = _pairs(only_old, only_new, near=near, nearest=nearest)
    if any(word not in _LIGHT and word not in pairs for word in only_new):
        return False
    if not loosely and not _only_adds(old.words, news, kept=pairs.values()):
        return False
    equal = len(shared) + len(pairs)
    return equal >= least * (len(olds) + len(news) - equal)


def _only_adds(old: Sequence[str], news: Iterable[str], *, kept: Iterable[str]) -> bool:
    """Return whether the older sentence only adds where, when or with whom to the new one.

    A word before others changes their meaning: oat milk, table tennis, no dogs, in any language.
    """
    said = {*news, *kept}
    last = max((at for at, word in enumerate(old) if word in said), default=-1)
    if any(word not in said and word not in _LIGHT and word not in _WHEN for word in old[:last]):
        return False
    return len(old) == last + 1 or old[last + 1] in _LIGHT | _WHEN | _ADDING


def may_say_the_same(old: Iterable[str], new: Iterable[str], *, least: float) -> bool:
    """Return whether sentences of these words can say the same, whatever words are similar: a quick
    test.

    At most as many words may differ as are equal.
    """
    olds, news = frozenset(old), frozenset(new)
    shared = len(olds & news)
    swapped = min(len(olds), len(news)) - shared
    most = shared + swapped
    return swapped <= shared and most >= least * (len(olds) + len(news) - most)


def is_ended_by(memory: Sentence, ended: Sentence) -> bool:
    """Return whether a memory ends when the statement `ended` ends: the same, with a time or a
    name.

    If she no longer runs, she does not run every morning; if he has no dog, he has none called Rex;
    but he may drink oat milk although he drinks no milk.
    """
    rest = iter(memory.words)
    if not all(word in rest for word in ended.words):
        return False
    extra = Counter(memory.words) - Counter(ended.words)
    is_named = any(word in _NAMING for word in extra)
    return all(
        word in _LIGHT | _WHEN | _DAYS | _ABOUT or (is_named and word in memory.firm)
        for word in extra
        if word not in _NAMING
    )


def is_negation_of(one: Sentence, other: Sentence) -> bool:
    """Return whether one sentence negates the other: same words, same order, plus a "not"."""
    if _denies(one) == _denies(other):
        return False
    return affirmed(one) == affirmed(other) != ()


def _denies(said: Sentence) -> bool:
    return any(word in _NEGATIONS or word.endswith("n't") for word in said.words)


def affirmed(said: Sentence) -> tuple[str, ...]:
    """Return the words of a sentence without its negations."""
    plain = (_UNDENIED.get(word, word) for word in said.words)
    return tuple(word for word in plain if word not in _DENYING)


def _is_turned(only_old: Sequence[str], only_new: Sequence[str], *, firm: frozenset[str]) -> bool:
    """Return whether a word that only one of two sentences has changes its meaning."""
    differing = (*only_old, *only_new)
    if any(word in firm or word in _TURNING or word.endswith("n't") for word in differing):
        return True
    return bool(_kinds(only_old) & _kinds(only_new))


def _kinds(words: Iterable[str]) -> set[int]:
    return {kind for word in words for kind in _CONTRASTS.get(word, ())}


def _pairs(
    only_old: Sequence[str], only_new: Sequence[str], *, near: Nearness | None, nearest: float
) -> dict[str, str]:
    """Pair each word of the new sentence with a word of the old one, nearest first."""
    if near is None or not all(
        word in _LIGHT or any(near(old, word) >= nearest for old in only_old) for word in only_new
    ):
        return {}
    ranked = sorted(
        ((near(old, new), old, new) for new in only_new for old in only_old), reverse=True
    )
    pairs: dict[str, str] = {}
    for cosine, old, new in ranked:
        if cosine >= nearest and new not in pairs and old not in pairs.values():
            pairs[new] = old
    return pairs
