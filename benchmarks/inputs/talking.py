"""Generate conversations: questions and answers, and now and then a fact about the speaker."""

from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.inputs.writing import Writer

TURNS_A_SESSION = 40
FACT_EVERY = 10
"""One of this many turns states a fact; half of all are the user's, who alone has facts."""

_SEED = 23
_FACTS = ("I like {0} {1}.", "I love {0} {1}, by the way.", "I hate {0} {1}.")
_LEAST_LETTERS = 5


class Talk:
    """Random turns, the same ones for the same version of Python; no two facts are alike."""

    def __init__(self) -> None:
        self._random = Random(_SEED)
        self._writer = Writer(_SEED)
        self.words = self._vocabulary()
        self._taken: set[str] = set()

    def turns(self, number: int) -> Iterator[dict[str, Any]]:
        """`number` turns, session after session, as POST /turns takes them."""
        topic = self._writer.topic()
        for at in range(number):
            if at % TURNS_A_SESSION == 0:
                topic = self._writer.topic()
            is_fact = at % FACT_EVERY == 0
            yield {
                "session_id": f"s{at // TURNS_A_SESSION}",
                "role": "assistant" if at % 2 else "user",
                "text": self.fact() if is_fact else self._writer.sentence(topic),
            }

    def fact(self) -> str:
        """A fact not stated before."""
        while True:
            pair = self._random.choice(self.words), self._random.choice(self.words)
            if (about := " ".join(pair)) not in self._taken:
                self._taken.add(about)
                return self._random.choice(_FACTS).format(*pair)

    def question(self) -> str:
        """A question about the memories."""
        return self._writer.question(self._writer.paragraph(self._writer.topic()))

    def _vocabulary(self) -> list[str]:
        """Words of the library's texts that could be things."""
        seen: dict[str, None] = {}
        for _ in range(1500):
            for word in self._writer.sentence(self._writer.topic()).split():
                if word.isalpha() and word.islower() and len(word) >= _LEAST_LETTERS:
                    seen[word] = None
        return list(seen)
