"""Whether a passage of a turn agrees with a claim: about whom, in what mood, time and polarity."""

import re
from typing import Final, NamedTuple

from ingest.extractor.llm.clauses import KIN
from ingest.extractor.llm.languages import ENGLISH, Language, count_of
from ingest.extractor.llm.languages.all_languages import (
    DATED,
    JOKE,
    KINSHIP,
    NAMED,
    PARTS,
    REMINDER,
    SUM,
    TAKEN_BACK,
    THE,
    WITHOUT,
)
from ingest.extractor.llm.names_and_numbers import content_words, numbers, shared_words
from ingest.extractor.llm.passages import Passage

_MOODS: Final = {
    "told": "hearsay",
    "offered": "offer",
    "wished": "wish",
    "feared": "fear",
}
"""Cells whose words in a passage have to be in the claim too, with the reason if they are not."""

_NEAR: Final = 60
"""Characters after a sentence within which it is taken back."""


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


class Comparison(NamedTuple):
    """A claim beside a passage of a turn; `before` is what was said before the turn."""

    claim: Claim
    passage: Passage
    language: Language
    text: str
    before: str

    def fault(self) -> str | None:
        """Why the passage does not tell the claim, None if it does."""
        if not self._is_about_the_subject():
            return "about somebody else"
        if self._is_unrelated():
            return "unrelated"
        if self._presupposes_the_name():
            return None
        return self._mood() or self._time() or self._polarity() or self._relation()

    def _said(self, cell: str, text: str | None = None) -> bool:
        text = self.passage.clause if text is None else text
        return bool(self.language.find(cell).search(REMINDER.sub("", text)))

    def _told(self, cell: str) -> bool:
        """Whether the claim has words of a cell, in English or in the language of the turn."""
        tellers = (self._teller(),) if cell == "now" else (ENGLISH, self.language)
        return any(one.find(cell).search(self.claim.content) for one in tellers)

    def _teller(self) -> Language:
        """The language of the claim: that of the turn, or English."""
        content = self.claim.content.replace(self.claim.subject, "", 1)
        is_english = count_of(content, ENGLISH) >= count_of(content, self.language)
        return (
            ENGLISH if is_english and self.language.is_spaced else telling(content, self.language)
        )

    def _is_about_the_subject(self) -> bool:
        subject = self.passage.subject
        if self._names_other():
            if self._is_another_relative():
                return False
            if subject == "third":
                return self._means_one_of_theirs()
            if subject == "speaker":
                return self._said("person")
            return subject in ("own", "nobody") or self._begins_with_the_named()
        if subject == "own":
            clause = self.passage.clause
            is_person = KIN.match(clause) or _person_after(self.language.own, clause, self.language)
            people = self.language.find("person").findall(clause)
            return not is_person or (self._has_person() and len(people) == 1)
        if self.claim.is_over and subject == "other":
            content, text = self.claim.content, self.claim.quote
            return self._begins_with_the_named() or bool(shared_words(content, text, self.language))
        return subject in ("speaker", "nobody")

    def _is_another_relative(self) -> bool:
        """Whether the clause is about a relative of another kind: a cousin is no brother."""
        clause, told = self.passage.clause, f"{self.claim.content} {self.claim.whose}"
        kinds = [(bool(kind.search(told)), bool(kind.search(clause))) for kind in KINSHIP]
        said = [is_said for _, is_said in kinds]
        return any(said) and any(is_told for is_told, _ in kinds) and (True, True) not in kinds

    def _means_one_of_theirs(self) -> bool:
        """Whether "she" may be "my sister", said before; "her sister" is not."""
        if _person_after(rf"\A\W*(?:{self.language.third})", self.passage.clause, self.language):
            return False
        return _person_after(self.language.own, f"{self.before} {self.text}", self.language)

    def _presupposes_the_name(self) -> bool:
        """Whether the claim names somebody whom the clause names: "can my son Leo ...?"."""
        own = rf"(?:{self.language.own})\W*(?:\w{{1,30}}\s+)?(?:{self.language.person})"
        found = re.search(rf"{own}[\s,]+([^\W\d_]+)", self.passage.clause, re.IGNORECASE)
        is_name = bool(found and found[1][0].isupper() and found[1] in self.claim.content)
        return is_name and bool(NAMED.search(self.claim.content))

    def _is_unrelated(self) -> bool:
        """Whether a claim in the language of the turn has no word and no number of it."""
        content = self.claim.content.replace(self.claim.subject, "", 1)
        text = self.claim.quote if self.claim.is_over else self.text
        if self.claim.is_over and self._said("gone", text):
            return False
        if self._teller() != self.language or numbers(content) & numbers(text):
            return False
        return not shared_words(content, text, self.language)

    def _names_other(self) -> bool:
        """Whether the claim is about somebody of the person's: "User's sister Ida"."""
        named = self.claim.whose.strip().casefold()
        if named not in ("", "user", "the user", "speaker", self.claim.subject.casefold()):
            return True
        head = self.claim.content.removeprefix(self.claim.subject)
        people = f"{ENGLISH.person}|{self.language.person}"
        return bool(
            re.match(rf"(?:'s|的|の)\s?(?:\w{{1,30}} )?(?:{people})\b", head, re.IGNORECASE)
        )

    def _begins_with_the_named(self) -> bool:
        """Whether the clause begins with a name in the claim, or with "the twins"."""
        clause, language = self.passage.clause, self.language
        if re.search(
            rf"\b(?:{language.own})\W+(?:[\w'-]{{1,30}}\s+)?(?:{language.person})", clause, re.I
        ):
            return False  # "the wife of my colleague"
        names = (word.strip(",.'s") for word in clause.split()[:2])
        if any(name[:1].isupper() and name in self.claim.content for name in names):
            return True
        return _person_after(rf"\A\W*(?:{language.others})", clause, language)

    def _has_person(self) -> bool:
        """Whether the claim is of having somebody: "User has a dog"."""
        content = re.sub(r"\w+ (?:allergy|person|phobia|lover)\b", "", self.claim.content)
        teller = self._teller()
        return _person_after("has|owns" if teller == ENGLISH else teller.has, content, teller)

    def _mood(self) -> str | None:
        """What the clause does not state, unless the claim says it in the same mood."""
        if self.passage.is_asked:
            return "question"
        after = self.text.partition(self.passage.whole)[2][:_NEAR]
        if JOKE.search(self.passage.whole) or TAKEN_BACK.search(after):
            return "joke"
        if PARTS.search(self.passage.whole):
            return "role play"
        is_unreal = self._told("supposed") or self._told("wished")
        if self._said("supposed", self.passage.head) and not is_unreal:
            return "supposed"
        for cell, reason in _MOODS.items():
            text = self.passage.head if cell == "told" else None
            if self._said(cell, text) and not self._told(cell):
                return reason
        if SUM.search(self.text) and numbers(self.claim.content):
            return "sum"
        if self._told("often") and not self._said("often", self.passage.whole):
            return "no habit"
        return None

    def _time(self) -> str | None:
        """A future told as present or past; a past or an end told as present."""
        if self._said("coming") and not self._is_planned():
            return "not yet"
        if self.claim.is_over:
            said = f"{self.passage.rest}\n{self.claim.quote}"
            ends = any(self._said(cell, said) for cell in ("ended", "past", "gone", "denied"))
            return None if ends else "not over"
        if (
            self._is_over()
            and self._told("now")
            and not (self._told("past") or self._is_negative())
        ):
            return "no longer"
        return None

    def _is_planned(self) -> bool:
        """Whether the claim is told of a coming time: "is moving", "on 2026-05-03"."""
        cells = ("coming", "wished", "often")
        return any(map(self._told, cells)) or bool(DATED.search(self.claim.content))

    def _is_over(self) -> bool:
        return self._said("past", self.passage.rest) or self._said("ended", self.passage.rest)

    def _is_negative(self) -> bool:
        return self._told("denied") or self._told("ended")

    def _polarity(self) -> str | None:
        """A denial told as true, or the other way round; "without glasses" may be either."""
        if self.claim.is_over or WITHOUT.match(self.passage.clause) or self._told("feared"):
            return None
        denied = self._said("denied", self.passage.rest)
        if denied and not self._is_negative():
            return "denied"
        denied = denied or self._said("denied", self.claim.quote)
        is_turned_round = self._told("denied") and not denied and not self._is_over()
        return "denied" if is_turned_round and self._repeats_the_quote() else None

    def _repeats_the_quote(self) -> bool:
        """Whether half of the claim's own words, or more, are in the quote."""
        content = self.claim.content.replace(self.claim.subject, "", 1)
        positive = self.language.find("denied").sub("", ENGLISH.find("denied").sub("", content))
        shared = {word for _, word in shared_words(positive, self.claim.quote, self.language)}
        return 2 * len(shared) >= len(content_words(positive, self.language)) > 0

    def _relation(self) -> str | None:
        """Having somebody and living somewhere need words for it: fears and visits have none."""
        clause, language = self.passage.clause, self.language
        if self._has_person() and not (self._said("has") or _person_after(THE, clause, language)):
            return "another relation"
        is_home = re.search(r"\b(?:lives|resides)\b", self.claim.content)
        return "another relation" if is_home and not self._said("home") else None


def telling(content: str, language: Language) -> Language:
    """The language of a claim about a turn in Chinese or Japanese: by its letters."""
    return ENGLISH if re.search(r"[A-Za-z]{2}", content) and not language.is_spaced else language


def _person_after(words: str, text: str, language: Language) -> bool:
    """Whether a noun for a person or pet follows some words."""
    start, end = (r"(?<!\w)", r"(?!\w)") if language.is_spaced else ("", "")
    start = "" if words.startswith(r"\A") else start
    pattern = rf"{start}(?:{words})\W*(?:[\w'-]{{1,30}}\s+){{0,2}}?(?:{language.person}){end}"
    return bool(re.search(pattern, text, re.IGNORECASE))
