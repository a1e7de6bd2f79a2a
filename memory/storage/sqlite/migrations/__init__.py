"""The numbered steps that make the tables of a SQLite database, one module each.

A step is a function; it is never changed once released, and `schema` commits it together with the
number that records it. Only a database that is behind loads these modules.
"""
