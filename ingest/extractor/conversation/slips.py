"""Slips of the tongue that the same turn corrects: "I live in Cork. Sorry, I mean Kerry"."""

from collections.abc import Callable, Iterator, Sequence

from contracts.lazy_regex import deferred
from ingest.extractor.corrections import corrected
from ingest.extractor.matching import Found, values_of
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.retractions import AH, NO_ITEMS

_CUE = rf"(?:(?:{any_of(AH)})[\s,.!…-]+)*(?:i mean|i meant(?: to say)?|correction|(?:(?:wait|sorry|hold on)[\s,.!…-]+no|no[\s,.!…-]+(?:wait|sorry|hold on))(?=[\s]*[,.!:…]|[\s]+(?:it's|make|[A-Z])|[\s,]+\d))"  # fmt: skip
_SLIP = deferred(rf"(?i)(?:[.!?…,;:]+|\s[-–—]+|(?<=\w))\s+(?={_CUE}\b|no,? make that\b)")
_ITEM = deferred(rf"(?i){_CUE}[\s,.!:…-]+(?:to |it's )?(?P<item>(?!(?:{any_of(NO_ITEMS)}|\w+ly)\b)[a-z]{{3,}}(?: (?!(?:{any_of(NO_ITEMS)})\b)[a-z]{{3,}})?)(?:[.!]|$)")  # fmt: skip
_REACH = 120


def slips(
    text: str, told: Told, read: Callable[[str, Told], Sequence[Found]]
) -> Iterator[Candidate]:
    """Yield the facts of a turn with the values that a later sentence of it gives in their place."""
    for slip in _SLIP.finditer(text):
        before, said = read(text[: slip.start()], told), text[slip.end() :][:_REACH]
        for new in corrected(said, before, told) or _swapped(said, before, told):
            yield new._replace(start=slip.end(), end=slip.end() + len(said))


def _swapped(said: str, before: Sequence[Found], told: Told) -> list[Candidate]:
    """Return the last fact, if it names what somebody cannot have, with another name."""
    item = _ITEM.match(said)
    if not item or not before or "avoided" not in before[-1].values:
        return []
    old, values = before[-1], values_of({"avoided": item["item"]}, told)
    new = [old._replace(values={**old.values, **one}).candidate(told) for one in values]
    return [one._replace(ends=(old.candidate(told).content,)) for one in new]
