"""The queue of a watcher, told every order of events without a clock."""

from math import inf

from memory.files.watching.queue import MOST_PATHS, WatchQueue
from memory.values.backoff import LAST_RETRY_S, Backoff


def test_what_lies_below_another_path_is_looked_at_with_it() -> None:
    queue = WatchQueue()
    queue.add({"/a/b", "/a/bc", "/a/b/c/d"})
    queue.add({"/a/b/e"})
    assert queue.due(0.0) == {"/a/b", "/a/bc"}
    assert len(queue) == 4
    queue.done(queue.due(0.0), [], now_s=0.0)
    assert (len(queue), queue.due(inf)) == (0, frozenset())


def test_many_paths_are_an_overflow_until_everything_was_looked_at() -> None:
    queue = WatchQueue()
    queue.add([f"/a/{number}" for number in range(MOST_PATHS)])
    assert not queue.is_overflown
    queue.add(["/one more"])
    assert queue.is_overflown
    assert queue.due(0.0) == frozenset()
    queue.all_done([], now_s=0.0)
    assert not queue.is_overflown
    queue.add([], overflow=True)
    assert queue.is_overflown


def test_a_file_that_failed_is_tried_again_at_growing_pauses() -> None:
    queue, now_s = WatchQueue(), 100.0
    queue.add(["/a/f"])
    pauses = []
    while queue.due(now_s):
        queue.done(queue.due(now_s), ["/a/f"], now_s=now_s)
        assert queue.due(now_s) == frozenset()
        pauses.append(queue.next_due_s() - now_s)
        now_s = min(queue.next_due_s(), now_s + 2 * LAST_RETRY_S)
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, inf]
    assert len(queue) == 0  # from here on the complete scans try it
    queue.all_done(["/a/f"], now_s=now_s)
    assert queue.next_due_s() == inf


def test_a_file_that_can_be_read_again_begins_anew() -> None:
    queue = WatchQueue()
    queue.done({"/a"}, ["/a/f", "/a/g"], now_s=0.0)
    queue.done({"/a/f"}, ["/a/f"], now_s=1.0)
    assert queue.next_due_s() == 1.0  # of /a/g, which nobody has looked at since
    queue.done({"/a"}, ["/a/g"], now_s=1.0)
    assert queue.next_due_s() == 3.0
    queue.done({"/a/f"}, ["/a/f"], now_s=1.0)
    assert queue.next_due_s() == 2.0


def test_a_folder_of_failed_files_is_forgotten_with_it() -> None:
    queue = WatchQueue()
    queue.done({"/a"}, ["/a/b/f", "/c"], now_s=0.0)
    queue.done({"/a/b"}, [], now_s=0.5)
    assert queue.due(1.0) == {"/c"}


def test_pauses_double_up_to_the_longest() -> None:
    backoff = Backoff(first_s=1.0, most_s=5.0)
    assert [backoff.failed() for _ in range(5)] == [1.0, 2.0, 4.0, 5.0, 5.0]
    backoff.succeeded()
    assert backoff.failed() == 1.0
