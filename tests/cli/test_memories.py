"""`mem remember`, `mem memories` and `mem explain` as a user types them."""

from tests.cli.shell import Mem


def test_what_is_kept_is_listed_shown_changed_and_explained(mem: Mem) -> None:
    made = mem("remember", "User likes tea", "--important", "--tag", "drinks")
    assert (made.code, made.out) == (0, "memory 1  User likes tea  (new)\n")
    assert "already known, now stronger" in mem("remember", "User loves tea").out
    other = mem("remember", "User hates tea")
    assert other.out == (
        "memory 2  User hates tea  (new)\nmemory 1 is archived: the new one contradicts it\n"
    )

    listed = mem("memories", "list").out.splitlines()
    assert listed[0].split() == ["memory", "layer", "score", "hits", "seen", "content"]
    assert len(listed) == 2
    assert listed[1].endswith("User hates tea")
    assert "User likes tea  (archived)" in mem("memories", "list", "--status", "all").out
    shown = mem("memories", "show", "1").out
    assert "memory 2 replaced it" in shown
    assert "drinks" in shown

    changed = mem("memories", "edit", "1", "--status", "active", "--tag", "hot", "--json").json
    assert (changed["status"], changed["tags"], changed["importance"]) == ("active", ["hot"], 1)
    told = mem("explain", "1").out
    assert "score 3.69 now = 0.69 for 1 hits + 1.00 at 0.0 days + 2.00 for importance" in told
    assert "replaced memory 2  User hates tea" in told
    assert "archived by user (conflict)  by 2" in told


def test_a_source_is_quoted_with_its_place(mem: Mem) -> None:
    mem("turn", "add", "--session", "s1", "--ts", "2026-03-04T10:00:00Z", "Hi. I live in Oslo.")

    told = mem("explain", "1").out

    assert "session s1 turn 1, 2026-03-04  (source)\n" in told
    assert '"I live in Oslo' in told
    assert "found by the rules" in told


def test_json_is_what_http_answers(mem: Mem) -> None:
    made = mem("remember", "User sings", "--metadata", '{"from": "Ada"}', "--json").json
    assert (made["action"], made["metadata"]) == ("create", {"from": "Ada"})

    (listed,) = mem("memories", "list", "-q", "sings", "--sort", "relevance", "--json").json
    assert listed == mem("memories", "show", "1", "--json").json
    assert mem("explain", "1", "--json").json["memory"] == listed
    assert mem("memories", "list", "--tag", "none", "--json").json == []
    assert "no such memories" in mem("memories", "list", "--tag", "none").err


def test_more_than_fits_is_said(mem: Mem) -> None:
    for word in ("sings", "swims", "paints"):
        mem("remember", f"User {word}")

    answer = mem("memories", "list", "--limit", "2")

    assert len(answer.out.splitlines()) == 3
    assert "more: --limit 20" in answer.err


def test_wrong_input_says_what_to_do(mem: Mem) -> None:
    mem("remember", "User sings")
    for arguments, said in (
        (("remember", " "), "the content is empty"),
        (("remember", "x", "--metadata", "[]"), "not a JSON object"),
        (("explain", "9"), "there is no memory 9"),
        (("memories", "show", "x"), "not a valid integer"),
        (("memories", "list", "--sort", "relevance"), "add q"),
        (("memories", "edit", "1"), "Nothing to change"),
        (("memories", "edit", "1", "--tag", "a", "--no-tags"), "cannot be used together"),
        (("memories", "edit", "9", "--importance", "1"), "mem memories list"),
    ):
        answer = mem(*arguments)
        assert answer.code != 0
        assert said in answer.err
    assert mem("memories", "edit", "1", "--no-tags", "--json").json["tags"] == []


def test_a_memory_is_confirmed(mem: Mem) -> None:
    mem("remember", "User sings", "--fading", "--metadata", '{"agent": "claude"}', "--tag", "agent")
    assert "claude" in mem("memories", "show", "1").out

    confirmed = mem("memories", "confirm", "1", "--json").json

    assert (confirmed["importance"], confirmed["tags"], confirmed["metadata"]) == (1, [], {})
    assert mem("memories", "confirm", "2").code == 4
