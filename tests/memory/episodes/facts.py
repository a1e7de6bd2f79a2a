"""What a person tells about themselves, for the tests of facts."""

from datetime import timedelta

from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import form_episodes
from memory.episodes.triples.extraction import extract_facts
from memory.episodes.triples.store import TripleStore
from memory.episodes.triples.values import Triple
from memory.operations.manage import show
from memory.workspace import Workspace
from tests.memory.episodes.said import BEGUN

HOME = "I live in Berlin, not far from the old harbour."
WORK = "I work at Bosch, in the building beside the canal."
SISTER = "My sister is named Ida and she paints."
HERS = "My sister lives in Oslo, near the fjord."
MOVED = "I moved to Madrid last month, the flat is sunny."


def tell(workspace: Workspace, *texts: str, day: int = 0, session: str = "s1") -> list[int]:
    """Store turns of one day as a user's; return their ids."""
    turns = [
        NewTurn(session, text, ts=(BEGUN + timedelta(days=day, minutes=number)).isoformat())
        for number, text in enumerate(texts)
    ]
    return [result.turn_id for result in process_turns(workspace, turns)]


def learn(workspace: Workspace) -> None:
    """Form episodes and make facts of them."""
    form_episodes(workspace)
    extract_facts(workspace)


def triples(workspace: Workspace) -> list[Triple]:
    return [one for one in TripleStore(workspace.storage.database).many(range(1000)) if one.entity]


def facts(workspace: Workspace) -> dict[str, str]:
    """The state of each fact by its text."""
    states = TripleStore(workspace.storage.database).states(range(1000))
    return {one.text: states[one.id] for one in triples(workspace)}


def shown(workspace: Workspace, citation: str) -> object:
    return show(workspace, citation)
