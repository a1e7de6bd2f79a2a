"""Chat models through OpenAI's library, against a server that speaks its chat completions."""

import json
import logging
import re
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator

import pytest

from contracts import ConfigError, MemError, UnavailableError
from providers.chat import ChatError, ChatProvider, ChatSettings, create_chat
from providers.chat.base import OF_THE_QUESTION
from providers.chat.openai import OpenAIChat
from providers.chat.service import chat_error
from tests.providers.wire import chat as wire
from tests.providers.wire import openai as openai_wire
from tests.providers.wire.server import CUT, HTML, SILENT, SLOW, Answer, WireServer, serving

KEY = openai_wire.KEY
PRIVATE = "I am moving to Lisbon."
SAID = '[{"content": "User likes tea"}]'


@pytest.fixture
def server() -> Iterator[WireServer]:
    with serving(wire.openai_saying(SAID)) as server:
        yield server


Making = Callable[..., ChatProvider]


@pytest.fixture
def make(server: WireServer) -> Making:
    def made(
        *,
        model: str = wire.MODEL,
        api_key: str | None = KEY,
        key_variable: str = "MY_KEY",
        path: str = "/v1",
    ) -> ChatProvider:
        settings = ChatSettings(server.url + path, model, api_key, key_variable)
        return create_chat("openai", settings)

    return made


def ask(provider: ChatProvider, *, timeout_s: float = 10, json: bool = True) -> str:
    return provider.complete(
        "Be brief.", "I like tea.", max_tokens=64, timeout_s=timeout_s, json=json
    )


def test_a_request_is_as_the_reference_has_it(make: Making, server: WireServer) -> None:
    provider = make()
    assert ask(provider) == SAID
    assert (provider.host, provider.model) == (server.host, wire.MODEL)
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": wire.MODEL,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "I like tea."},
        ],
        "temperature": 0,
        "max_tokens": 64,
        "response_format": {"type": "json_object"},
    }


def test_no_server_sends_a_question_on_to_another(make: Making, server: WireServer) -> None:
    with serving(wire.openai_saying(SAID)) as other:
        elsewhere = {"Location": f"{other.url}/v1/chat/completions"}
        server.script.append(Answer(307, {}, elsewhere))
        with pytest.raises(ChatError, match="307 Temporary Redirect") as caught:
            ask(make())
    assert caught.value.reason == "wrong request"
    assert "memory.llm" in caught.value.hint
    assert other.requests == []


def test_no_message_repeats_a_word_of_the_question(make: Making, server: WireServer) -> None:
    """Messages of a server are kept, even when the question must be forgotten."""
    asked = json.dumps({"text": "My sister lives\nin Lyon.\t我住在北京"}, ensure_ascii=False)
    echo = "Bad input: 'My sister lives\nin Lyon. 住在北京', 9 tokens " + "Lyon " * 50
    for status in (400, 403, 422, 429, 500):
        server.script.append(openai_wire.error(status, echo))
        with pytest.raises(ChatError, match=r"Bad input: '…\. …', 9 tokens …") as caught:
            make().complete("Be brief.", asked, max_tokens=64, timeout_s=10)
        assert not {"sister", "Lyon", "北京"} & set(re.findall(r"北京|\w+", str(caught.value)))


def test_json_is_asked_for_only_on_request(make: Making, server: WireServer) -> None:
    ask(make(), json=False)
    assert "response_format" not in server.requests[0].body


def test_a_newer_model_gets_the_options_that_it_takes(make: Making, server: WireServer) -> None:
    provider = make(model=wire.REASONING_MODEL)
    assert [ask(provider), ask(provider)] == [SAID, SAID]
    assert len(server.requests) == 4, "what was refused once is not tried again"
    assert server.requests[-1].body.keys() == {
        *("model", "messages", "max_completion_tokens", "response_format"),
    }


def test_a_server_without_json_mode_is_asked_without(make: Making, server: WireServer) -> None:
    server.script.append(wire.no_json_mode())
    assert ask(make()) == SAID
    assert "response_format" not in server.requests[-1].body
    assert server.requests[-1].body["max_tokens"] == 64


def test_a_server_that_takes_nothing_is_given_up(make: Making, server: WireServer) -> None:
    server.service = lambda request: wire.unsupported("temperature")
    with pytest.raises(ChatError, match="rejects the request: 400 Unsupported parameter") as caught:
        ask(make())
    assert caught.value.reason == "wrong request"
    assert len(server.requests) == 2


def test_a_missing_message_is_an_empty_answer(make: Making, server: WireServer) -> None:
    server.script.append(wire.said(None))
    assert ask(make()) == ""


def test_half_a_character_is_sent_as_its_sign(make: Making, server: WireServer) -> None:
    make().complete("s", "tea \ud83d", max_tokens=9, timeout_s=10)
    assert server.requests[0].body["messages"][1]["content"] == "tea \ufffd"


FAILURES = [
    pytest.param(openai_wire.wrong_key(), "wrong key", "does not accept", "MY_KEY", id="key"),
    pytest.param(
        openai_wire.unknown_model("m"),
        "no model",
        "no chat model 'gpt-4o-mini'",
        "llm.model",
        id="model",
    ),
    pytest.param(
        Answer(404, b"404 page not found", {"Content-Type": "text/plain"}),
        "no model",
        "has nothing at /v1/chat/completions",
        "memory.llm.endpoint, which usually ends in /v1",
        id="no such page",
    ),
    pytest.param(openai_wire.error(403, "no"), "not allowed", "not allow this: no", "", id="403"),
    pytest.param(openai_wire.used_up(), "no quota", "quota at .* is used up", "credit", id="quota"),
    pytest.param(openai_wire.rate_limited(), "rate limited", "429 Rate limit", "later", id="429"),
    pytest.param(openai_wire.server_error(500), "server error", "500 The server", "", id="500"),
    pytest.param(CUT, "unreachable", "connection to .* failed", "endpoint", id="cut"),
    pytest.param(wire.too_long(), "refused", "refuses the text: This model's", "", id="too long"),
    pytest.param(
        openai_wire.error(400, "filtered", param="prompt", code="content_filter"),
        "refused",
        "refuses the text: filtered",
        "",
        id="Azure's filter",
    ),
    pytest.param(
        wire.said(None, refusal="I can't help with that."),
        "refused",
        "declines",
        "",
        id="refusal",
    ),
    pytest.param(
        wire.said("", finish_reason="content_filter"), "refused", "declines", "", id="filter"
    ),
    pytest.param(HTML, "unreadable", "no message", "chat model", id="page"),
    pytest.param(Answer(body={"choices": []}), "unreadable", "no message", "", id="no choice"),
    pytest.param(Answer(body={"choices": [3]}), "unreadable", "no message", "", id="odd choice"),
    pytest.param(Answer(body=b"[" * 200_000), "unreadable", "no message", "", id="abyss"),
    pytest.param(Answer(body=b" " * 1_100_000), "unreadable", "more than 1000000", "", id="huge"),
    pytest.param(
        Answer(body={"choices": [{"message": {"content": [{"type": "text"}]}}]}),
        "unreadable",
        "not text",
        "",
        id="parts",
    ),
]


@pytest.mark.parametrize("answer, reason, message, hint", FAILURES)
def test_a_failure_is_said_once_and_has_a_reason(
    make: Making, server: WireServer, answer: Answer, reason: str, message: str, hint: str
) -> None:
    server.script.append(answer)
    with pytest.raises(ChatError, match=message) as caught:
        ask(make())
    assert caught.value.reason == reason
    assert hint in caught.value.hint
    assert server.host in caught.value.message
    assert len(server.requests) == 1, "who asks decides whether to ask again"
    assert caught.value.is_of_the_question == (reason in OF_THE_QUESTION)


def test_a_server_says_how_long_to_leave_it_alone(make: Making, server: WireServer) -> None:
    server.script.append(openai_wire.rate_limited(Retry_After="20"))
    with pytest.raises(ChatError, match="asks to wait 20 seconds") as caught:
        ask(make())
    assert caught.value.after_s == 20


@pytest.mark.parametrize("answer", [SILENT, SLOW], ids=["silent", "slow"])
def test_the_timeout_bounds_the_whole_call(
    make: Making, server: WireServer, answer: Answer
) -> None:
    server.script.append(answer)
    with pytest.raises(ChatError, match=r"did not answer within 0\.2 seconds") as caught:
        ask(make(), timeout_s=0.2)
    assert caught.value.reason == "timeout"
    assert "memory.llm.timeout_s" in caught.value.hint


def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as reserved:  # bound, and nobody listens
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        provider = OpenAIChat(ChatSettings(f"http://{address}/v1", "m"))
        with pytest.raises(ChatError, match=f"connection to {address} failed: .*refused") as caught:
            ask(provider)
    assert caught.value.reason == "unreachable"


def test_openai_is_not_asked_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    provider = OpenAIChat(ChatSettings("https://api.openai.com/v1", "m"))
    with pytest.raises(ChatError, match=r"OpenAI at api\.openai\.com needs an API key") as caught:
        ask(provider)
    assert caught.value.reason == "no key"
    assert "export OPENAI_API_KEY=" in caught.value.hint


def test_a_key_of_openai_goes_to_openai_only(
    make: Making, server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    server.service = lambda request: wire.said("[]")
    assert ask(make(key_variable="OPENAI_API_KEY")) == "[]"
    assert ask(make(api_key=None)) == "[]"
    assert KEY not in str(server.requests)


def test_the_key_and_the_text_are_nowhere_to_be_seen(
    make: Making,
    server: WireServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.INFO)
    provider = make()
    seen = [repr(provider), repr(vars(provider))]
    answers = [param.values[0] for param in FAILURES]
    for answer in (*answers, openai_wire.error(403, f"{KEY} may not")):
        server.script.append(answer)
        try:
            provider.complete("s", PRIVATE, max_tokens=9, timeout_s=10)
        except MemError as error:
            logging.getLogger("test").exception("failed")
            seen += [repr(error), str(error), *traceback.format_exception(error)]
            seen += map(repr, (error.__cause__, error.__context__))
        server.script.clear()
    logged = [f"{record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records]
    seen += [*logged, caplog.text, *capfd.readouterr()]
    assert any("quota" in line for line in seen)
    assert not [line for line in seen if KEY in line or PRIVATE in line]


def test_a_server_that_wants_a_key_of_its_own_says_where_to_name_it(
    make: Making, server: WireServer
) -> None:
    with pytest.raises(ChatError, match=f"the server at {server.host} needs an API key") as caught:
        ask(make(key_variable="OPENAI_API_KEY"))
    assert caught.value.reason == "no key"
    assert "name its variable in memory.llm.api_key_env" in caught.value.hint


@pytest.mark.parametrize("key", ["sk-\u2026", "sk-1\nX-Evil: 1"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(make: Making, key: str) -> None:
    with pytest.raises(ChatError, match="holds characters that no key has") as caught:
        ask(make(api_key=key))
    assert caught.value.reason == "wrong key"
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("address", ["localhost:11434", "http://h h", "http://me:pw@host/v1"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(
        ConfigError, match=r"memory\.llm\.endpoint (is not a server address|holds a user)"
    ):
        OpenAIChat(ChatSettings(address, "m"))


def test_a_provider_of_another_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="no chat provider named 'opena'") as caught:
        create_chat("opena", ChatSettings("http://host/v1", "m"))
    assert caught.value.hint.startswith("did you mean 'openai'?")


def test_making_one_loads_no_library() -> None:
    code = """import sys
from providers.chat import ChatSettings, create_chat
create_chat("openai", ChatSettings("http://host/v1", "m"))
print("openai" in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_error_of_another_kind_counts_as_unreadable() -> None:
    assert chat_error(UnavailableError("odd", hint="mend")).reason == "unreadable"


def test_settings_show_no_key() -> None:
    assert KEY not in repr(ChatSettings("http://host/v1", "m", KEY))
