"""`mem serve`: what the command adds to the server."""

import json
import re
import signal
import urllib.request
from pathlib import Path

import pytest

from tests.cli.shell import Mem, start
from tests.waiting import DEADLINE_S, output_of


def test_the_server_answers_until_it_is_ended(synced: Mem, folder: Path) -> None:
    process = start("serve", "--port", "0", cwd=folder)
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address, said
        with urllib.request.urlopen(f"{address[0]}/memory/health", timeout=DEADLINE_S) as answer:
            assert json.load(answer)["status"] == "ok"
        process.send_signal(signal.SIGTERM)
        output_of(process)
    finally:
        process.kill()
        output_of(process)
    assert process.returncode == 0


def test_an_address_for_everybody_needs_a_token(mem: Mem) -> None:
    answer = mem("serve", "--host", "0.0.0.0", "--port", "0")
    assert (answer.code, answer.out) == (5, "")
    assert answer.err.startswith("mem: ")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_no_port(mem: Mem, port: str) -> None:
    assert mem("serve", "--port", port).code == 2
