"""The keyword entries of a database: renewed for another form, removed when idle."""
