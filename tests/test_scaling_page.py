"""docs/scaling.md has what its inputs come to, and the formulas are right."""

from dataclasses import replace

from tools.scaling_layout import BEGINS, ENDS, PAGE, PLACES, ROWS, Assumed, Layout, Measured, tables


def test_the_page_has_the_tables_of_its_inputs() -> None:
    text = PAGE.read_text("utf-8")
    assert text.partition(BEGINS)[2].partition(ENDS)[0].strip() == tables()


def test_a_layout_follows_from_its_inputs() -> None:
    measured = replace(Measured(), chunk_bytes=10_000, tenant_bytes=1e6, query_s=0.5, schemas=10)
    assumed = replace(
        Assumed(), disk_bytes=1e12, full=0.5, cores=4, busy=0.5, memory_bytes=4e9, active=0.01
    )
    place = Layout(1000, 100_000_000, measured, assumed)
    assert place.data_bytes == 1e12 + 1e9
    assert place.by_disk == 3  # 1.001 TB on halves of disks of 1 TB
    assert round(place.peak_queries, 1) == 23.1
    assert place.by_processor == 6  # 11.6 busy processors, two of each machine
    assert place.by_memory == 6  # 10 GB in halves of 4 GB
    assert place.machines == 6
    assert place.tenants_a_machine == 167
    assert place.open_tenants == 10


def test_more_is_never_less() -> None:
    numbers = ("data_bytes", "peak_queries", "machines", "processes", "month_price")
    for name in numbers:
        values = [getattr(place, name) for place in PLACES]
        assert values == sorted(values), name


def test_every_input_is_named_in_a_formula_or_a_meaning() -> None:
    named = " ".join(row.formula for row in ROWS) + str(Measured.__doc__) + str(Assumed.__doc__)
    assert [name for name in (*vars(Measured()), *vars(Assumed())) if name not in named] == []
