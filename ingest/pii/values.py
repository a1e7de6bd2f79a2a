"""The result of a search for personal data, and the two tags that records carry for it."""

from typing import Literal, TypeAlias

from contracts.named_tuple import NamedTuple

Kind: TypeAlias = Literal[
    "address", "birth_date", "card", "email", "iban", "key", "national_id", "password", "phone"
]

SECRET_KINDS: frozenset[Kind] = frozenset({"card", "key", "national_id", "password"})
"""Data that a reader can use against its owner: never extracted, never sent to a language model."""

PII = "pii"
"""The tag of a record with any of the above."""

SECRET = "secret"  # noqa: S105 - the name of a tag
"""The tag, in addition to `pii`, of a record with one of the SECRET_KINDS."""


class Finding(NamedTuple):
    """Personal data at `text[start:end]`."""

    start: int
    end: int
    kind: Kind
