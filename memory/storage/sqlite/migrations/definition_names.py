"""The step to version 21: the definitions that begin in a chunk of source code.

`chunks.defines` has their qualified names, a JSON list, and NULL if there are none.
`definition_names` finds a chunk by the last part of such a name, whatever its case; triggers keep
it in step with that column, from which it can be made again.
"""

_NAMES = """SELECT DISTINCT substr(value, length(rtrim(value, replace(value, '.', ''))) + 1), {id}
    FROM json_each({names})"""
_INSERT = f"INSERT OR IGNORE INTO definition_names (name, chunk_id) {_NAMES}"
_REMOVE = f"DELETE FROM definition_names WHERE (name, chunk_id) IN ({_NAMES})"
_OLD = {"id": "old.id", "names": "old.defines"}
_NEW = {"id": "new.id", "names": "new.defines"}

STATEMENTS = (
    "ALTER TABLE chunks ADD COLUMN defines TEXT",
    """
CREATE TABLE definition_names (
    name TEXT NOT NULL COLLATE NOCASE,
    chunk_id INTEGER NOT NULL,
    PRIMARY KEY (name, chunk_id)
) WITHOUT ROWID""",
    f"""
CREATE TRIGGER definitions_added AFTER INSERT ON chunks WHEN new.defines IS NOT NULL BEGIN
    {_INSERT.format(**_NEW)};
END""",
    f"""
CREATE TRIGGER definitions_changed AFTER UPDATE OF defines ON chunks
WHEN old.defines IS NOT new.defines BEGIN
    {_REMOVE.format(**_OLD)};
    {_INSERT.format(**_NEW)};
END""",
    f"""
CREATE TRIGGER definitions_removed AFTER DELETE ON chunks WHEN old.defines IS NOT NULL BEGIN
    {_REMOVE.format(**_OLD)};
END""",
)
