"""Measure which claims of a model are believed: true ones, and false ones made as traps.

No model is involved. The claims were written by people who had not read the check, with the quote
that a model would give. `dev` is for those who work on the check; what they have not read, if it is
there, is `held_out`, of which only totals are shown.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from benchmarks.extraction.labelled import FOLDER, said_at_of
from ingest import Utterance
from ingest.extractor.llm import read_answer

LANGUAGES: Final = ("en", "de", "fr", "it", "nl", "es", "pt", "zh", "ja")
HALVES: Final = ("dev", "held_out")


class LabelledClaim(NamedTuple):
    """An item of a model's answer about an utterance; `why` says why it is true or is not."""

    utterance: Utterance
    before: str
    item: dict[str, Any]
    is_true: bool
    why: str


class Believed(NamedTuple):
    """The number of true and of false claims, and how many of each were believed."""

    true: int
    true_believed: int
    false: int
    false_believed: int

    @property
    def kept(self) -> float:
        """The share of true claims that are believed."""
        return self.true_believed / self.true if self.true else 1.0

    @property
    def fooled(self) -> float:
        """The share of false claims that are believed."""
        return self.false_believed / self.false if self.false else 0.0


def read_claims(language: str, half: str) -> list[LabelledClaim]:
    """The claims of one language: `dev`, or `held_out`, which may be missing."""
    name = "claims" if half == "dev" else "claims_held_out"
    file = FOLDER / f"{name}.{language}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [_claim(json.loads(line)) for line in lines]


def examples() -> list[LabelledClaim]:
    """Short plain claims, by which the check was developed, too."""
    lines = (FOLDER.parent / "claim_examples.jsonl").read_text(encoding="utf-8").splitlines()
    return [_claim(json.loads(line)) for line in lines]


def _claim(row: dict[str, Any]) -> LabelledClaim:
    utterance = Utterance(row["text"], said_at_of(row), speaker=row.get("speaker"))
    item = {key: row[key] for key in ("content", "quote", "whose", "action")}
    return LabelledClaim(utterance, row.get("before", ""), item, row["true"], row["why"])


def is_believed(claim: LabelledClaim) -> bool:
    """Return whether a model that gives this item of this turn is believed."""
    told = json.dumps([claim.item])
    return bool(read_answer(told, claim.utterance, claim.before).candidates)


def believing(claims: Sequence[LabelledClaim]) -> Believed:
    """Count the claims that are believed."""
    judged = [(claim.is_true, is_believed(claim)) for claim in claims]
    return Believed(
        sum(is_true for is_true, _ in judged),
        judged.count((True, True)),
        sum(not is_true for is_true, _ in judged),
        judged.count((False, True)),
    )


@cache
def believed_of(language: str, half: str) -> Believed:
    """Count the claims of one set that are believed."""
    return believing(read_claims(language, half))


def table(languages: Sequence[str] = LANGUAGES) -> str:
    """The sets of each language, as far as they are there."""
    lines = ["claims of a model:"]
    for language in languages:
        for half in HALVES:
            found = believed_of(language, half)
            if found.true + found.false:
                lines.append(
                    f"  {language} {half:8} true believed {found.kept:.2f} of {found.true:3}, "
                    f"false believed {found.fooled:.2f} of {found.false:3}"
                )
    return "\n".join(lines)


def failures() -> list[str]:
    """The claims of `dev` that were judged wrongly."""
    claims = [claim for language in LANGUAGES for claim in read_claims(language, "dev")]
    return [
        f"{claim.utterance.text}\n"
        f"    {'believed' if believed else 'refused'} {claim.item}: {claim.why}"
        for claim in claims
        if (believed := is_believed(claim)) != claim.is_true
    ]
