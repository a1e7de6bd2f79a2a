"""The commands of records: fact, person, loop, pattern and signal."""
