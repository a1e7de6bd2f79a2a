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
        reading.__name__: reading
        for reading in (
            *(names.name, names.bare_name, names.nickname, names.given_name),
            *(places.place, places.new_home, places.town),
            *(occupations.role, occupations.org, occupations.company),
            *(occupations.field, occupations.school, occupations.langs, occupations.nation),
            *(occupations.college, occupations.bare_role),
            *(occupations.illness, things.liked, things.favourite, things.avoided),
            *(families.household, families.pet, families.relative, families.relative_named),
            *(
                days.birthday,
                days.birth_date,
                days.ahead,
                days.coming,
                days.trip,
                days.stay,
                days.behind,
            ),
            *(days.ago, days.visited, days.spare),
        )
    }
)
