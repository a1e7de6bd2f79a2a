"""Pages of what is remembered: what waits for a word, people, loops with their turns, plots."""

import re

import pytest
from starlette.testclient import TestClient

from memory.conversations.memories.editing import remember
from memory.storage.action_log import Caller, called_by
from memory.workspace import Workspace
from tests.memory.api.pages.conftest import key_of
from tests.memory.episodes.facts import SISTER, learn, tell


def said(pages: TestClient, *texts: str) -> None:
    for text in texts:
        turn = {"session_id": "s", "role": "user", "text": text}
        pages.post("/turns", json=turn).raise_for_status()


def test_what_an_agent_remembered_waits_for_a_word(pages: TestClient, workspace: Workspace) -> None:
    with called_by(Caller("a-helper", False)):
        made = remember(workspace, "User prefers tea to coffee")
    page = pages.get("/page/memories").text
    assert "Remembered by agents, confirmed by nobody" in page
    assert '<span class="tag">a-helper</span>' in page
    path = f"/page/memories/{made.id}/confirm"
    assert f'action="{path}"' in page
    assert f'action="{path}"' in pages.get(f"/page/read?at=memory {made.id}").text
    pages.post(path, data={"form_key": key_of(page)}).raise_for_status()
    after = pages.get("/page/memories").text
    assert "confirmed by nobody" not in after
    assert "User prefers tea to coffee" in after


def test_a_memory_has_its_evidence_its_history_and_its_curve(pages: TestClient) -> None:
    said(pages, "I live in Oslo. My dog is named Rex.")
    listed = pages.get("/page/memories").text
    (address, *_) = re.findall(r'href="(/page/read\?at=memory%20\d+)"', listed)
    page = pages.get(address).text
    assert '<pre class="said">' in page
    for title in ("Evidence", "Forgetting curve", "History", "Is it right?"):
        assert f"<h2>{title}</h2>" in page
    (plot,) = re.findall(r'<img src="(/page/plot/memory[^"]+)"', page)
    assert pages.get(plot).text.startswith("<svg")
    drawn = pages.get(plot, params={"points": "true"} | dict([plot.partition("?")[2].split("=")]))
    curve = drawn.json()
    assert curve["values"] == sorted(curve["values"], reverse=True)
    assert curve["values"][0] > curve["values"][-1]
    assert len(curve["times"]) == len(curve["values"])


def test_each_belief_is_listed_with_its_evidence(pages: TestClient, workspace: Workspace) -> None:
    said(pages, "I live in Oslo. My dog is named Rex.", "I have moved. I live in Bergen now.")
    with called_by(Caller("a-helper", False)):
        remember(workspace, "User prefers tea to coffee")
    rows = [
        re.sub(r"\s+", " ", row)
        for row in re.findall(r"<tr>.*?</tr>", pages.get("/page/memories").text, re.DOTALL)
    ]
    for statement, quote, turn in (
        ("User lives in Bergen", "I live in Bergen now", 2),
        ("User&#39;s dog is named Rex", "My dog is named Rex", 1),
    ):
        (row,) = [one for one in rows if f">{statement}</a>" in one]
        assert re.search(rf"<q>{quote}</q> <a [^>]+>session s turn {turn},", row)
    (row,) = [one for one in rows if ">User prefers tea to coffee</a>" in one]
    assert "Nobody said it: it was written by a-helper." in row
    archived = pages.get("/page/memories?status=archived").text
    assert "<q>I live in Oslo</q>" in archived


@pytest.mark.parametrize("with_turns", [False, True])
def test_exactly_what_was_shown_is_forgotten(
    pages: TestClient, workspace: Workspace, *, with_turns: bool
) -> None:
    """Of a memory with a fact made of it: the turn that it comes from goes on request alone."""
    (turn,) = tell(workspace, SISTER)
    learn(workspace)
    (sister,) = (one["id"] for one in pages.get("/memories").json()["memories"])
    form = {"form_key": key_of(pages.get(f"/page/read?at=memory {sister}").text)}
    form["citation"] = f"memory {sister}"
    if with_turns:
        form["sources"] = "yes"
    asked = pages.post("/page/forget", data=form).text
    shown = re.findall(r"<li>([^<]+) <span", asked)
    assert len(shown) > 1
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', asked))
    done = pages.post("/page/forget", data=sent).text
    assert "<h2>Proof</h2>" in done
    assert re.findall(r"<li>([^<]+) <span", done) == shown
    assert pages.get(f"/page/read?at=turn {turn}").status_code == (404 if with_turns else 200)


def test_a_context_has_the_tokens_and_the_reason_of_each_part(pages: TestClient) -> None:
    said(pages, "I live in Oslo. My dog is named Rex.")
    page = pages.get("/page/context?q=where do I live&session=s").text
    assert "one of the last turns of this conversation; at most 25% of all tokens" in page
    (whole,) = map(int, re.findall(r"<b>(\d+)</b> of 2,000 tokens", page))
    parts = list(map(int, re.findall(r'<td class="number">(\d+) ', page)))
    assert len(parts) >= 2
    assert sum(parts) == whole
    other = pages.get("/page/context?q=where do I live&session=other").text
    assert "by relevance, as long as there is room" in other
    none = pages.get("/page/context?q=which Friday do volcanoes erupt&session=other").text
    assert "Nothing seems to answer the question" in none


def test_a_person_has_everything_that_names_them(pages: TestClient) -> None:
    said(pages, "Lena wants the slides.")
    person = {"name": "Lena", "relationship": "colleague", "notes": "likes maps"}
    pages.post("/memory/person", json=person).raise_for_status()
    pages.post("/memory/open-loop", json={"topic": "send the slides to Lena"}).raise_for_status()
    assert ">Lena</a>, colleague" in pages.get("/page/people").text
    page = pages.get("/page/person?name=Lena").text
    for words in ("colleague", "likes maps", "send the slides to Lena", "Lena wants the slides."):
        assert words in page


def test_the_board_quotes_the_turns(pages: TestClient) -> None:
    said(pages, "I still have to send the slides.", "I have sent the slides.")
    loop = {"topic": "send the slides", "evidence": [1]}
    made = pages.post("/memory/open-loop", json=loop).json()
    closing = {"note": "sent", "evidence": [2]}
    path = f"/memory/open-loop/{made['id']}/resolve"
    pages.post(path, json=closing).raise_for_status()
    board = pages.get("/page/loops").text
    assert re.search(r"Opened by.*?I still have to send the slides\.", board, re.DOTALL)
    assert re.search(r"Closed by.*?I have sent the slides\.", board, re.DOTALL)


def test_signals_are_plots_with_and_without_scripts(pages: TestClient) -> None:
    for value in ("4", "7"):
        signal = {"signal_type": "mood", "value": value}
        pages.post("/memory/signal", json=signal).raise_for_status()
    page = pages.get("/page/signals").text
    assert '<figure class="plot"><img src="/page/plot/signal?series=mood"' in page
    assert pages.get("/page/plot/signal?series=mood").headers["content-type"] == "image/svg+xml"
    points = pages.get("/page/plot/signal?series=mood&points=true").json()
    assert (points["values"], points["range"]) == ([4.0, 7.0], [0.0, 10.0])
    assert pages.get("/page/static/uplot.min.js").text.startswith(
        "/*! https://github.com/leeoniya/"
    )
    assert pages.get("/page/plot/signal?series=none&points=true").status_code == 404


def test_a_record_is_shown_in_words_with_its_evidence(pages: TestClient) -> None:
    said(pages, "My editor is emacs, and I have to send the slides.")
    for value, evidence in (("vim", []), ("emacs", [1])):
        fact = {"category": "user", "key": "editor", "value": value, "evidence": evidence}
        pages.post("/memory/fact", json=fact).raise_for_status()
    loop = {"topic": "send the slides", "evidence": [1]}
    made = pages.post("/memory/open-loop", json=loop).json()
    signal = {"signal_type": "mood", "value": "4"}
    pages.post("/memory/signal", json=signal).raise_for_status()
    fact_page = pages.get("/page/read?at=fact user/editor").text
    assert "<h2>History</h2>" in fact_page
    assert "<li>vim <time" in fact_page
    (curve,) = re.findall(r'<img src="(/page/plot/fact[^"]+)"', fact_page)
    assert pages.get(curve).text.startswith("<svg")
    loop_page = pages.get(f"/page/read?at=loop {made['id']}").text
    for page in (fact_page, loop_page):
        assert "<h2>Evidence</h2>" in page
        assert '<pre class="said">My editor is emacs, and I have to send the slides.' in page
    for page in (fact_page, loop_page, pages.get("/page/read?at=signal 1").text):
        assert not re.search(r"<dd>(?:None|\(\)|\[.*|\{\}|)</dd>", page)
        assert "Evidence(" not in page
