"""Every kind of background work that there is; imports none of the work itself.

So `mem status` lists jobs without loading what they need.
"""

from importlib import import_module
from typing import Final

from contracts import InputError, did_you_mean
from memory.operations.jobs.job import Job, Work
from memory.storage.process_locks import UPGRADE_LOCK
from memory.workspace import Workspace

RETENTION: Final = Job(
    name="retention",
    does="Remove turns and actions that are kept for a time only.",
    when="every hour",
    work="memory.operations.jobs.retention:RetentionWork",
    every_s=3600.0,  # the shortest retention is an hour
    first_retry_s=60.0,
    last_retry_s=3600.0,
)

EXTRACTION: Final = Job(
    name="extraction",
    does="Have the language model read the turns that wait for it.",
    when="when a turn waits",
    work="memory.operations.jobs.extraction:ExtractionWork",
    own_lock="reading",
    locks_itself=True,
    last_retry_s=300.0,
)

COMPLETION: Final = Job(
    name="completion",
    does="Complete rows that other programs inserted.",
    when="when a row was inserted",
    work="memory.operations.jobs.completion:CompletionWork",
)

REINDEX: Final = Job(
    name="reindex",
    does="Change the embedding model or the chunks as a request asked for.",
    when="when a reindex was requested over HTTP",
    work="memory.operations.jobs.reindexing:ReindexWork",
    locks_itself=True,
    look_s=None,  # the server that was asked does it, or one that starts later
    end_s=None,  # a batch of a reindex is stored or not begun
)

VECTORS: Final = Job(
    name="vectors",
    does="Embed the chunks that were stored without a vector.",
    when="when vectors are missing",
    work="memory.operations.jobs.vectors:VectorsWork",
    own_lock="backfill",
    look_s=2.0,
    last_retry_s=300.0,
    end_s=0.0,  # an answer of a model is not waited for
)

UPGRADE: Final = Job(
    name="upgrade",
    does="Change from the static model to minilm, and remove the static vectors a day later.",
    when="while nobody is waiting, where embeddings.upgrade allows it",
    work="memory.operations.jobs.vectors:UpgradeWork",
    own_lock=UPGRADE_LOCK,
    is_long=True,
    first_retry_s=60.0,
    last_retry_s=3600.0,
)

WATCH: Final = Job(
    name="watch",
    does="Keep the index in step with files while they change.",
    when="all the time, in one process a database",
    work="memory.operations.jobs.watching:WatchWork",
    locks_itself=True,
    is_continuous=True,
)

CAPTURE: Final = Job(
    name="capture",
    does="Capture conversations with agents from their transcripts.",
    when="all the time, in one process a database, where mem chats has a source",
    work="memory.operations.jobs.watching:CaptureWork",
    is_continuous=True,
)

GC: Final = Job(
    name="gc",
    does="Score memories, promote what lasts, remove what has faded.",
    when="every day",
    work="memory.operations.jobs.garbage_collection:CollectionWork",
    locks_itself=True,
    every_s=86_400.0,
)

SEGMENTATION: Final = Job(
    name="segmentation",
    does="Divide conversations into episodes, and summarise them.",
    when="after memory.episodes.after_messages, and after a pause",
    work="memory.operations.jobs.episodes:SegmentationWork",
    last_retry_s=300.0,
)

SEMANTIC: Final = Job(
    name="semantic",
    does="Make facts of what is remembered of important episodes.",
    when="after an episode was formed, or what is remembered of it has changed",
    work="memory.operations.jobs.episodes:SemanticWork",
)

DISTILLATION: Final = Job(
    name="distillation",
    does="Make records of what was said since the last run.",
    when="every memory.distillation.interval_minutes",
    work="memory.operations.jobs.extraction:DistillationWork",
    locks_itself=True,
    first_retry_s=60.0,
    last_retry_s=900.0,
)

FSRS: Final = Job(
    name="fsrs",
    does="Compute how well episodes and facts are remembered by now.",
    when="every six hours",
    work="memory.operations.jobs.episodes:ForgettingCurveWork",
    every_s=21_600.0,  # it changes by the day
)

DECAY: Final = Job(
    name="decay",
    does="Bring searches in step with facts whose times or settings have changed, and with records "
    "that other programs inserted.",
    when="every hour, and when memory.records has changed",
    work="memory.operations.jobs.retention:DecayWork",
)

TENANTS: Final = Job(
    name="tenants",
    does="Run the jobs of each tenant's memory in turn.",
    when="every hour, where the database has tenants",
    work="memory.operations.tenants.jobs_of_tenants:TenantsWork",
    is_long=True,
    every_s=3600.0,
    first_retry_s=60.0,
    last_retry_s=3600.0,
)

JOBS: Final = (
    *(WATCH, CAPTURE, COMPLETION, VECTORS, UPGRADE, REINDEX, EXTRACTION, SEGMENTATION, SEMANTIC),
    *(DISTILLATION, RETENTION, GC, FSRS, DECAY, TENANTS),
)


def job_named(name: str) -> Job:
    """The job of that name. Raises InputError when there is none."""
    known = {job.name: job for job in JOBS}
    if name not in known:
        raise InputError(f"there is no job named {name!r}", hint=did_you_mean(name, known))
    return known[name]


def open_work(job: Job, workspace: Workspace) -> Work:
    """The work of a job in this process."""
    module, _, name = job.work.partition(":")
    work: Work = getattr(import_module(module), name)(workspace)
    return work
