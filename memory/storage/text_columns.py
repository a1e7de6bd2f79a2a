"""Which columns of text a table has, and what may stand in them.

Whoever owns a table claims all its columns of text. So what is forgotten can be looked for in every
table there is, and nobody can add one that the proof of a forgetting would pass over.
"""

from typing import Final, NamedTuple


class TextColumns(NamedTuple):
    """The columns of text of one table, each list separated by commas.

    texts  what people have put in, and what comes with it: a word of something forgotten may stand
           there of right, since another record has it too
    names  what the program calls things: a word may stand there of right, and no more than that
    notes  what the program has written about failures: no word may stand there
    codes  ids, times and states, in which no word can stand
    """

    table: str
    texts: str = ""
    names: str = ""
    notes: str = ""
    codes: str = ""


def names_in(*columns: str) -> list[str]:
    """The names in lists that are separated by commas."""
    return [name.strip() for part in columns for name in part.split(",") if name.strip()]


OF_STORAGE: Final = (
    TextColumns(
        "chunks",
        texts="text, heading, metadata, tags, session_id, place",
        codes="uid, source, owner_id, generation, gap, occurred_at, recorded_at",
    ),
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
    TextColumns("keywords_beside", codes="generation"),
    TextColumns("latencies", texts="leg"),
    TextColumns("actions", texts="actor, action, code", codes="at, source, numbers"),
    TextColumns("sqlite_schema", texts="name, sql"),
)
"""The tables that are of no kind of record."""
