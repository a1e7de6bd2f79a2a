"""Settings of files: selection, limits, chunking and watching."""

from typing import Annotated, Literal, TypeAlias

from memory.config.field_types import DELETES, Range, Section, Setting, Text
from memory.values.fast_dataclass import frozen

Workers: TypeAlias = Annotated[int, Range(0, 64)] | Literal["auto"]


@frozen
class ChunkingConfig(Section):
    """The chunking of files."""

    chunk_size_chars: Annotated[
        int, Range(50, 100_000), Setting("Most characters in a chunk.", needs="reindex")
    ] = 1000
    chunk_overlap_chars: Annotated[
        int,
        Range(0, 50_000),
        Setting(
            "Characters that two chunks share where running text is cut; less than "
            "`chunk_size_chars`.",
            needs="reindex",
        ),
    ] = 200
    preserve_structure: Annotated[
        bool,
        Setting(
            "Cut at headings, paragraphs, fences and definitions where the size allows it.",
            needs="reindex",
        ),
    ] = True


@frozen
class FilesConfig(Section):
    """The files that are read, their limits, and how changes are watched."""

    watch_directories: Annotated[
        tuple[Text, ...],
        Setting(
            "Folders that `mem sync` without a path syncs, besides those it was given before.",
            path=True,
        ),
    ] = ()
    file_patterns: Annotated[
        tuple[Text, ...],
        Setting(
            "Names of files to read, such as `*.md`; empty: every kind that can be read.",
            guard=DELETES,
        ),
    ] = ()
    max_file_size_mb: Annotated[
        int,
        Range(1, 4096),
        Setting("Larger files are skipped and listed as such (in MiB).", guard=DELETES),
    ] = 64
    max_text_mb: Annotated[
        int,
        Range(1, 4096),
        Setting(
            "A file whose text is larger is skipped as over the limit (in MiB), however small its "
            "compressed form is.",
            guard=DELETES,
        ),
    ] = 64
    max_load_seconds: Annotated[
        float,
        Range(0.1, 86_400),
        Setting(
            "Processor time that reading one file of a format other than plain text may take, and "
            "a tenth of what it may take by the clock; one that takes more is skipped as over the "
            "limit.",
            guard=DELETES,
        ),
    ] = 60.0
    max_load_memory_mb: Annotated[
        int,
        Range(64, 1_048_576),
        Setting(
            "Memory that reading one file of a format other than plain text may take (in MiB); one "
            "that needs more is skipped as over the limit.",
            guard=DELETES,
        ),
    ] = 1024
    workers: Annotated[
        Workers,
        Setting(
            "Processes that read and cut files, besides the one that syncs. Formats other than "
            "plain text are always read in one; `auto` reads text without, 0 reads them one at a "
            "time."
        ),
    ] = "auto"
    auto_sync: Annotated[
        bool,
        Setting("`mem serve` follows changes of the files while it runs, as `mem watch` does."),
    ] = True
    sync_interval_seconds: Annotated[
        int,
        Range(1, 604_800),
        Setting("Seconds between two complete scans while files are watched."),
    ] = 300
    watch_method: Annotated[
        Literal["auto", "events", "polling"],
        Setting(
            "How changes of files are noticed: `events` by system events, `polling` by "
            "looking again and again, `auto` by events wherever the system tells them."
        ),
    ] = "auto"
    polling_seconds: Annotated[
        float, Range(0.1, 3600), Setting("Seconds between two looks where files are polled.")
    ] = 2.0
