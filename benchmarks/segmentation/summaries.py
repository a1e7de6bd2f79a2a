"""Measure summaries of episodes: `python -m benchmarks.segmentation.summaries FOLDER`.

A collection of conversations in BEIR layout names, for each question, the messages with its
evidence. Each session is divided into episodes, and each episode is summarised from its own
sentences; the share of the evidence whose sentences are in the summary of its episode says how much
of what is asked for later a summary carries.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, log
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.beir import read_judgements, rows
from ingest.threads.summary import Said, extractive_summary, sentences_of
from memory.episodes.cohesion import Messages, prepared
from memory.episodes.segmentation import Limits, Spoken, ends
from memory.episodes.summaries.sentences import telling_sentences, words_in
from providers import ProviderSettings, create

Summarise = Callable[[Sequence[Said]], str]


class Part(NamedTuple):
    """An episode: its conversation, and the ids and contents of its messages."""

    group: str
    ids: Sequence[str]
    said: Sequence[Said]


def read_parts(folder: Path) -> list[Part]:
    """Divide every session of a collection into episodes."""
    sessions: dict[tuple[str, str], list[tuple[str, Said]]] = {}
    for row in rows(folder / "corpus.jsonl"):
        speaker, _, text = str(row["text"]).partition(": ")
        key = (str(row["group"]), str(row["metadata"]["session"]))
        sessions.setdefault(key, []).append((str(row["_id"]), Said(speaker, text)))
    model = create("static", ProviderSettings())

    def prepare(texts: Sequence[str]) -> Messages:
        return prepared(texts, model)

    found = []
    for (group, _), messages in sessions.items():
        spoken = [Spoken(said.text, float(n)) for n, (_, said) in enumerate(messages)]
        begin = 0
        for end in ends(spoken, prepare, until_s=inf, limits=Limits()):
            part = messages[begin:end]
            found.append(Part(group, [key for key, _ in part], [said for _, said in part]))
            begin = end
    return found


def carried(
    parts: Sequence[Part], evidence: Mapping[str, int], summarise: Summarise
) -> tuple[float, float]:
    """Return the share of the evidence that is in the summaries, and their mean length.

    A message counts by the characters of its sentences, once for each question that needs it.
    """
    found = total = characters = 0.0
    for part in parts:
        summary = summarise(part.said)
        characters += len(summary)
        for key, said in zip(part.ids, part.said, strict=True):
            sentences = [one.text for one in sentences_of([said], longest=400)]
            whole = sum(map(len, sentences))
            if whole and key in evidence:
                held = sum(len(text) for text in sentences if text in summary)
                found += evidence[key] * held / whole
                total += evidence[key]
    return found / max(total, 1), characters / max(len(parts), 1)


def ways(parts: Sequence[Part], *, max_chars: int) -> dict[str, Summarise]:
    """Return the ways to summarise: ours, with rarity in the collection and without, and others."""
    texts = [said.text for part in parts for said in part.said]
    counts = Counter(word for text in texts for word in words_in(text))

    def rarity(words: Iterable[str]) -> dict[str, float]:
        return {word: log(2 + len(texts) / (1 + counts[word])) for word in words}

    def equal(words: Iterable[str]) -> dict[str, float]:
        return dict.fromkeys(words, 1.0)

    def first(said: Sequence[Said]) -> str:
        return "\n".join(f"{speaker}: {text}" for speaker, text in said)[:max_chars]

    def central(said: Sequence[Said]) -> str:
        messages = [{"role": "user", "content": text} for _, text in said]
        return extractive_summary(messages, max_chars=max_chars)

    return {
        "the first messages": first,
        "most central sentences": central,
        "most telling, all words alike": lambda said: telling_sentences(
            said, equal, max_chars=max_chars
        ),
        "most telling": lambda said: telling_sentences(said, rarity, max_chars=max_chars),
    }


def main(given: Sequence[str]) -> None:
    """Print a row for each way, with both halves of the conversations."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.segmentation.summaries")
    parser.add_argument("folder", type=Path, help="a collection: conversations with questions")
    parser.add_argument("--chars", type=int, default=600, help="most characters of a summary")
    options = parser.parse_args(given)
    evidence = Counter(key for keys in read_judgements(options.folder).values() for key in keys)
    parts = read_parts(options.folder)
    groups = list(dict.fromkeys(part.group for part in parts))
    halves = [
        [part for part in parts if (groups.index(part.group) % 2 == 0) is is_first]
        for is_first in (True, False)
    ]
    print(f"{len(parts)} episodes             first half  second half  characters")
    for name, summarise in ways(parts, max_chars=options.chars).items():
        shares = [carried(half, evidence, summarise)[0] for half in halves]
        length = carried(parts, evidence, summarise)[1]
        print(f"{name:30}  {shares[0]:9.3f}  {shares[1]:11.3f}  {length:10.0f}")


if __name__ == "__main__":
    main(sys.argv[1:])
