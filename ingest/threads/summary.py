"""Extractive summaries of conversations: their most telling sentences, in the order of speech.

SumBasic (Nenkova and Vanderwende, 2005): a sentence is worth the mean probability of its words in
the conversation, and the words of a chosen one count less for the next. The mean is smoothed, since
an utterance may be one word. No model, no chance.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import fsum
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.threads.signals import Message, said_texts
from ingest.threads.worth import is_noise

SPEAKERS: Final = {"user": "User", "assistant": "Assistant"}
"""Roles whose messages are summarised, as a summary names them."""

_SENTENCE: Final = re.compile(
    r"[^.!?。！？\n]+(?:[.!?。！？]+(?!\s|$)[^.!?。！？\n]+)*[.!?。！？]*"
)
_WORD: Final = re.compile(r"[^\W_]{3,}")
_COMMON_WORDS: Final = """
    about all and any are because been but can could did does don for from get going got had has
    have her here him his how into its just let like make more not now one our out over really she
    should some than that the their them then there these they this those too two very was way were
    what when where which who why will with would you your
    """
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_LONGEST: Final = 400
"""Characters of a sentence from which it is cut: a pasted log must not fill a summary."""

_SMOOTHING: Final = 2
_SPEAKER_CHARS: Final = 1 + max(map(len, SPEAKERS.values())) + len(": ")


class Said(NamedTuple):
    """A message: who said it, as a summary names them, and its text."""

    speaker: str
    text: str


class Sentence(NamedTuple):
    """A sentence of a conversation, with the number of its message and its words."""

    message: int
    text: str
    words: frozenset[str]


def extractive_summary(messages: Sequence[Message], *, max_chars: int) -> str:
    """The most telling sentences of a conversation, a line for each message; "" if it has none.

    Greetings and thanks are left out. `max_chars` is at least 100. Raises InputError for invalid
    messages.
    """
    found = said_texts(messages, roles=tuple(SPEAKERS))
    said = [Said(SPEAKERS[role], text) for role, text in found]
    sentences = sentences_of(said, longest=max_chars - _SPEAKER_CHARS)
    counts = Counter(word for sentence in sentences for word in sentence.words)
    weights = {word: count / counts.total() for word, count in counts.items()}
    waiting = [(-_worth(sentence, weights), key) for key, sentence in enumerate(sentences)]
    heapify(waiting)
    room, chosen, speaking = max_chars, list[int](), set[int]()
    while waiting:
        worth, key = heappop(waiting)
        sentence = sentences[key]
        now = -_worth(sentence, weights)
        if now > worth:  # chosen sentences have taken from it
            heappush(waiting, (now, key))
            continue
        is_first = sentence.message not in speaking
        needed = len(sentence.text) + (_SPEAKER_CHARS if is_first else 1)
        if needed > room:
            continue
        room -= needed
        chosen.append(key)
        speaking.add(sentence.message)
        weights |= {word: weights[word] ** 2 for word in sentence.words}
    return written(said, (sentences[key] for key in sorted(chosen)))


def sentences_of(said: Sequence[Said], *, longest: int) -> list[Sentence]:
    """Return the different sentences of messages without those that only greet, thank or agree.

    A sentence of more than `longest` characters, or 400, is cut.
    """
    longest = min(_LONGEST, longest)
    found: list[Sentence] = []
    seen: set[str] = set()
    for number, (_, text) in enumerate(said):
        pieces = [] if is_noise(text) else [match[0] for match in _SENTENCE.finditer(text)]
        for piece in pieces:
            plain = " ".join(piece.split())
            if plain.casefold() in seen or is_noise(plain):
                continue
            seen.add(plain.casefold())
            short = plain if len(plain) <= longest else f"{plain[: longest - 1].rstrip()}…"
            words = frozenset(_WORD.findall(plain.casefold())) - _COMMON
            found.append(Sentence(number, short, words))
    return found


def _worth(sentence: Sentence, weights: Mapping[str, float]) -> float:
    return fsum(weights[word] for word in sentence.words) / (len(sentence.words) + _SMOOTHING)


def written(said: Sequence[Said], sentences: Iterable[Sentence]) -> str:
    """Return sentences, in their order, as a line for each message that begins with its speaker."""
    lines: dict[int, str] = {}
    for sentence in sentences:
        before = lines.get(sentence.message, f"{said[sentence.message].speaker}:")
        lines[sentence.message] = f"{before} {sentence.text}"
    return "\n".join(lines.values())
