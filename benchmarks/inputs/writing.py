"""Write new documents from real sentences: Markdown, Python and plain text.

A sentence is a real one or the beginning of one joined to the end of another at a word they share,
so that hardly two are equal and yet words keep their context. A document keeps to one module's
subject for two thirds of its sentences, since texts repeat their own words.
"""

import re
from collections import defaultdict
from random import Random

from benchmarks.inputs.topics import Topic, read_topics

SECTIONS = 5
SECTION_CHARS = (680, 830)
"""Least length of a section; with its last sentence it becomes one chunk of about 800."""

_OWN_SUBJECT = 0.65
_JOINED = 0.75
_FENCED = 0.12
_LISTED = 0.12
_LIST_LINES = 4
_PROGRAM_CHARS = 500
"""Chunks of programs are shorter, since definitions are kept whole."""

_FENCE_CHARS = 450
_BEFORE_CODE = 3
_LINE_CHARS = 96
_WORD = re.compile(r"[^\W\d_]{3,}")

_Joints = dict[str, list[tuple[int, int]]]


class Writer:
    """Random documents, the same ones for the same seed and version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._topics = read_topics()
        self._coders = [topic for topic in self._topics if len(topic.functions) > SECTIONS]
        self._words: dict[str, list[list[str]]] = {}
        self._joints: dict[str, _Joints] = {}

    def document(self, kind: str, topic: Topic, plant: str | None = None) -> str:
        """A text of about `SECTIONS` chunks; one sentence of it holds the word `plant`."""
        planted = self._random.randrange(SECTIONS) if plant else None
        sections = [
            (self.heading(topic), self._section(topic, plant if number == planted else None))
            for number in range(SECTIONS)
        ]
        if kind == "md":
            parts = [f"## {heading}\n\n{self._formed(topic, body)}" for heading, body in sections]
            return "\n\n".join((f"# {self.heading(topic)}", *parts)) + "\n"
        return "\n\n".join(_wrapped(sentence) for _, body in sections for sentence in body) + "\n"

    def program(self, topic: Topic) -> str:
        """A Python module of real functions, each under a comment."""
        size = SECTIONS * _PROGRAM_CHARS
        parts = [f'"""{self.sentence(topic)}"""']
        while sum(map(len, parts)) < size:
            comment = _wrapped(self.sentence(topic)).replace("\n", "\n# ")
            parts.append(f"# {comment}\n{self._random.choice(topic.functions)}")
        return "\n\n\n".join(parts) + "\n"

    def paragraph(self, topic: Topic, plant: str | None = None) -> str:
        """The sentences of one section as one paragraph."""
        return " ".join(self._section(topic, plant))

    def sentence(self, topic: Topic) -> str:
        """One sentence, mostly of that topic."""
        if self._random.random() > _OWN_SUBJECT:
            topic = self._random.choice(self._topics)
        sentences, joints = self._of(topic)
        words = self._random.choice(sentences)
        if self._random.random() > _JOINED:
            return " ".join(words)
        at = self._random.randrange(len(words))
        other, place = self._random.choice(joints[words[at]])
        return " ".join((*words[: at + 1], *sentences[other][place + 1 :]))

    def heading(self, topic: Topic) -> str:
        """A few words that follow one another in a sentence of the topic."""
        words = _WORD.findall(" ".join(self._random.choice(self._of(topic)[0])))
        start = self._random.randrange(max(1, len(words) - 3))
        return " ".join(words[start : start + self._random.randint(2, 4)]).capitalize() or "Notes"

    def topic(self, *, with_functions: bool = False) -> Topic:
        """A random subject."""
        return self._random.choice(self._coders if with_functions else self._topics)

    def kind(self) -> str:
        """The type of the next file: seven of ten are Markdown, two Python, one plain text."""
        return self._random.choices(("md", "py", "txt"), (7, 2, 1))[0]

    def question(self, text: str) -> str:
        """Some words of one sentence of a text."""
        return question(self._random, text)

    def _of(self, topic: Topic) -> tuple[list[list[str]], _Joints]:
        """The topic's sentences as words, and the positions of each word."""
        if topic.name not in self._words:
            sentences = [sentence.split() for sentence in topic.sentences]
            joints: _Joints = defaultdict(list)
            for number, words in enumerate(sentences):
                for place, word in enumerate(words):
                    joints[word].append((number, place))
            self._words[topic.name], self._joints[topic.name] = sentences, joints
        return self._words[topic.name], self._joints[topic.name]

    def _section(self, topic: Topic, plant: str | None) -> list[str]:
        size = self._random.randint(*SECTION_CHARS)
        sentences = []
        while size > 0:
            sentences.append(self.sentence(topic))
            size -= len(sentences[-1]) + 1
        if plant:
            at = self._random.randrange(min(_BEFORE_CODE, len(sentences)))
            words = sentences[at].split()
            words.insert(self._random.randint(1, len(words)), plant)
            sentences[at] = " ".join(words)
        return sentences

    def _formed(self, topic: Topic, sentences: list[str]) -> str:
        """The sentences as paragraphs, as a paragraph and a list, or with a fence of code."""
        form = self._random.random()
        if form < _LISTED:
            head, items = sentences[:-_LIST_LINES], sentences[-_LIST_LINES:]
            return "\n\n".join((" ".join(head), "\n".join(f"- {item}" for item in items))).strip()
        if form < _LISTED + _FENCED and topic.functions:
            code = self._random.choice(topic.functions)[:_FENCE_CHARS].rpartition("\n")[0]
            return f"{' '.join(sentences[:_BEFORE_CODE])}\n\n```python\n{code}\n```"
        half = len(sentences) // 2
        return "\n\n".join(
            _wrapped(" ".join(part)) for part in (sentences[:half], sentences[half:])
        )


def question(random: Random, text: str) -> str:
    """Some words of one sentence of a text, in order, as people ask for it."""
    sentences = [part for part in re.split(r"[.!?\n]\s+", text) if len(part.split()) > 5]
    words = [word for word in random.choice(sentences).split() if len(word) > 3]
    kept = sorted(random.sample(range(len(words)), min(len(words), 5)))
    start = random.choice(("", "", "how does ", "what is ", "where to find "))
    return start + " ".join(words[number].strip(".,;:()`'\"") for number in kept)


def _wrapped(text: str) -> str:
    """The text in lines of at most `_LINE_CHARS`, if its words allow it."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= _LINE_CHARS:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join((*lines, line))
