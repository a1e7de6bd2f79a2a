"""The categories and keys of records facts that speak of a slot of memories.

`identity/home_city = Leiden` fills the slot of "User lives in Leiden". A fact of another category
or key has no counterpart among memories.
"""

from collections.abc import Iterator
from typing import Final

from contracts.named_tuple import NamedTuple

_ANY: Final = ("about", "basics", "biographical", "identity", "personal", "profile", "user")
"""The categories in which every key of the table counts."""


class FactKeys(NamedTuple):
    """A slot, the sentence of a memory of it with `{}` for the value, and the names of facts about
    it. In the table the categories are those in addition to the general ones.
    """

    slot: str
    sentence: str
    categories: tuple[str, ...]
    keys: tuple[str, ...]


_HOME: Final = ("city", "city_of_residence", "current_city", "home", "home_city", "lives_in")
_ROLE: Final = ("job", "job_title", "occupation", "profession", "role")
_YEAR: Final = ("birth_year", "year_of_birth")

FACT_KEYS: Final = (
    FactKeys(
        "user/home",
        "User lives in {}",
        ("home", "location"),
        (*_HOME, "location", "place_of_residence", "residence"),
    ),
    FactKeys(
        "user/address", "User's address is {}", ("contact", "home"), ("address", "home_address")
    ),
    FactKeys("user/name", "User's name is {}", (), ("first_name", "full_name", "name")),
    FactKeys("user/last name", "User's last name is {}", (), ("last_name", "surname")),
    FactKeys("user/nickname", "User goes by {}", (), ("nickname", "preferred_name")),
    FactKeys("user/age", "User is {}", (), ("age",)),
    FactKeys(
        "user/birthday", "User's birthday is {}", (), ("birth_date", "birthday", "date_of_birth")
    ),
    FactKeys("user/year of birth", "User was born in {}", (), _YEAR),
    FactKeys("user/nationality", "User's nationality is {}", (), ("citizenship", "nationality")),
    FactKeys(
        "user/mother tongue",
        "User's native language is {}",
        ("language", "languages"),
        ("first_language", "mother_tongue", "native_language"),
    ),
    FactKeys(
        "user/job/employer",
        "User works at {}",
        ("career", "job", "work"),
        ("company", "employer", "workplace"),
    ),
    FactKeys("user/job/role", "User works as {}", ("career", "job", "work"), _ROLE),
    FactKeys("user/school", "User studies at {}", ("education",), ("school", "university")),
    FactKeys("user/diet", "User is {}", ("diet", "food", "health"), ("diet",)),
    FactKeys(
        "user/relationship",
        "User is {}",
        ("family", "relationship", "relationships"),
        ("marital_status", "relationship_status"),
    ),
    FactKeys("user/children", "User has {} children", ("family",), ("number_of_children",)),
    FactKeys("user/phone", "User's phone is {}", ("contact",), ("phone", "phone_number")),
    FactKeys("user/e-mail", "User's e-mail is {}", ("contact",), ("e-mail", "email")),
    FactKeys("user/time zone", "User's time zone is {}", ("location",), ("time_zone", "timezone")),
    FactKeys("user/pronouns", "User's pronouns are {}", (), ("pronouns",)),
)

_FAVOURITE: Final = "user/favourite/"
_FAVOURITES: Final = ("favorites", "favourites", "preference", "preferences")
_SPELLED: Final = (("favourite_", "favorite_"), ("colour", "color"))


def keys_of_slot(slot: str) -> FactKeys | None:
    """Return the names of the facts about a slot; None for a slot that no fact is about."""
    if slot.startswith(_FAVOURITE):
        kind = slot.removeprefix(_FAVOURITE)
        keys = {f"favourite_{kind.replace(' ', '_')}"}
        for british, american in _SPELLED:
            keys |= {key.replace(british, american) for key in keys}
        sentence = f"User's favourite {kind} is {{}}"
        return FactKeys(slot, sentence, (*_ANY, *_FAVOURITES), tuple(sorted(keys)))
    found = next((each for each in FACT_KEYS if each.slot == slot), None)
    return found and found._replace(categories=(*_ANY, *found.categories))


def slot_of_key(category: str, key: str) -> str | None:
    """Return the slot that a fact of this category and key is about, if there is one."""
    for each in _favourite(key) if key.startswith(_SPELLED[0]) else FACT_KEYS:
        if key in each.keys and category in (*_ANY, *each.categories):
            return each.slot
    return None


def _favourite(key: str) -> Iterator[FactKeys]:
    kind = key.split("_", 1)[1].replace("_", " ").replace("color", "colour")
    names = keys_of_slot(f"{_FAVOURITE}{kind}") if kind else None
    return iter((names,) if names else ())
