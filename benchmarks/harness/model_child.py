"""Use one embedding model and print the durations: the process that `models` runs and measures.

Its argument is a file with a JSON object: `provider`, `questions`, `documents`. It prints a
`Worked`. Only the provider's own libraries are loaded, so that the memory is the model's.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from providers import ProviderSettings, create


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and seconds on a processor, of all threads together."""

    wall_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Worked:
    """The cost of the work: loading with the first word, each question, all documents together.

    The first call with documents is made twice, and counted once: some libraries load only then.
    """

    model: str
    dimensions: int
    load: Spent
    questions: tuple[Spent, ...]
    documents: Spent

    @classmethod
    def from_json(cls, text: str) -> "Worked":
        """Parse the output of the process."""
        found: dict[str, Any] = json.loads(text)
        questions = tuple(Spent(**one) for one in found.pop("questions"))
        load, documents = Spent(**found.pop("load")), Spent(**found.pop("documents"))
        return cls(**found, load=load, questions=questions, documents=documents)


def work(name: str, *, questions: Sequence[str], documents: Sequence[str]) -> Worked:
    """Load a provider's model and embed everything, in calls as large as its card says."""
    provider = create(name, ProviderSettings())
    load = _spent(partial(provider.embed, ["word"], kind="query"))
    card = provider.card
    asked = tuple(_spent(partial(provider.embed, [one], kind="query")) for one in questions)
    size = card.batch_size
    calls = [documents[start : start + size] for start in range(0, len(documents), size)]

    def embed(calls: Sequence[Sequence[str]]) -> None:
        for call in calls:
            provider.embed(call, kind="document")

    embed(calls[:1])
    return Worked(card.model, card.dimensions, load, asked, _spent(partial(embed, calls)))


def _spent(task: Callable[[], object]) -> Spent:
    began, began_cpu = time.perf_counter(), time.process_time()
    task()
    return Spent(time.perf_counter() - began, time.process_time() - began_cpu)


def main(given: Sequence[str]) -> None:
    """Do the work that a file describes."""
    asked = json.loads(Path(given[0]).read_text(encoding="utf-8"))
    worked = work(asked["provider"], questions=asked["questions"], documents=asked["documents"])
    print(json.dumps(asdict(worked)))


if __name__ == "__main__":
    main(sys.argv[1:])
