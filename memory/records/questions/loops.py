"""The loops that a question asks for: "what did I promise Marc?", "what do I still have to do?".

Such a question names a person and no word of what was promised, so that a search finds little. It
is answered by the loops themselves, open and closed, of the person or the subject that it names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ingest.pii import without_secrets
from memory.conversations.turns.store import TurnStore
from memory.records.forms import PEOPLE
from memory.records.open_loops import list_open_loops
from memory.records.store import RecordStore
from memory.records.values import ShownOpenLoop
from memory.workspace import Workspace

MOST_LOOPS: Final = 20
_MOST_QUOTED: Final = 200
_ASKING: Final = (
    r"did|do|have|had|am|was|what|which|that|anything|everything|everyone|something|who(?:m)?"
)
_BOUND: Final = (
    r"promise[ds]?|owe|commit(?:ted)?|agree[d]? to|sa(?:y|id) i(?:'d| would)|"
    r"(?:have|need|got|left|supposed|meant) to do|still (?:have|need) to|to do for"
)
_LOOPS: Final = r"promises?|commitments?|to-?dos?|to-do list|loops?|obligations?|debts?"
_ASKS: Final = re.compile(
    rf"(?i)\b(?:(?:{_ASKING})\b[^?]{{0,40}}?\b(?:i|we)\b[^?]{{0,30}}?\b(?:{_BOUND})\b|"
    rf"\b(?:my|the|all|any|open|outstanding|pending|unfinished)\s+(?:\w+\s+)?(?:{_LOOPS})\b|"
    r"\bopen loops?\b|\bto-?dos?\b)"
)
_NO_SUBJECT: Final = (
    "what which who whom when did do does have has had am was i we my me our all any anything "
    "everything everyone something open outstanding pending unfinished promise promised promises "
    "owe owed commit committed commitment commitments agree agreed say said would still need left "
    "supposed meant to do todo todos to-do to-dos dos list loop loops obligation obligations debt "
    "debts it is that yet done ever please show tell give there are were make made been by now "
    "remaining answered kept keep should must current currently got for to with about of the a an "
    "and or already so far anyone somebody someone people person everybody"
)
"""The words of such a question that name neither a person nor a subject."""


@dataclass(frozen=True, slots=True)
class AskedLoop:
    """A loop, and what its turns say: `text` in full, with the citations of those turns."""

    loop: ShownOpenLoop
    text: str


def asked_loops(workspace: Workspace, question: str) -> list[AskedLoop]:
    """Return the loops that a question asks for, the open ones first; none if it asks for none.

    A question that names a person or a subject gets their loops alone.
    """
    if not _ASKS.search(question):
        return []
    from ingest.distillation import stems  # its patterns take time to compile, and few ask

    loops = list_open_loops(workspace, resolved=True)
    subject = _with_aliases(workspace, stems(question) - stems(_NO_SUBJECT))
    fit = [one for one in loops if not subject or subject & _words_of(one)]
    fit.sort(key=lambda one: one.resolved)
    return [AskedLoop(one, _told(workspace, one)) for one in fit[:MOST_LOOPS]]


def _with_aliases(workspace: Workspace, words: frozenset[str]) -> frozenset[str]:
    """Return words, with all names of the people whom they name."""
    from ingest.distillation import stems

    people = RecordStore(workspace.storage.database, PEOPLE).where("1 = 1")
    names = ([one.name, *one.aliases] for one in people)
    known = (stems(" ".join(each)) for each in names if words & stems(" ".join(each)))
    return words.union(*known)


def _words_of(loop: ShownOpenLoop) -> frozenset[str]:
    from ingest.distillation import stems

    return stems(f"{loop.topic} {loop.metadata.get('to') or ''}")


def _told(workspace: Workspace, loop: ShownOpenLoop) -> str:
    """Return a loop with whom it binds to, its day, and the turns that opened and closed it."""
    about = [f"to {loop.metadata['to']}"] if loop.metadata.get("to") else []
    about += [f"due {loop.metadata['due']}"] if loop.metadata.get("due") else []
    about.append("done" if loop.resolved else "open")
    lines = [f"{loop.topic} ({', '.join(about)})"]
    opened = [one for one in loop.evidence if one.reason == "source"][:1]
    closed = [one for one in loop.evidence if one.reason == "resolution"][-1:]
    said = _said(workspace, [one.turn_id for one in (*opened, *closed)])
    lines += [f"opened in {one.citation}{said.get(one.turn_id, '')}" for one in opened]
    lines += [f"closed in {one.citation}{said.get(one.turn_id, '')}" for one in closed]
    if loop.resolved and not closed and loop.resolution:
        lines.append(f"closed: {loop.resolution}")
    return without_secrets("; ".join(lines))


def _said(workspace: Workspace, turn_ids: Sequence[int]) -> dict[int, str]:
    turns = TurnStore(workspace.storage.database).many(turn_ids)
    return {one.id: f': "{" ".join(one.text.split())[:_MOST_QUOTED]}"' for one in turns}
