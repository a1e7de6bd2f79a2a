"""Searches of a server that take turns."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

from memory.retrieval.server_caches import Turns


def test_so_many_run_at_once_and_no_more() -> None:
    turns, both, lock = Turns(2, patience_s=60), Barrier(2, timeout=60), Lock()
    inside: Counter[str] = Counter()
    most = 0

    def search() -> None:
        nonlocal most
        with turns.one():
            with lock:
                inside["now"] += 1
                most = max(most, inside["now"])
            both.wait()
            with lock:
                inside["now"] -= 1

    with ThreadPoolExecutor(8) as pool:
        for search_ended in [pool.submit(search) for _ in range(8)]:
            search_ended.result()
    assert most == 2


def test_slow_searches_keep_no_other_from_running() -> None:
    turns = Turns(1, patience_s=0.01)

    def search() -> str:
        with turns.one():
            return "found"

    with turns.one(), ThreadPoolExecutor(1) as pool:
        assert pool.submit(search).result(timeout=60) == "found"
