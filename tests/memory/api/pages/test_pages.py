"""The pages over HTTP: who may see them, what they show, and that nothing in them is alive."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from memory.api import create_app
from memory.api.pages.rendering import FOLDER
from memory.operations.page_sessions import find_session
from memory.operations.tokens import create_token, list_tokens, revoke_token
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, settings, starting
from tests.memory.api.pages.conftest import ASKED_HERE, key_of
from tests.repository import ROOT

PAGES = (
    "/",
    "/?q=pump",
    "/page/read?at=docs/setup.md:1-3&q=pump",
    "/page/memories",
    "/page/timeline",
    "/page/people",
    "/page/loops",
    "/page/signals",
    "/page/context?q=pump",
    "/page/health",
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)> hx-get="/x" <b hx-on:click="a">'


@pytest.fixture
def closed(home: Path) -> Iterator[TestClient]:
    """A server with a configured token."""
    app = create_app(Workspace(settings(home, tokens=("of-the-owner", "with.a.dot"))))
    with TestClient(app, base_url=BASE_URL, headers=ASKED_HERE, follow_redirects=False) as opened:
        yield opened


def sign_in(client: TestClient, token: str, to: str = "/") -> int:
    return client.post("/page/sign-in", data={"token": token, "to": to}).status_code


def test_files_of_others_are_those_that_the_notice_names() -> None:
    """Each with its digest, so that it is what its authors published."""
    named = dict(re.findall(r"^  (\S+)\s+sha256 (\w{64})$", (ROOT / "NOTICE").read_text(), re.M))
    own = {"page.css", "page.js", "plots.js", "uplot.licence.txt"}
    files = {file.name: file for file in (FOLDER / "static").iterdir() if file.name not in own}
    assert named == {
        name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()
    }


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_nothing_from_elsewhere(pages: TestClient, path: str) -> None:
    answer = pages.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == POLICY
    assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text)
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script>|hx-on", answer.text)


@pytest.mark.parametrize("asked_by", ["cross-site", "same-site", "nonsense", None])
def test_only_its_own_pages_ask(pages: TestClient, asked_by: str | None) -> None:
    del pages.headers["Sec-Fetch-Site"]
    headers = {} if asked_by is None else {"Sec-Fetch-Site": asked_by}
    for path in ("/", "/page/sign-in", "/page/static/page.css"):
        assert pages.get(path, headers=headers).status_code == 403


def test_another_host_name_is_refused(pages: TestClient) -> None:
    assert pages.get("/", headers={"Host": "evil.example"}).status_code == 403


def test_a_page_wants_a_session_and_a_token_begins_one(closed: TestClient) -> None:
    refused = closed.get("/page/memories?q=x")
    assert (refused.status_code, refused.headers["location"]) == (
        303,
        "/page/sign-in?to=%2Fpage%2Fmemories%3Fq%3Dx",
    )
    assert closed.get("/page/static/page.css").status_code == 200
    unknown = ("/page/nothing", "/page/sign-in/nothing")  # who is not signed in learns nothing
    assert [closed.get(path).status_code for path in unknown] == [303, 303]
    assert sign_in(closed, "wrong") == 401
    assert sign_in(closed, "of-the-owner") == 303
    (cookie,) = closed.cookies.jar
    assert cookie.value != "of-the-owner"
    assert (cookie.has_nonstandard_attr("HttpOnly"), cookie.get_nonstandard_attr("SameSite")) == (
        True,
        "strict",
    )
    page = closed.get("/page/memories")
    assert (page.status_code, ">the configured token</span>" in page.text) == (200, True)
    assert [closed.get(path).status_code for path in unknown] == [404, 404]


def test_a_configured_token_may_have_a_dot(closed: TestClient) -> None:
    assert sign_in(closed, "with.a.dot") == 303
    assert closed.get("/page/memories").status_code == 200


def test_a_session_opens_no_other_route(closed: TestClient) -> None:
    sign_in(closed, "of-the-owner")
    assert closed.get("/memory/status").status_code == 401
    (cookie,) = closed.cookies.jar
    bearer = {"Authorization": f"Bearer {cookie.value}"}
    assert closed.get("/memory/status", headers=bearer).status_code == 401
    closed.cookies.clear()
    owner = {"Authorization": "Bearer of-the-owner"}
    assert closed.get("/", headers=owner).status_code == 303


def test_a_session_ends_with_sign_out(closed: TestClient) -> None:
    sign_in(closed, "of-the-owner")
    (cookie,) = closed.cookies.jar
    page = closed.get("/")
    assert closed.post("/page/sign-out", data={"form_key": "guess"}).status_code == 403
    assert closed.post("/page/sign-out", data={"form_key": key_of(page.text)}).status_code == 303
    closed.cookies.set(cookie.name, str(cookie.value))
    assert closed.get("/").status_code == 303


def test_a_session_ends_with_its_token_and_is_none_itself(home: Path) -> None:
    workspace = Workspace(settings(home))
    token = create_token(workspace, "ana", scope="read", owner=True).token
    with TestClient(
        create_app(workspace), base_url=BASE_URL, headers=ASKED_HERE, follow_redirects=False
    ) as client:
        assert sign_in(client, token) == 303
        assert client.get("/").status_code == 200
        assert [one.name for one in list_tokens(workspace)] == ["ana"]
        revoke_token(workspace, "ana")
        create_token(workspace, "ana", scope="read")
        assert client.get("/").status_code == 303


def test_an_expired_session_is_over(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from memory.operations import page_sessions
    from memory.operations.tokens import find_token, tokens_of

    token = create_token(workspace, "ana", scope="read").token
    tokens = tokens_of(workspace)
    secret = page_sessions.begin_session(tokens, token, find_token(tokens, token))
    assert find_session(tokens, secret, ()) is not None
    monkeypatch.setattr(page_sessions, "utc_now", lambda: "9999-01-01T00:00:00.000Z")
    assert find_session(tokens, secret, ()) is None
    workspace.close()


def test_a_scope_applies(home: Path) -> None:
    workspace = Workspace(settings(home))
    token = create_token(workspace, "reader", scope="read").token
    with TestClient(create_app(workspace), base_url=BASE_URL, headers=ASKED_HERE) as client:
        assert client.post("/page/sign-in", data={"token": token}).status_code == 200
        page = client.get("/page/health")
        assert "Sync now" not in page.text
        key = key_of(page.text)
        answer = client.post("/page/health/sync", data={"form_key": key})
        assert answer.status_code == 403
        refused = client.post("/page/forget", data={"form_key": key})
        assert (refused.status_code, "<h1>The token does not allow" in refused.text) == (403, True)


def test_after_signing_in_no_foreign_page_follows(closed: TestClient) -> None:
    for to in ("//evil.example/", "https://evil.example", "/memory/status", "javascript:x"):
        answer = closed.post("/page/sign-in", data={"token": "of-the-owner", "to": to})
        assert answer.headers["location"] == "/"
        closed.cookies.clear()


@pytest.mark.parametrize(
    "to, location",
    [
        ("/page/x\r\nX-Evil: 1", "/page/x%0D%0AX-Evil:%201"),
        ("/page/田", "/page/%E7%94%B0"),
        ("/page/\\evil.example", "/page/%5Cevil.example"),
        ("/page/read?at=a%20b&q=c+d", "/page/read?at=a%20b&q=c+d"),
    ],
    ids=["line-break", "other-script", "backslash", "encoded"],
)
def test_where_to_go_after_signing_in_is_an_address(
    closed: TestClient, to: str, location: str
) -> None:
    answer = closed.post("/page/sign-in", data={"token": "of-the-owner", "to": to})
    assert (answer.status_code, answer.headers["location"]) == (303, location)


def test_every_answer_of_a_page_has_the_policy(closed: TestClient) -> None:
    """Refusals, redirects, files and methods that no page has, too; nothing may be kept."""
    foreign = {"Sec-Fetch-Site": "cross-site"}
    answers = [
        closed.get("/", headers=foreign),
        closed.get("/", headers=foreign | {"Accept": "text/html"}),
        closed.get("/page/memories"),
        closed.get("/page/static/none.css"),
        closed.get("/page/static/page.css"),
        closed.get("/page/sign-in"),
        closed.post("/page/sign-in", data={"token": "of-the-owner"}),
        closed.get("/page/nothing"),
        closed.put("/page/memories"),
        closed.head("/page/static/page.css"),
    ]
    assert [one.status_code for one in answers] == [
        *(403, 403, 303, 404, 200, 200, 303, 404, 405, 200)
    ]
    assert {one.headers["content-security-policy"] for one in answers} == {POLICY}
    assert {one.headers["cache-control"] for one in answers} == {"no-store"}


def test_a_person_is_refused_in_a_page_and_a_program_in_a_document(pages: TestClient) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site"}
    page = pages.get("/", headers=foreign | {"Accept": "text/html,*/*"})
    assert (page.status_code, "<h1>Not allowed</h1>" in page.text) == (403, True)
    assert "set-cookie" not in page.headers
    document = pages.get("/", headers=foreign)
    assert document.headers["content-type"] == "application/problem+json"


def test_a_cookie_is_secure_over_https_and_of_another_session_each_time(home: Path) -> None:
    app = create_app(Workspace(settings(home, tokens=("of-the-owner",))))
    address = BASE_URL.replace("http:", "https:")
    found = []
    with TestClient(app, base_url=address, headers=ASKED_HERE, follow_redirects=False) as client:
        for _ in range(2):
            client.cookies.set("mem_page_8787", "chosen-by-another")
            answer = client.post("/page/sign-in", data={"token": "of-the-owner"})
            cookie, *flags = answer.headers["set-cookie"].split("; ")
            assert set(flags) == {"HttpOnly", "Path=/", "SameSite=strict", "Secure"}
            found.append(cookie)
            client.cookies.clear()
    assert len(set(found)) == 2
    assert not any("chosen-by-another" in one for one in found)


@pytest.mark.parametrize(
    "proxies, is_believed",
    [([], False), (["192.0.2.7"], False), (["127.0.0.1"], True), (["127.0.0.9/8", "::1"], True)],
    ids=["no-proxy", "another-proxy", "this-proxy", "this-network"],
)
def test_a_cookie_is_secure_behind_a_configured_proxy(
    home: Path, proxies: list[str], is_believed: bool
) -> None:
    with starting(home) as start:
        server = start(config={"server": {"tokens": ["of-the-owner"], "proxies": proxies}})
        with server.client() as client:
            for scheme in ("http", "https"):
                answer = client.post(
                    "/page/sign-in",
                    data={"token": "of-the-owner"},
                    headers=ASKED_HERE | {"X-Forwarded-Proto": scheme},
                )
                flags = answer.headers["set-cookie"].split("; ")
                assert ("Secure" in flags) == (is_believed and scheme == "https")


def test_wrong_tokens_wait(closed: TestClient) -> None:
    answers = [sign_in(closed, f"wrong-{number}") for number in range(30)]
    assert answers[-1] == 429


def test_a_wrong_token_is_told_to_a_person(closed: TestClient) -> None:
    page = closed.post("/page/sign-in", data={"token": "wrong", "to": "/"}).text
    assert '<p class="warning" role="alert">The token is not known.</p>' in page
    assert "Authorization" not in page


def test_a_form_of_another_page_writes_nothing(pages: TestClient) -> None:
    made = pages.post("/memories", json={"content": "User lives in Oslo"}).json()
    path = f"/page/memories/{made['id']}/correct"
    for form in ({"content": "x"}, {"content": "x", "form_key": "0" * 64}):
        assert pages.post(path, data=form).status_code == 403
    assert pages.get(f"/memories/{made['id']}").json()["content"] == "User lives in Oslo"


def test_a_memory_is_corrected_and_forgotten_with_the_proof(pages: TestClient) -> None:
    made = pages.post("/memories", json={"content": "User lives in Oslo"}).json()
    page = pages.get(f"/page/read?at=memory {made['id']}")
    key = key_of(page.text)
    path = f"/page/memories/{made['id']}/correct"
    assert (
        "User lives in Bergen"
        in pages.post(path, data={"form_key": key, "content": "User lives in Bergen"}).text
    )
    form = {"form_key": key, "citation": f"memory {made['id']}"}
    assert "would be forgotten" in pages.post("/page/forget", data=form).text
    assert pages.get(f"/memories/{made['id']}").status_code == 200
    assert "Proof" in pages.post("/page/forget", data={**form, "sure": "yes"}).text
    assert pages.get(f"/memories/{made['id']}").status_code == 404


def test_hostile_text_is_text(pages: TestClient, home: Path) -> None:
    (home / "docs" / "<script>alert(1)<script>.md").write_text(
        f"# {HOSTILE}\n\nxylograph {HOSTILE}\n"
    )
    pages.post("/memory/sync")
    pages.post("/turns", json={"session_id": HOSTILE, "text": f"xylograph {HOSTILE}"})
    for path in ("/?q=xylograph", "/page/context?q=xylograph", "/?q=" + HOSTILE):
        text = pages.get(path).text
        assert "&lt;script&gt;" in text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "<b hx-on" not in text
    hits = pages.post("/memory/search", json={"query": "xylograph"}).json()["results"]
    for hit in hits:
        text = pages.get("/page/read", params={"at": hit["citation"], "q": "xylograph"}).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text


def test_code_has_colours_and_its_hits_are_marked(pages: TestClient) -> None:
    text = pages.get("/page/read?at=docs/deep/code.py&q=litres").text
    assert '<span class="k">def</span> <span class="f">pump_rate</span>' in text
    assert "<mark>litres</mark>" in text


def test_a_part_is_answered_to_a_script(pages: TestClient) -> None:
    answer = pages.get("/?q=pump&mode=&tag=", headers={"HX-Request": "true"})
    assert "<html" not in answer.text
    assert "<mark>pump</mark>" in answer.text
    assert answer.headers["hx-replace-url"] == "/?q=pump"


def test_what_is_wrong_is_told_on_a_page(pages: TestClient) -> None:
    for path, status, words in (
        ("/page/read?at=nothing", 404, "Nothing indexed is called"),
        ("/page/read", 422, "At: Field required"),
        ("/page/nothing", 404, "There is no page /page/nothing"),
        ("/page/sign-out", 404, "There is no page"),
        ("/?q=x&since=never", 422, "not a time"),
        ("/?q=x&mode=magic", 422, "Mode: Input should be"),
        ("/page/person?name=Nobody", 404, "Nobody"),
    ):
        answer = pages.get(path)
        assert (answer.status_code, words in answer.text, "<h1>" in answer.text) == (
            status,
            True,
            True,
        )
        assert "File &#34;" not in answer.text


def test_a_form_for_no_address_is_told_so(pages: TestClient) -> None:
    form = {"form_key": key_of(pages.get("/page/health").text)}
    missing = pages.post("/page/unknown", data=form)
    assert (missing.status_code, "There is no page /page/unknown" in missing.text) == (404, True)
    page = pages.post("/page/memories", data=form)
    assert (page.status_code, page.headers["allow"]) == (405, "GET, HEAD")


def test_a_loop_is_closed_on_the_board(pages: TestClient) -> None:
    made = pages.post("/memory/open-loop", json={"topic": "send the slides"}).json()
    key = key_of(pages.get("/page/loops").text)
    pages.post(f"/page/loops/{made['id']}/resolve", data={"form_key": key, "note": "sent"})
    board = pages.get("/page/loops").text
    assert "Closed (1)" in board
    assert "Open (0)" in board


def test_the_pages_weigh_little(pages: TestClient) -> None:
    files = (
        "/page/static/htmx.min.js",
        "/page/static/page.js",
        "/page/static/page.css",
        "/?q=pump",
    )
    assert sum(len(pages.get(path).content) for path in files) < 200_000


def test_a_browser_keeps_the_files_of_the_pages_and_nothing_else(pages: TestClient) -> None:
    page = pages.get("/page/signals")
    assert page.headers["cache-control"] == "no-store"
    files = re.findall(r'"(/page/static/[^"]+)"', page.text)
    assert {path.partition("?")[0].rpartition("/")[2] for path in files} == {
        *("page.css", "page.js", "htmx.min.js"),
        *("uplot.min.css", "uplot.min.js", "plots.js"),
    }
    for path in files:
        answer = pages.get(path)
        version = hashlib.sha256(answer.content).hexdigest()[:12]
        assert path.endswith(f"?v={version}")
        assert "immutable" in answer.headers["cache-control"]
    assert pages.get("/page/static/page.css").headers["cache-control"] == "no-store"
    assert pages.get("/page/static/none.css?v=1").headers["cache-control"] == "no-store"
    assert pages.get("/memory/status").headers["cache-control"] == "no-store"
