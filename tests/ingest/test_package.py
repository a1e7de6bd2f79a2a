"""The public face of the package."""

import subprocess
import sys

import pytest

import ingest


def loaded_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_every_name_is_there():
    assert {name for name in ingest.__all__ if getattr(ingest, name) is not None} == set(
        ingest._HOMES
    )
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ingest.nothing


def test_no_module_hides_an_exported_name():
    for module in ingest._HOMES.values():
        assert module.rpartition(".")[2] not in ingest.__all__
    found = loaded_after("import ingest.scanning; from ingest import scan; assert callable(scan)")
    assert "ingest.scanning" in found


def test_import_stays_light():
    heavy = {"numpy", "pydantic"}
    assert not loaded_after("from ingest import scan, chunk, load") & heavy
    modules = loaded_after("from ingest.chunking.values import ChunkSettings")
    assert not {"ingest.scanning", "ingest.chunking.cutting", "ingest.loaders"} & modules
