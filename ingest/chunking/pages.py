"""The pages that a piece does not leave, so that its citation names one page.

Slides and messages are texts of their own, and so is a page that fits into a piece. Full pages of
running text are cut like one text: a sentence that runs over their end stays in one piece, and with
a cut there 1 % of the questions about such books lost their answer at rank 1.
"""

import re
from itertools import pairwise
from typing import Final

from ingest.loaders.base import LoadedText

_APART: Final = re.compile(r"(?:^|, )(?:page|(slide|message)) \d+$")
"""Not the cells of a notebook, which explain each other."""


def page_starts(loaded: LoadedText, size_chars: int) -> list[int]:
    """The places where a piece has to end, in order."""
    starts: list[int] = []
    bounds = [*((place.start_char, place.label) for place in loaded.places), (len(loaded.text), "")]
    was_apart = False
    for (start, label), (end, _) in pairwise(bounds):
        found = _APART.search(label)
        is_apart = found is not None and (found[1] is not None or end - start <= size_chars)
        if is_apart or was_apart:
            starts.append(start)
        was_apart = is_apart
    return starts
