"""Claims of columns of text: the owner of a table states what each of its columns may hold.

So the proof of a removal can search every table, and a test finds a new column that it would miss.
"""

from typing import Final

from contracts.named_tuple import NamedTuple


class TextColumns(NamedTuple):
    """The columns of text of one table, in lists separated by commas.

    texts  texts of records: a word of a removed record may remain there, in another record
    names  names that the program gives: a single word may remain there, a passage may not
    notes  reasons of failures that the program records: no word may remain there
    codes  ids, times and states, which hold no words
    """

    table: str
    texts: str = ""
    names: str = ""
    notes: str = ""
    codes: str = ""


def names_in(*columns: str) -> list[str]:
    """Return the names in lists separated by commas."""
    return [name.strip() for part in columns for name in part.split(",") if name.strip()]


OF_STORAGE: Final = (
    TextColumns(
        "chunks",
        texts="text, heading, metadata, tags, session_id, place, defines",
        codes="uid, source, owner_id, generation, gap, occurred_at, recorded_at, hidden_from",
    ),
    TextColumns("definition_names", names="name"),
    TextColumns("roots", texts="path", codes="added_at"),
    TextColumns("meta", names="key, value_json"),
    TextColumns(
        "spaces",
        texts="provider, model, chunking, request",
        codes="revision, metric, embedder, generation, state, created_at",
    ),
    TextColumns("embedding_cache", codes="embedder, kind, provider, model, created_at, used_at"),
    TextColumns("tallies", names="name", notes="reason", codes="noted_at"),
    TextColumns("refused_texts", texts="reason", codes="embedder, refused_at"),
    TextColumns("latencies", texts="leg"),
    TextColumns("record_changes", codes="at, event, source, owner_id"),
    TextColumns("actions", texts="actor, action, code, token", codes="at, source, numbers"),
    TextColumns("tokens", texts="name", codes="scope, created_at, expires_at, last_used_on"),
)
"""The tables that belong to no kind of record."""
