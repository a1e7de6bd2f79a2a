"""The way from an utterance to findings."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ingest.distillation.closings import OpenLoop, closed_by, closings
from ingest.distillation.commitments import commitments
from ingest.distillation.habits import habits
from ingest.distillation.people import people
from ingest.distillation.retractions import without_retracted
from ingest.distillation.sentences import sentences, spoken, without_fillers
from ingest.distillation.states import states
from ingest.distillation.values import (
    Acquaintance,
    Closing,
    Commitment,
    Findings,
    Habit,
    Listener,
    State,
)
from ingest.extractor import Utterance
from ingest.extractor.frames import is_framed
from ingest.pii import secrets_in

_REFUSED = re.compile(r"(?i)\b(?:no|nope|nah|not|never)\b|n't\b")
"""Words of a turn in which "done" alone closes nothing."""

_NOBODY = Listener()
_F = TypeVar("_F", Commitment, Closing, Acquaintance, State, Habit)


def findings(utterance: Utterance, listener: Listener = _NOBODY) -> Findings:
    """Return what a user's utterance proves by the rules. It never raises.

    Of other roles nothing, nor in a part that `utterance.before` and `earlier` begin.
    """
    if utterance.role != "user" or is_framed(utterance):
        return Findings()
    said = spoken(utterance.text, utterance.speaker, is_to_model=listener.is_model)
    fluent, places = without_fillers(said)
    text = without_retracted(fluent)
    told = [one for one in sentences(text) if not secrets_in(one.text)]
    done = [
        found for one in told for found in closings(one) if found.words or not _REFUSED.search(text)
    ]
    made = [
        found
        for one in told
        for found in commitments(text, one, said_at=utterance.said_at, listener=listener)
        if not _is_done_since(found, done)
    ]
    felt = sorted((found for one in told for found in states(text, one)), key=_is_unrated)
    return Findings(
        commitments=_placed({found.topic.casefold(): found for found in made}.values(), places),
        closings=_placed(done, places),
        people=_placed(people(text), places),
        states=_placed({found.series: found for found in reversed(felt)}.values(), places)[::-1],
        habits=_placed((found for one in told for found in habits(text, one)), places),
    )


def _placed(found: Iterable[_F], places: Sequence[int]) -> tuple[_F, ...]:
    """Return findings in a text without fillers where they are in the text as it was said."""
    return tuple(one._replace(start=places[one.start], end=places[one.end]) for one in found)


def _is_done_since(found: Commitment, done: Sequence[Closing]) -> bool:
    """Return whether the same turn goes on to say that a commitment is done."""
    loop = OpenLoop(found.topic, found.to)
    return any(
        closed_by(one, loop) if one.words else one.start >= found.start
        for one in done
        if one.start != found.start
    )


def _is_unrated(found: State) -> bool:
    return found.score is None
