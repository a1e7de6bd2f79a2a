"""The errors of each engine for mistakes of the program, which no backend translates."""

from importlib.util import find_spec
from typing import Final

import apsw

_OF_POSTGRES: Final = find_spec("psycopg") is not None
if _OF_POSTGRES:
    import psycopg

CONSTRAINT_ERRORS: Final[tuple[type[Exception], ...]] = (
    apsw.ConstraintError,
    *((psycopg.IntegrityError,) if _OF_POSTGRES else ()),
)
PROGRAM_ERRORS: Final[tuple[type[Exception], ...]] = (
    apsw.SQLError,
    *((psycopg.ProgrammingError,) if _OF_POSTGRES else ()),
)
