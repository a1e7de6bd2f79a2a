"""The reading of each group of the rules: the group's name in a pattern is the key here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from ingest.extractor.readings import days, families, names, occupations, places, things
from ingest.extractor.wording import Told

Reading: TypeAlias = Callable[[str, Told], list[str]]
"""The values of a group, several when a list was said; none if its words are something else."""

READINGS: Mapping[str, Reading] = MappingProxyType(
    {
        name: reading
        for module in (days, families, names, occupations, places, things)
        for name, reading in vars(module).items()
        if getattr(reading, "__module__", "") == module.__name__ and name[0] != "_"
    }
)
