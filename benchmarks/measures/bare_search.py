"""The cost of a hybrid search in a new process without our code: both scans, and ten texts read.

A separate program, `python -I -S bare_search.py SITE-PACKAGES VEC0 DATABASE WORDS`: it searches the
tables of one of our databases for every word, including frequent ones, and ends without cleaning
up.
"""

import os
import sys

site_packages, vec0, database, words = sys.argv[1:]
sys.path.append(site_packages)

import apsw  # noqa: E402  # found only now

connection = apsw.Connection(database, flags=apsw.SQLITE_OPEN_READWRITE)
connection.enable_load_extension(True)
connection.load_extension(vec0)
by_words = connection.execute(
    "SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY bm25(chunks_fts) LIMIT 100",
    (" OR ".join(f'"{word}"' for word in words.split()),),
).fetchall()
by_meaning = connection.execute(
    "SELECT chunk_id FROM vector_codes_1 ORDER BY vec_distance_cosine(vec_int8(q), "
    "vec_int8((SELECT q FROM vector_codes_1 LIMIT 1))) LIMIT 200"
).fetchall()
for (chunk_id,) in (by_words + by_meaning)[:10]:
    connection.execute("SELECT text FROM chunks WHERE id = ?", (chunk_id,)).fetchall()
os._exit(0)
