"""The passage of a turn that a quote stands in: the clause that tells a claim, and what is around it."""

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.clauses import Clause, Sentence, Whose, sentences, whose
from ingest.extractor.llm.languages import Language

_STATED: Final = re.compile(
    r"(?:\w+[, ]+)?(?:i|i'm|i've|we|we've|my|ich|wir|meine?|j'\w+|je|on|mon|ma"
    r"|ik|wij|mijn)\b",
    re.IGNORECASE,
)
"""How a statement begins to which a question is added: "I'm 34, can I still ...?"."""

_QUESTION: Final = re.compile(r"[?？]\W*$|[吗嗎]$|(?:です|ます)か$")
_NEAR: Final = 80
"""Characters after a sentence within which it is taken back."""


class Span(NamedTuple):
    """Where the quote stands in the turn."""

    start: int
    end: int


class Part(NamedTuple):
    """A clause that a quote touches, and what of it is quoted."""

    clause: str
    quoted: str


class Passage(NamedTuple):
    """What of a turn bears on a claim.

    quote         the quote
    parts         the clauses that it touches
    clause        the one that tells the claim; `owner` is whose it is by all of the turn
    scope         that clause, with those before that it needs: its subject's, "I think ..."
    lead, tail    what the quote leaves out at the beginning of its clause, and at the end
    whole         the sentence of the clause
    after         what follows the sentence
    quote_owner   whose the clause is by the quote alone
    is_asked      whether the clause is part of a question
    is_beginning  whether a sentence begins with the quote
    """

    quote: str
    parts: tuple[Part, ...]
    clause: str
    scope: str
    lead: str
    tail: str
    whole: str
    after: str
    owner: Whose
    quote_owner: Whose
    is_asked: bool
    is_beginning: bool

    @property
    def is_question(self) -> bool:
        """Whether the sentence ends as a question."""
        return bool(_QUESTION.search(self.whole.strip()))


class _Place(NamedTuple):
    """Clauses of a turn, those that the quote touches, and the number of the one that tells."""

    text: str
    span: Span
    language: Language
    clauses: list[Clause]
    firsts: set[Clause]
    quoted: list[int]
    told: int

    def owner(self) -> tuple[Whose, int]:
        """Whose the clause is, and where its subject is: clauses without one go on."""
        number = self.told
        while (found := self._whose(number)) == "nobody" and self._goes_on(number):
            number -= 1
        return found, number

    def quote_owner(self) -> Whose:
        """Whose it is by the quoted words."""
        number = self.told
        while (found := self._whose_quoted(number)) == "nobody" and number > self.quoted[0]:
            if not self._goes_on(number):
                break
            number -= 1
        return found

    def scope_start(self, subject: int) -> int:
        """Where the subject's clause begins, with the clauses that it completes."""
        number = subject if self.language.is_spaced else self.told
        while self.clauses[number].is_inner and self._goes_on(number):
            number -= 1
        return self.clauses[number].start

    def _goes_on(self, number: int) -> bool:
        return self.clauses[number] not in self.firsts

    def _whose(self, number: int) -> Whose:
        clause = self.clauses[number]
        return whose(self.text, clause, self.language, is_first=clause in self.firsts)

    def _whose_quoted(self, number: int) -> Whose:
        clause = self.clauses[number]
        start, end = max(clause.start, self.span.start), min(clause.end, self.span.end)
        return whose(self.text, Clause(start, end, is_inner=False), self.language, is_first=True)


def passage_of(
    text: str, span: Span, language: Language, said_in: Callable[[str], AbstractSet[object]]
) -> Passage | None:
    """The passage of a quote; `said_in` gives what of the claim a text says."""
    found = [
        one for one in sentences(text, language) if one.start < span.end and span.start < one.end
    ]
    if not found:
        return None
    clauses = [clause for one in found for clause in one.clauses]
    quoted = [n for n, one in enumerate(clauses) if one.start < span.end and span.start < one.end]
    parts = tuple(
        Part(
            text[clauses[n].start : clauses[n].end],
            text[max(clauses[n].start, span.start) : min(clauses[n].end, span.end)],
        )
        for n in quoted
    )
    said = [(len(said_in(part.quoted)), min(len(part.quoted), 12)) for part in parts]
    told = quoted[said.index(max(said))]
    firsts = {one.clauses[0] for one in found}
    place = _Place(text, span, language, clauses, firsts, quoted, told)
    sentence = next(one for one in found if clauses[told] in one.clauses)
    owner, subject = place.owner()
    clause = clauses[told]
    return Passage(
        text[span.start : span.end],
        parts,
        text[clause.start : clause.end],
        text[place.scope_start(subject) : clause.end],
        text[clause.start : max(clause.start, span.start)],
        text[span.end : clauses[quoted[-1]].end],
        text[sentence.start : sentence.end],
        text[clause.end : sentence.end + _NEAR],
        owner,
        place.quote_owner(),
        _is_asked(text, sentence, clause, language),
        not text[sentence.start : span.start].strip(),
    )


def _is_asked(text: str, sentence: Sentence, told: Clause, language: Language) -> bool:
    """Whether a clause is part of a question: "Just moved to Oslo, any tips?" first tells."""
    if not _QUESTION.search(text[sentence.start : sentence.end].strip()):
        return False
    asked = language.find("asked")
    starts = [
        one.start for one in sentence.clauses if asked.match(text[one.start : one.end].lstrip("¿ "))
    ]
    if told == sentence.clauses[-1] or (starts and told.start >= starts[0]):
        return True
    return not starts and not _STATED.match(text, told.start)
