"""The tables of a new schema, by what they hold."""

from memory.storage.postgres.tables.all_tables import SAME_AS, tables_sql

__all__ = ["SAME_AS", "tables_sql"]
