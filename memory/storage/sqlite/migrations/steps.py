"""The migrations in their order."""

from collections.abc import Callable

import apsw

from memory.storage.sqlite.migrations.v1_tables import initial
from memory.storage.sqlite.migrations.v2_owners_logged import log_owners
from memory.storage.sqlite.migrations.v3_cache_bounded import bound_cache
from memory.storage.sqlite.migrations.v4_cuts import add_cuts
from memory.storage.sqlite.migrations.v5_refusals import remember_refusals
from memory.storage.sqlite.migrations.v6_keywords_beside import note_keywords_beside
from memory.storage.sqlite.migrations.v7_loaders import note_loaders
from memory.storage.sqlite.migrations.v8_latencies import count_latencies
from memory.storage.sqlite.migrations.v9_conversations import add_conversations
from memory.storage.sqlite.migrations.v10_enrichments import note_enrichments
from memory.storage.sqlite.migrations.v11_sessions import index_sessions
from memory.storage.sqlite.migrations.v12_strengths import index_strengths

MIGRATIONS: tuple[Callable[[apsw.Connection], None], ...] = (
    initial,
    log_owners,
    bound_cache,
    add_cuts,
    remember_refusals,
    note_keywords_beside,
    note_loaders,
    count_latencies,
    add_conversations,
    note_enrichments,
    index_sessions,
    index_strengths,
)
"""Migration n (counted from 1) takes a database from version n - 1 to n."""
