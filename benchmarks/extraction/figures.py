"""The figures of the rules, printed with the other benchmarks."""

from collections.abc import Iterator

from benchmarks.extraction.believing import LANGUAGES, believing, read_claims
from benchmarks.extraction.labelled import FILES, read_labelled
from benchmarks.extraction.measuring import measure
from benchmarks.harness.bench import Bench
from benchmarks.harness.values import Figure, Goal

PRECISION = 0.95
RECALL = 0.6
KEPT = 0.85
FOOLED = 0.05


def extraction(_: Bench) -> Iterator[Figure]:
    """Precision and recall on both files of labelled turns, and turns read in a second."""
    for name in FILES:
        turns = read_labelled(name)
        measured = measure(turns)
        counts = measured.counts
        beside = f"{counts.right} of {counts.told} memories right, {len(turns)} turns"
        yield _share(f"precision, {name}", counts.precision, PRECISION, beside)
        beside = f"{counts.found} of {counts.required} facts found"
        yield _share(f"recall, {name}", counts.recall, RECALL, beside)
        yield Figure(
            *("extraction", f"wrong ends, {name}"),
            *(float(measured.wrong_ends), "wrong"),
            Goal(0.0, at_least=False),
            beside=f"{len(turns)} turns",
        )
        nothing = sum(not turn.required for turn in turns)
        yield Figure(
            *("extraction", f"wrong memories per 100 turns without a fact, {name}"),
            *(measured.false_positives, "wrong"),
            beside=f"{nothing} turns",
        )
        yield Figure("extraction", f"extraction by rules, {name}", measured.turns_per_s, "turns/s")
    for language in LANGUAGES:
        claims = read_claims(language, "held_out")
        if not claims:
            continue
        found = believing(claims)
        beside = f"{found.true} claims"
        yield _share(f"true claims of a model believed, {language}", found.kept, KEPT, beside)
        yield Figure(
            *("extraction", f"false claims of a model believed, {language}"),
            *(found.fooled, "share"),
            Goal(FOOLED),
            beside=f"{found.false} claims",
        )


def _share(what: str, value: float, goal: float, beside: str) -> Figure:
    return Figure("extraction", what, value, "share", Goal(goal, at_least=True), beside=beside)
