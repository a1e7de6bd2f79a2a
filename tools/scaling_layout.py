"""Compute the tables of docs/scaling.md: `python -m tools.scaling_layout`.

Every number of a layout comes from the two groups of inputs below: what was measured, with its
place, and what is assumed about the use and the machines. Replace one, run this again, and the page
follows; a test compares them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).parents[1] / "docs" / "scaling.md"
BEGINS: Final = "<!-- computed by tools/scaling_layout.py -->"
ENDS: Final = "<!-- end of what is computed -->"


@dataclass(frozen=True)
class Measured:
    """Figures of docs/postgresql.md (the first) and of `python -m benchmarks.tenants`.

    chunk_bytes         disk of a chunk with everything derived from it, of 100,000
    index_s             processor seconds of a client for a chunk that is indexed
    query_s             processor seconds of the database for a hybrid search at 100,000 chunks
    served_query_s      those of a process of `mem serve` for it, which ranks nothing in memory
    tenant_bytes        disk of an empty tenant, its share of the catalogue included
    relations           rows of pg_class of a tenant
    connection_bytes    memory of a connection that has worked in one schema
    schema_bytes        more of it for every further schema
    schemas             schemas that a connection of a server works in before it is replaced
    connections         connections of a process of `mem serve`
    process_bytes       memory of a process without tenants
    open_bytes          more of it for every open tenant, whose vectors are not in memory
    create_s, open_s, migrate_s, visit_s   processor seconds to make, open, migrate a tenant, and
                        to run its jobs when nothing waits, the server's part included
    """

    chunk_bytes: float = 4_719
    index_s: float = 44 / 100_000
    query_s: float = 0.021
    served_query_s: float = 0.0084
    tenant_bytes: float = 2.11e6
    relations: int = 236
    connection_bytes: float = 3.74e6
    schema_bytes: float = 0.8e6
    schemas: int = 32
    connections: int = 16
    process_bytes: float = 163e6
    open_bytes: float = 4e6
    create_s: float = 0.107
    open_s: float = 0.0065
    migrate_s: float = 0.00051
    visit_s: float = 0.0484


@dataclass(frozen=True)
class Assumed:
    """The use, and the machines; none of it was measured, so put in your own.

    questions_a_day     searches and contexts of a tenant on a day
    peak                the busiest second beside the mean one
    active              tenants that ask within the same quarter of an hour, of all
    cores, memory_bytes, disk_bytes   a database machine
    busy, full          how far processors and disks are to be used
    copies              of the database: itself, a replica, a backup
    machine_price, disk_price   a machine and a gigabyte of its disk for a month
    """

    questions_a_day: float = 200
    peak: float = 10
    active: float = 0.05
    cores: int = 32
    memory_bytes: float = 256e9
    disk_bytes: float = 8e12
    busy: float = 0.5
    full: float = 0.7
    copies: int = 3
    machine_price: float = 1500
    disk_price: float = 0.1


@dataclass(frozen=True)
class Layout:
    """So many tenants, with so many chunks together."""

    tenants: int
    chunks: int
    measured: Measured = Measured()
    assumed: Assumed = Assumed()

    @property
    def data_bytes(self) -> float:
        return self.chunks * self.measured.chunk_bytes + self.tenants * self.measured.tenant_bytes

    @property
    def peak_queries(self) -> float:
        return self.tenants * self.assumed.questions_a_day / 86_400 * self.assumed.peak

    @property
    def by_disk(self) -> int:
        return ceil(self.data_bytes / (self.assumed.disk_bytes * self.assumed.full))

    @property
    def by_processor(self) -> int:
        wanted = self.peak_queries * self.measured.query_s
        return ceil(wanted / (self.assumed.cores * self.assumed.busy))

    @property
    def by_memory(self) -> int:
        used = self.data_bytes * self.assumed.active
        return ceil(used / (self.assumed.memory_bytes * self.assumed.full))

    @property
    def machines(self) -> int:
        return max(self.by_disk, self.by_processor, self.by_memory)

    @property
    def tenants_a_machine(self) -> int:
        return ceil(self.tenants / self.machines)

    @property
    def open_tenants(self) -> int:
        return ceil(self.tenants * self.assumed.active)

    @property
    def processes(self) -> int:
        """Of `mem serve`: places for the active tenants, and processors for their searches."""
        places = ceil(self.open_tenants / self.measured.schemas)
        return max(
            places, ceil(self.peak_queries * self.measured.served_query_s / self.assumed.busy)
        )

    @property
    def connections_a_machine(self) -> int:
        return ceil(self.processes * self.measured.connections / self.machines)

    @property
    def connections_bytes(self) -> float:
        each = self.measured.connection_bytes + self.measured.schemas * self.measured.schema_bytes
        return self.connections_a_machine * each

    @property
    def process_bytes(self) -> float:
        return self.measured.process_bytes + self.measured.schemas * self.measured.open_bytes

    @property
    def month_price(self) -> float:
        disk = self.data_bytes * self.assumed.copies / 1e9 * self.assumed.disk_price
        return self.machines * 2 * self.assumed.machine_price + disk


class Row(NamedTuple):
    """A line of the table: what it is, how it comes about, and its value."""

    what: str
    formula: str
    value: Callable[[Layout], str]


ROWS: Final = (
    Row(
        "data, one copy",
        "chunks × `chunk_bytes` + tenants × `tenant_bytes`",
        lambda x: _bytes(x.data_bytes),
    ),
    Row(
        "with a replica and a backup",
        "× `copies`",
        lambda x: _bytes(x.data_bytes * x.assumed.copies),
    ),
    Row(
        "searches a second, at the peak",
        "tenants × `questions_a_day` ÷ 86,400 × `peak`",
        lambda x: f"{x.peak_queries:,.1f}",
    ),
    Row("database machines by disk", "data ÷ (`disk_bytes` × `full`)", lambda x: f"{x.by_disk:,}"),
    Row(
        "… by processors",
        "searches × `query_s` ÷ (`cores` × `busy`)",
        lambda x: f"{x.by_processor:,}",
    ),
    Row("… by memory", "data × `active` ÷ (`memory_bytes` × `full`)", lambda x: f"{x.by_memory:,}"),
    Row(
        "**database machines**",
        "the most of the three; as many replicas beside",
        lambda x: f"**{x.machines:,}**",
    ),
    Row("tenants on a machine", "tenants ÷ machines", lambda x: f"{x.tenants_a_machine:,}"),
    Row(
        "rows of `pg_class` on a machine",
        "tenants on it × `relations`",
        lambda x: f"{x.tenants_a_machine * x.measured.relations:,}",
    ),
    Row(
        "processes of `mem serve`",
        "tenants × `active` ÷ `schemas`, or searches × `served_query_s` ÷ `busy`",
        lambda x: f"{x.processes:,}",
    ),
    Row(
        "memory of a process",
        "`process_bytes` + `schemas` × `open_bytes`",
        lambda x: _bytes(x.process_bytes),
    ),
    Row(
        "connections on a machine",
        "processes × `connections` ÷ machines",
        lambda x: f"{x.connections_a_machine:,}",
    ),
    Row(
        "their memory",
        "each `connection_bytes` + `schemas` × `schema_bytes`",
        lambda x: _bytes(x.connections_bytes),
    ),
    Row(
        "index everything once",
        "chunks × `index_s`, processor",
        lambda x: _time(x.chunks * x.measured.index_s),
    ),
    Row(
        "make all tenants",
        "tenants × `create_s`, processor",
        lambda x: _time(x.tenants * x.measured.create_s),
    ),
    Row(
        "migrate all tenants",
        "tenants × (`open_s` + `migrate_s`), processor",
        lambda x: _time(x.tenants * (x.measured.open_s + x.measured.migrate_s)),
    ),
    Row(
        "a pass of the job `tenants`",
        "tenants × (`open_s` + `visit_s`) ÷ 0.1, by the clock of one process",
        lambda x: _time(x.tenants * (x.measured.open_s + x.measured.visit_s) / 0.1),
    ),
    Row(
        "a month",
        "2 × machines × `machine_price` + all copies × `disk_price`",
        lambda x: f"{x.month_price:,.0f}",
    ),
)

PLACES: Final = (Layout(100, 10_000_000), Layout(1_000, 100_000_000), Layout(10_000, 1_000_000_000))


def tables() -> str:
    """Return the tables of the page as Markdown."""
    heads = [f"{one.tenants:,} tenants, {_count(one.chunks)} chunks" for one in PLACES]
    lines = [_line("", *heads, "how it is computed"), _line("---", *["---:"] * 3, "---")]
    lines += [_line(row.what, *(row.value(place) for place in PLACES), row.formula) for row in ROWS]
    return "\n".join([*lines, "", *_inputs()])


def _inputs() -> list[str]:
    lines = [_line("measured", "value", "assumed", "value"), _line("---", "---:", "---", "---:")]
    groups = [list(vars(group).items()) for group in (Measured(), Assumed())]
    for at in range(max(map(len, groups))):
        cells = [group[at] if at < len(group) else ("", None) for group in groups]
        names = (f"`{name}`" if name else "" for name, _ in cells)
        values = (_plain(value) for _, value in cells)
        lines.append(_line(*(part for pair in zip(names, values, strict=True) for part in pair)))
    return lines


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |")


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:,.4g}" if value < 1000 else f"{value:,.0f}"


def _bytes(number: float) -> str:
    for unit in ("MB", "GB", "TB"):
        number /= 1000 if unit != "MB" else 1e6
        if number < 1000 or unit == "TB":
            break
    return f"{number:,.3g} {unit}" if number < 1000 else f"{number:,.0f} {unit}"


def _count(number: int) -> str:
    return f"{number // 1_000_000:,} million"


def _time(seconds: float) -> str:
    for limit, unit, length in ((120, "s", 1), (7200, "min", 60), (172_800, "h", 3600)):
        if seconds < limit:
            return f"{seconds / length:,.3g} {unit}"
    return f"{seconds / 86_400:,.3g} days"


def main() -> None:
    """Write the tables into the page."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGINS)
    _, _, after = rest.partition(ENDS)
    PAGE.write_text(f"{before}{BEGINS}\n{tables()}\n{ENDS}{after}", "utf-8")


if __name__ == "__main__":
    main()
