"""Translation of the statements that every backend shares, see `memory.storage.database`."""

import functools
import json
import re

from memory.storage.values import Parameters

_LIST_PARAMETER = r"\(:(\w+)\)"
_LIST_HOLDS = r"list_holds\(([\w.]+), (:\w+)\)"


def in_sqlite(sql: str, parameters: Parameters | None = None) -> tuple[str, Parameters | None]:
    """A statement of `memory.storage.database` as SQLite understands it, and its parameters.

    A list is bound as one JSON array, so that a statement is the same for any number of values.
    """
    if parameters is None:
        return (_translated(sql) if "list_holds(" in sql else sql), None
    lists = {name: value for name, value in parameters.items() if type(value) in (list, tuple)}
    if not lists:
        return (_translated(sql) if "list_holds(" in sql else sql), parameters
    of_bytes = {name for name, values in lists.items() if values and type(values[0]) is bytes}
    bound = {
        name: json.dumps([value.hex() for value in values] if name in of_bytes else values)
        for name, values in lists.items()
    }
    return _translated(sql, frozenset(lists), frozenset(of_bytes)), {**parameters, **bound}


@functools.lru_cache(maxsize=512)
def _translated(
    sql: str, lists: frozenset[str] = frozenset(), of_bytes: frozenset[str] = frozenset()
) -> str:
    def values_of(found: re.Match[str]) -> str:
        name = found[1]
        value = "unhex(value)" if name in of_bytes else "value"
        return f"(SELECT {value} FROM json_each(:{name}))" if name in lists else found[0]

    # Another program may have left anything in the column.
    array = r"CASE WHEN json_valid(\1) THEN CASE json_type(\1) WHEN 'array' THEN \1 END END"
    is_held = r"held.value = \2 AND held.type = 'text'"  # not the text of a list in the list
    holds = rf"EXISTS (SELECT 1 FROM json_each({array}) AS held WHERE {is_held})"
    return re.sub(_LIST_HOLDS, holds, re.sub(_LIST_PARAMETER, values_of, sql))
