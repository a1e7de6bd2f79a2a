"""The roots of syncs, folders and files: resolve, list, check and forget them."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from contracts import InputError, NotFoundError
from contracts.named_tuple import NamedTuple
from ingest import ScanRules, SkippedFile, folders, is_extracted, load, loader_id, printable, scan
from memory.files.sync_plan import real_paths
from memory.files.sync_records import WRITE_BATCH
from memory.index.collections.reading import collections_of, is_inside
from memory.index.collections.removal import remove_collection
from memory.index.database_trust import allowed_roots, consent_to_roots
from memory.index.document_store import documents_of
from memory.storage import utc_now
from memory.storage.meta import forget_root, remember_root, remembered_roots
from memory.values.citations import unescaped
from memory.values.path_case import spelled
from memory.values.reports import DroppedRoot, Root
from memory.values.results import Collection
from memory.values.scope_parsing import checked_path
from memory.workspace import Workspace


def known_roots(workspace: Workspace) -> list[Path]:
    """Return the configured and the remembered folders and files, by real path.

    Those without a consent that they need are left out.
    """
    configured = workspace.config.files.watch_directories
    return real_paths((*configured, *allowed_roots(workspace)))


def remember_roots(workspace: Workspace, roots: Iterable[Path]) -> None:
    """Remember folders and files that the user named, which is consent to reading them."""
    paths = [*map(str, roots)]
    if paths:
        with workspace.storage.database.transaction() as tx:
            for path in paths:
                remember_root(tx, path, utc_now())
        consent_to_roots(workspace, paths)


class SyncScope(NamedTuple):
    """The extent of a sync: of the `roots` only what is at or below some paths, or all (None).

    Paths are real ones and need not exist. `new` are the roots to be remembered.
    """

    roots: Sequence[Path]
    only: Sequence[str] | None = None
    new: Sequence[Path] = ()


def sync_scope_of(workspace: Workspace, paths: Iterable[str | Path], rules: ScanRules) -> SyncScope:
    """Return the extent of a sync of these existing paths.

    A path inside a known root stays a part of it, under the rules there. A path that these rules
    leave out becomes a root of its own: naming it is asking for it. Known roots inside the paths
    are scanned under their own rules.
    """
    known = known_roots(workspace)
    named = real_paths(paths)
    parts = [path for path in named if path not in known and _is_looked_at(path, known, rules)]
    new = [path for path in named if path not in parts]
    inner = [root for root in known if any(map(root.is_relative_to, named))]
    around = [root for root in known if any(path.is_relative_to(root) for path in parts)]
    only = [str(path) for path in named] if parts else None
    return SyncScope(real_paths([*new, *inner, *around]), only, new)


def refuse_binary(paths: Iterable[Path], rules: ScanRules) -> None:
    """Raise InputError for a file among these that holds no text, whatever is done with it."""
    for path in paths:
        if is_extracted(loader_id(str(path))) or not path.is_file():
            continue
        loaded = load(path, max_size_bytes=rules.max_size_bytes)
        if isinstance(loaded, SkippedFile) and loaded.reason == "binary":
            raise InputError(
                f"{printable(str(path))} is not a text: it {loaded.detail}",
                hint="name a text, a document or a folder",
            )


def _is_looked_at(path: Path, known: Iterable[Path], rules: ScanRules) -> bool:
    """Return whether a scan of the known roots finds this path."""
    roots = [root for root in known if path.is_relative_to(root)]
    if next(folders(roots, rules, only=[str(path)]), None) is not None:
        return True
    found = next(scan(roots, rules, only=[str(path)]), None)
    return found is not None and found.path == printable(str(path))


def list_roots(workspace: Workspace) -> list[Root]:
    """Return every configured, remembered or named folder and file, also one inside another, by
    path.
    """
    remembered = remembered_roots(workspace.storage.database)
    origins = dict.fromkeys(remembered, "remembered")
    allowed = allowed_roots(workspace)
    origins |= {path: "refused" for path in remembered if path not in allowed}
    configured = workspace.config.files.watch_directories
    origins |= {os.path.realpath(path): "configured" for path in configured}
    named = {each.path: each for each in collections_of(workspace.storage.database)}
    origins |= {path: "part" for path in named if path not in origins}
    return [
        Root(path, origin, Path(path).exists(), *_told(named.get(path)))
        for path, origin in sorted(origins.items())
    ]


def _told(collection: Collection | None) -> tuple[str | None, str]:
    return (None, "") if collection is None else (collection.name, collection.about)


def drop_root(workspace: Workspace, path: str | Path, *, with_files: bool = False) -> DroppedRoot:
    """Forget a remembered root; its files stay in the index, unless `with_files` removes them.

    `with_files` also takes a folder or file that is not remembered and has files in the index, and
    removes the names of folders inside. Files below another root stay in any case; its own name and
    description are removed. Raises NotFoundError when there is nothing to forget or to remove,
    BusyError when a sync is still running after `workspace.wait_s`.
    """
    root = str(real_path(path))
    with workspace.sync_lock():
        was_named = remove_collection(workspace, root) is not None
        with workspace.storage.database.transaction() as tx:
            was_remembered = forget_root(tx, root)
        others = known_roots(workspace)
        documents = [
            document
            for place, document in documents_of(workspace).below([root]).items()
            if not _is_below(place, others)
        ]
        if not (was_remembered or was_named or (with_files and documents)):
            raise _nothing_to_drop(root, has_files=bool(documents), others=others)
        if with_files:
            _remove_names_inside(workspace, root, others)
        # The record of an unreachable root is not a file and goes with the root.
        gone = [item for item in documents if with_files or (item.path == root and not item.hash)]
        for start in range(0, len(gone), WRITE_BATCH):
            with workspace.storage.database.transaction() as tx:
                for document in gone[start : start + WRITE_BATCH]:
                    documents_of(workspace).remove(tx, document)
    files = sum(item.path != root or bool(item.hash) for item in documents)
    return DroppedRoot(root, files, with_files)


def _is_below(place: str, roots: Iterable[Path]) -> bool:
    return any(Path(place).is_relative_to(root) for root in roots)


def _nothing_to_drop(root: str, *, has_files: bool, others: Sequence[Path]) -> NotFoundError:
    if has_files:
        hint = "to remove its files from the index, add --with-files"
    elif Path(root) not in others and _is_below(root, others):
        hint = "it is in one; once it is gone from the disk, or in a .memignore: mem sync"
    else:
        hint = "see which are, and which the configuration names: mem files --roots"
    return NotFoundError(f"{root} is not a remembered folder", hint=hint)


def _remove_names_inside(workspace: Workspace, root: str, others: Iterable[Path]) -> None:
    for each in collections_of(workspace.storage.database):
        if is_inside(each.path, root) and not _is_below(each.path, others):
            remove_collection(workspace, each.path)


def check_paths(paths: Iterable[str | Path]) -> list[Path]:
    """Return the paths as absolute paths.

    Raises NotFoundError for the first that does not exist, InputError for an empty one and for a
    value that is not a list of paths, such as a single text.
    """
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        raise InputError(f"the paths are {paths!r}", hint="give a list of paths, even of one")
    absolute = [as_listed(Path(checked_path(path)).absolute()) for path in paths]
    for path in absolute:
        if not os.path.exists(path):  # noqa: PTH110  # pathlib's raises for some names
            raise NotFoundError(
                f"{path} does not exist", hint="check its spelling, or plug in the disk it is on"
            )
    return absolute


def as_listed(path: Path) -> Path:
    """Return an absolute path as its folders list it, also if it was typed as it is printed."""
    for spelling in (path, Path(spelled(str(path))), Path(unescaped(str(path)))):
        if os.path.lexists(spelling):
            return Path(spelled(str(spelling)))
    return path


def real_path(path: str | Path) -> Path:
    """Return the path as the index has it, links followed. Raises InputError for an invalid
    path.
    """
    try:
        return Path(spelled(os.path.realpath(as_listed(Path(checked_path(path)).absolute()))))
    except ValueError as error:  # a NUL, or half of a surrogate pair
        raise InputError(
            f"the path {path!r} cannot be used: {error}", hint="name a file or folder"
        ) from error
