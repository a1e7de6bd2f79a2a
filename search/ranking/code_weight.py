"""Words mislead among code: a question in plain words shares few with the function that answers it.

Vectors then deserve more weight than among prose, if the model has such a weight and a text is
nearer than one about something else would be. Where none is, as often with pieces of large source
files, more weight for the vectors was found to cost answers.
"""

from collections.abc import Collection
from itertools import islice

from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow
from search.retrieval import Candidates, Plan

CODE_SIGNS = 0.045
"""The least share of signs of code in the characters of code. The first texts for questions about
prose have at most .02, those for questions about functions .04 to .09.
"""

LOOKED_AT = 5
"""The first texts of each leg, which tell whether the answer is code."""

_SIGNS = "=(){}[]_;"


def first_texts(index: CandidateIndex, plan: Plan, found: Candidates) -> dict[int, ChunkRow]:
    """The first texts of both legs, if code would change the weight of the vectors."""
    if plan.code_weight is None or plan.mode != "hybrid" or plan.options.fusion != "convex":
        return {}
    nearest = max(found.vector.values(), default=0.0)
    if plan.unrelated is None or nearest <= plan.unrelated:
        return {}
    first = {*islice(found.keyword, LOOKED_AT), *islice(found.vector, LOOKED_AT)}
    return index.chunk_rows(sorted(first))


def weighed(plan: Plan, first: Collection[ChunkRow]) -> Plan:
    """The plan with the weight for code, if these texts are code on average."""
    if plan.code_weight is None or sum(map(_share_of_signs, first)) <= CODE_SIGNS * len(first):
        return plan
    return plan._replace(weight=plan.code_weight)


def _share_of_signs(row: ChunkRow) -> float:
    size = len(row.text) - row.body_offset
    signs = sum([row.text.count(sign, row.body_offset) for sign in _SIGNS])
    return signs / size if size > 0 else 0.0
