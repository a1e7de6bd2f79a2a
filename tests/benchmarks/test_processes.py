"""Commands are measured as themselves, not as the process that started them."""

import os
import sys
from pathlib import Path

import pytest

from benchmarks.harness.processes import environment, on_one_core, repeated, run

MB = 1_000_000


def test_peak_memory_is_the_command_s_own(tmp_path: Path) -> None:
    """Not that of this process, which is larger than a Python that does nothing."""
    ballast = bytearray(80 * MB)
    small = run([sys.executable, "-c", "pass"], home=tmp_path)
    large = run([sys.executable, "-c", f"bytearray({60 * MB})"], home=tmp_path)
    assert small.peak_bytes < len(ballast) // 2
    assert large.peak_bytes > small.peak_bytes + 50 * MB


def test_output_and_times_are_given(tmp_path: Path) -> None:
    done = run([sys.executable, "-c", "print(sum(range(10**6)))"], home=tmp_path)
    assert done.output == "499999500000\n"
    assert done.cpu_seconds > 0
    assert done.seconds > 0


def test_a_command_that_fails_is_no_measurement(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('out of order')"]
    with pytest.raises(RuntimeError, match="ended with 1 and said:\nout of order"):
        run(command, home=tmp_path)


def test_the_first_run_is_not_counted(tmp_path: Path) -> None:
    script = f"open({str(tmp_path / 'log')!r}, 'a').write('x')"
    assert len(repeated([sys.executable, "-c", script], home=tmp_path, runs=2)) == 2
    assert (tmp_path / "log").read_text(encoding="utf-8") == "xxx"


def test_settings_and_slowing_variables_stay_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MEM_CONFIG", "PYTHONDONTWRITEBYTECODE", "COVERAGE_PROCESS_START"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("KEPT", "1")
    found = environment(tmp_path)
    assert {"MEM_CONFIG", "PYTHONDONTWRITEBYTECODE", "COVERAGE_PROCESS_START"}.isdisjoint(found)
    assert found["KEPT"] == "1"
    assert found["HOME"] == str(tmp_path)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="processes cannot be pinned here")
def test_one_core_is_one_core(tmp_path: Path) -> None:
    before = os.sched_getaffinity(0)
    command = [sys.executable, "-c", "import os; print(len(os.sched_getaffinity(0)))"]
    assert run(command, home=tmp_path, one_core=True).output == "1\n"
    with on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
