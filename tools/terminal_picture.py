"""Draw the terminal session of the README: `python -m tools.terminal_picture`.

The commands run in a terminal of their own, on the notes in tools/terminal_session/, by a user
whose home has nothing but settings that name the static model, so that no answer depends on the
extras that are installed. A test runs them again and compares what they print, except times.
"""

import html
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

PICTURE: Final = Path(__file__).parents[1] / "docs" / "images" / "terminal.svg"
NOTES: Final = Path(__file__).parent / "terminal_session" / "notes"
SESSION: Final = (
    "mem sync notes",
    'mem search "when is a failed payment sent again"',
    'mem turn add --session monday "I moved to Oslo in May, and my sister Ida is a painter"',
    'mem search -k 1 "where do I live"',
)
SETTINGS: Final = '{"memory": {"embeddings": {"provider": "static"}}}'
COLUMNS: Final = 92
LINES: Final = 16
TIMEOUT_S: Final = 60

_FORMAT: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>A terminal session: notes are indexed and searched, a turn is added and asked about</title>
<style>
.{unique_id}-matrix {{
  font: {char_height}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  line-height: {line_height}px;
}}
.{unique_id}-title {{ font: 18px system-ui, sans-serif; }}
{styles}
</style>
<defs>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""The form of rich, without its fonts from another host."""

_ERASED: Final = re.compile(r"[^\n]*(?:\n(?:\x1b\[\?25h)?\r\x1b\[1A|\r)\x1b\[2K")
"""A line that was written and erased, as those of progress are."""


def session() -> list[tuple[str, str]]:
    """Run the commands; return each with what the terminal got, colours included.

    Raises `subprocess.CalledProcessError` for a command that fails.
    """
    with tempfile.TemporaryDirectory() as home:
        shutil.copytree(NOTES, Path(home) / NOTES.name)
        (Path(home) / "settings.json").write_text(SETTINGS, encoding="utf-8")
        return [(command, _shown(command, Path(home))) for command in SESSION]


def _shown(command: str, home: Path) -> str:
    import fcntl
    import pty
    import struct
    import termios

    program, *words = shlex.split(command)
    environment = {
        **{"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"},
        "MEM_CONFIG": str(home / "settings.json"),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(PICTURE.parents[2]),
    }
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    started = [sys.executable, "-c", "import sys; from cli.main import main; sys.exit(main())"]
    with subprocess.Popen(
        [*started, *words], cwd=home, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        written = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        if process.wait(TIMEOUT_S):
            raise subprocess.CalledProcessError(process.returncode, program, written)
    return _ERASED.sub("", written.decode().replace("\r\n", "\n")).strip("\n")


def _read(terminal: int) -> bytes:
    """Return more of what was written, nothing at the end, which Linux reports as an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def picture(shown: list[tuple[str, str]]) -> str:
    """Return the session as SVG."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for number, (command, output) in enumerate(shown):
        if number:
            console.print()
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        console.print(Text.from_ansi(output))
    return console.export_svg(title="mem", code_format=_FORMAT, unique_id="session")


def words_of(svg: str) -> str:
    """Return what a picture says, line by line, without times and dates."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for attributes, text in re.findall(r"<text ([^>]*)>([^<]*)</text>", svg):
        x, y = (float(re.search(rf'\b{name}="([\d.]+)"', attributes)[1]) for name in "xy")  # type: ignore[index]  # always there
        rows.setdefault(y, []).append((x, html.unescape(text)))
    lines = ("".join(text for _, text in sorted(rows[y])) for y in sorted(rows))
    shown = "\n".join(line.replace("\xa0", " ").rstrip() for line in lines)
    return re.sub(r"\d{4}-\d\d-\d\d|\d+(?:\.\d+)?(?= m?s\b)", "N", shown)


if __name__ == "__main__":
    PICTURE.write_text(picture(session()), encoding="utf-8")
