"""What a server writes to its log holds no personal data, no matter who writes it."""

import io
import json
import logging
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

from memory.api.redaction import MOST_CHARS, redacted_line, redacted_stderr


@pytest.mark.parametrize("is_on", [True, False], ids=["masked", "as it is"])
def test_a_real_server_masks_its_log(serve_live: Any, home: Path, is_on: bool) -> None:
    server = serve_live()
    config = json.loads((home / "config.json").read_text("utf-8"))
    config["privacy"] = {"auto_pii_redaction": is_on}
    (home / "config.json").write_text(json.dumps(config), "utf-8")
    server.process.send_signal(signal.SIGHUP)
    server.hear("configuration read again")

    config["memory"]["ann@example.org"] = 1
    (home / "config.json").write_text(json.dumps(config), "utf-8")
    server.process.send_signal(signal.SIGHUP)
    said = server.hear("the configuration stays as it was")

    assert ("ann@example.org" in said) is not is_on
    assert ("[email]" in said) is is_on


def test_requests_leave_no_trace_in_the_log(serve_live: Any) -> None:
    server = serve_live()
    with server.client() as client:
        client.get("/context", params={"session_id": "s", "query": "ann@example.org"})
        client.post("/turns", json={"session_id": "s", "role": "ann@example.org", "text": "x"})
        client.get("/ann@example.org")
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(60) == 0
    assert "ann" not in server.stderr.read()


def test_whoever_writes_to_stderr_is_masked() -> None:
    log = io.StringIO()
    with redacted_stderr(log, is_on=lambda: True):
        record = {"msg": "mail from %s", "args": ("ann@example.org",), "levelno": logging.WARNING}
        assert logging.lastResort is not None  # where a log goes that nobody has set up
        logging.lastResort.handle(logging.makeLogRecord(record))
        try:
            raise ValueError("the password is hunter2")
        except ValueError:
            traceback.print_exc()
        sys.stderr.write("half a line of ann@exam")
        sys.stderr.write("ple.org")
    text = log.getvalue()
    assert "mail from [email]\n" in text
    assert "ValueError: the password is [password]\n" in text
    assert text.endswith("\nhalf a line of [email]")


def test_what_an_address_holds_encoded_is_masked() -> None:
    line = 'failed: "https://example.org/s?q=write+to+ann%40example.org&n=10%25"\n'
    assert redacted_line(line) == 'failed: "https://example.org/s?q=write to [email]&n=10%"\n'
    plain = "GET /s?q=10%25+of+it\n"
    assert redacted_line(plain) == plain


def test_a_very_long_line_is_cut() -> None:
    line = redacted_line("x" * 10 * MOST_CHARS + "\n")
    assert len(line) < MOST_CHARS + 10
    assert line.endswith(" ...\n")
