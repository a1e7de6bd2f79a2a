"""Facts: one value for each category and key, with its history."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from contracts import InputError, NotFoundError
from memory.records.facts import get_fact, list_facts, read_fact, write_fact
from memory.workspace import Workspace
from tests.memory.records.stated import COFFEE, NOW

LATER = NOW + timedelta(days=30)


def test_case_and_spacing_make_no_other_fact(memory: Workspace) -> None:
    first = write_fact(memory, COFFEE)
    again = write_fact(
        memory, replace(COFFEE, category=" Preference", key="Coffee  Order", value="Tea", now=LATER)
    )
    assert (again.id, again.citation, again.action) == (first.id, first.citation, "replaced")
    assert (again.created_at, again.updated_at) == (first.created_at, "2050-04-03T10:00:00.000Z")
    assert get_fact(memory, "PREFERENCE/coffee order").value == "Tea"
    (former,) = again.history
    assert (former.value, former.updated_at) == ("Oat milk latte", first.updated_at)
    assert former.replaced_at == again.updated_at


def test_the_same_value_again_reinforces(memory: Workspace) -> None:
    write_fact(memory, replace(COFFEE, source="user"))
    distilled = replace(COFFEE, source="distillation", confidence=0.7, now=LATER)
    again = write_fact(memory, distilled)
    assert (again.action, again.history) == ("reinforced", [])
    assert (again.confidence, again.source) == (0.9, "user")
    assert again.updated_at == "2050-04-03T10:00:00.000Z"
    lower = write_fact(memory, replace(COFFEE, confidence=0.4, now=LATER))
    assert lower.confidence == 0.4


@pytest.mark.parametrize(
    "source, confidence",
    [("user", 0.9), (None, 0.6), ("api", 0.6), ("distillation", 0.5), ("my agent", 0.6)],
)
def test_confidence_follows_from_the_source(
    memory: Workspace, source: str | None, confidence: float
) -> None:
    found = write_fact(memory, replace(COFFEE, source=source))
    assert (found.source, found.confidence) == (source or "api", confidence)


def test_a_distilled_value_does_not_replace_the_users(memory: Workspace) -> None:
    write_fact(memory, replace(COFFEE, source="user"))
    distilled = replace(COFFEE, value="Tea", source="distillation", now=LATER)
    kept = write_fact(memory, distilled)
    assert (kept.action, kept.value) == ("kept", "Oat milk latte")
    assert [old.value for old in kept.history] == ["Tea"]
    assert kept.updated_at == "2050-03-04T10:00:00.000Z"
    surer = write_fact(memory, replace(distilled, confidence=0.95))
    assert (surer.action, surer.value) == ("replaced", "Tea")
    faded = replace(distilled, value="Water", now=LATER + timedelta(days=200))
    assert write_fact(memory, faded).action == "replaced"


def test_a_faded_value_of_the_user_gives_way(memory: Workspace) -> None:
    write_fact(memory, replace(COFFEE, source="user"))
    late = NOW + timedelta(days=90 + 7 * 6)  # .9 * .9 ** 6 is .478
    distilled = replace(COFFEE, value="Tea", source="distillation", now=late)
    assert write_fact(memory, distilled).action == "replaced"


def test_an_expiry_belongs_to_its_value(memory: Workspace) -> None:
    visit = replace(COFFEE, key="visit", value="Paris", expires_at="2050-03-10")
    assert write_fact(memory, visit).expires_at == "2050-03-10T23:59:59.999Z"
    same = replace(visit, expires_at=None)
    assert write_fact(memory, same).expires_at == "2050-03-10T23:59:59.999Z"
    restored = write_fact(memory, replace(same, now=LATER))
    assert (restored.expires_at, restored.state) == (None, "current")
    soon = replace(visit, expires_at="2050-05-01T10:00:00+02:00", now=LATER)
    assert write_fact(memory, soon).expires_at == "2050-05-01T08:00:00.000Z"
    assert write_fact(memory, replace(same, value="Rome", now=LATER)).expires_at is None


def test_facts_are_listed_by_category_and_key(memory: Workspace) -> None:
    for category, key in (("work", "job_title"), ("preference", "tea"), ("preference", "cake")):
        write_fact(memory, replace(COFFEE, category=category, key=key))
    listed = [fact.citation for fact in list_facts(memory, now=NOW)]
    assert listed == ["fact preference/cake", "fact preference/tea", "fact work/job_title"]
    only = [fact.key for fact in list_facts(memory, category="Work", now=NOW)]
    assert only == ["job_title"]


def test_a_key_may_have_a_slash(memory: Workspace) -> None:
    write_fact(memory, replace(COFFEE, key="tcp/ip"))
    assert read_fact(memory, "preference/tcp/ip").key == "tcp/ip"


@pytest.mark.parametrize(
    "change, told",
    [
        ({"confidence": 1.01}, "the confidence is 1.01"),
        ({"confidence": -0.1}, "the confidence is -0.1"),
        ({"confidence": float("nan")}, "the confidence is nan"),
        ({"confidence": True}, "the confidence is True"),
        ({"category": "a/b"}, "the category is 'a/b'"),
        ({"category": " "}, "the category is empty"),
        ({"key": "x" * 201}, "the key has 201 characters"),
        ({"value": ""}, "the value is empty"),
        ({"value": "\u200b"}, "the value is empty"),
        ({"value": 3}, "the value is 3"),
        ({"expires_at": "soon"}, "the expires_at 'soon' is not a time"),
        ({"source": "a\0b"}, "the source has a NUL"),
        ({"metadata": {"a": float("inf")}}, "the metadata cannot be stored"),
    ],
    ids=str,
)
def test_invalid_values_are_named(memory: Workspace, change: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        write_fact(memory, replace(COFFEE, **change))
    assert list_facts(memory) == []


@pytest.mark.parametrize("name", ["preference/x", "preference", "/x", "9", "9" * 30, ""])
def test_an_unknown_fact_is_named(memory: Workspace, name: str) -> None:
    write_fact(memory, COFFEE)
    with pytest.raises(NotFoundError, match="there is no fact"):
        get_fact(memory, name)
