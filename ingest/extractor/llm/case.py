"""A claim beside the passage of the turn that its quote stands in."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.contents import Contents, people_in
from ingest.extractor.llm.languages import ENGLISH, Language
from ingest.extractor.llm.languages.all_languages import HAS_CLAIM, REMINDER, SUM
from ingest.extractor.llm.languages.relations import PEOPLE, RELATIONS
from ingest.extractor.llm.passages import Passage, Span

_DISLIKE: Final = re.compile(r"\b(?:hate|dislik|avoid)")
_LIKE: Final = re.compile(r"n't|\b(?:not|no|loves?|likes?)\b", re.IGNORECASE)
"""What nobody says of what they hate."""


class Claim(NamedTuple):
    """What a model says of a turn.

    `subject` is the name of who wrote the turn, "User" if that is it; `whose` is who the claim is
    about, blank for who wrote the turn. `is_over`: the content has stopped being true.
    """

    content: str
    quote: str
    whose: str
    is_over: bool
    subject: str = "User"


@dataclass(frozen=True)
class Case:
    """What is known when a claim is judged.

    `text` is the turn, with what is not the person's own covered, `before` what was said before it,
    and `span` the place of the quote.
    """

    claim: Claim
    contents: Contents
    passage: Passage
    language: Language
    text: str
    before: str
    span: Span

    def said(self, cell: str, text: str) -> bool:
        """Whether a text has words of a cell of the table of its language."""
        return bool(self.language.find(cell).search(REMINDER.sub("", text)))

    def told(self, cell: str) -> bool:
        """Whether the claim has words of a cell, in English or in the language of the turn."""
        return any(one.find(cell).search(self.claim.content) for one in (ENGLISH, self.language))

    @property
    def is_english(self) -> bool:
        """Whether the claim is told in English."""
        return self.contents.foreign or self.language is ENGLISH

    @cached_property
    def names_other(self) -> bool:
        """Whether the claim is about somebody else: "User's sister Ida", "La mère de User"."""
        content, subject = self.claim.content, self.claim.subject
        named = self.claim.whose.strip().casefold()
        if named not in ("", "user", "the user", "speaker", subject.casefold()):
            return True
        person = f"(?:{ENGLISH.person}|{self.language.person})"
        owned = re.compile(
            rf"{re.escape(subject)}(?:'s|的|の)\s?(?:\w{{1,30}} )?{person}(?!\w)|"
            rf"(?!{re.escape(subject)}).{{0,12}}\b{person}\b[^.]{{0,30}}{re.escape(subject)}",
            re.IGNORECASE,
        )
        return bool(owned.match(content))

    @cached_property
    def people(self) -> set[str]:
        """The kinds of people that the claim speaks of."""
        return people_in(f"{self.contents.text} {self.claim.whose.replace(self.claim.subject, '')}")

    @cached_property
    def is_of_having(self) -> bool:
        """Whether the claim is of having or naming somebody or something: "User has a dog"."""
        content = self.contents.text
        return bool(HAS_CLAIM.match(content) or RELATIONS["name"].search(content))

    @cached_property
    def is_presupposed(self) -> bool:
        """Whether the quote speaks of what the claim says they have: "my dog is ill"."""
        passage = self.passage
        if not self.is_of_having or self.claim.is_over:
            return False
        if self.said("supposed", passage.scope):
            return False
        if any(self.said(cell, passage.clause) for cell in ("wished", "ended")):
            return False
        return any(
            self.contents.said_in(owned) or self.people & people_in(owned)
            for owned in self._owned()
        )

    @property
    def fault(self) -> str | None:
        """What refuses a claim whatever else speaks for it."""
        contents, clause = self.contents, self.passage.clause
        if not contents.foreign and contents.words and not contents.said_in(self.text):
            return "unrelated"
        if self.claim.is_over:
            ends = ("ended", "past", "gone", "denied")
            is_over = any(self.said(cell, self.passage.scope) for cell in ends)
            return None if is_over and not self._has_unsaid_word() else "not over"
        if contents.numbers and SUM.search(self.text):
            return "sum"
        is_turned_round = _DISLIKE.search(contents.text) and _LIKE.search(clause)
        return "denied" if is_turned_round else None

    def _has_unsaid_word(self) -> bool:
        """Whether a word of the claim is not in the quote, nor is of a kind that may be."""
        if self.contents.foreign or self.contents.by_pairs:
            return False
        words = {("word", word) for word in self.contents.words}
        kinds = [*PEOPLE.values(), *RELATIONS.values()]
        return any(
            not any(kind.search(str(word)) for kind in kinds)
            for _, word in words - self.contents.said_in(self.passage.quote)
        )

    def _owned(self) -> list[str]:
        """What follows "my" in the quote, unless it is somebody else's: "my sister's dog"."""
        if not self.language.is_spaced:
            return re.findall(
                "(?:我们?家的?|我们?的|私の|うちの|僕の|俺の)(.{1,6})", self.passage.quote
            )
        found = re.findall(
            rf"(?<!\w)(?:{self.language.own})\s+((?:[\w'-]+\s*){{1,4}})",
            self.passage.quote,
            re.IGNORECASE,
        )
        return [one for one in found if self.names_other or not re.search(r"\w's? ", one)]
