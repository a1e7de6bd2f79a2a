"""Match texts against many globs, in time linear in the globs and in the text, whatever they are.

Nearly every pattern in use is a whole name, or begins or ends with plain characters (`*.log`):
tables find those that can match. The others, and what is left of these, are the states of one
automaton, a bit each, all advanced together by a few operations on whole numbers for a character
(bit-parallel simulation, Navarro and Raffinot, Flexible Pattern Matching in Strings, 2002, ch. 4).
What a character does to a set of states is remembered, so that the next text costs a look-up for
each character; the memory for that is limited. Nothing ever backtracks.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import getitem
from typing import Final, TypeAlias

from ingest.glob_syntax import Glob, OneOf, Wild

NumberedGlob: TypeAlias = tuple[int, Glob]

NO_GLOB: Final = -1
"""The answer where no glob matches."""

_MANY: Final = 64
"""Globs that are worth looking for parts of a text."""

_FEW: Final = 6
"""Globs of which each is worth looking for in a text before the automaton reads it."""

_PART: Final = 3
"""The plain characters by which globs among many are looked up."""

_REMEMBERED_BYTES: Final = 4 * 1024 * 1024
"""Memory for the transitions of an automaton; when it is used up, they are found again."""

_TRANSITION_BYTES: Final = 400
"""About what a remembered transition takes beside the bits of its state."""


class GlobSet:
    """Several globs, each with a number; the highest number that matches a text is the answer.

    `of_names`: no text has a slash.
    """

    __slots__ = ("_ends", "_exact", "_prefixes", "_rest", "_starts", "_suffixes")

    def __init__(self, globs: Iterable[NumberedGlob], *, of_names: bool) -> None:
        """The numbers are in ascending order."""
        self._exact: dict[str, int] = {}
        prefixes: dict[str, _Group] = {}
        suffixes: dict[str, _Group] = {}
        rest = _Group()
        for number, glob in globs:
            prefix = _plain(glob)
            if len(prefix) == len(glob):
                self._exact[prefix] = number
                continue
            suffix = _plain(glob[::-1])[::-1]
            group = rest
            if prefix or suffix:
                table, key = (
                    (prefixes, prefix) if len(prefix) >= len(suffix) else (suffixes, suffix)
                )
                group = table.setdefault(key, _Group())
            open_part = glob[len(prefix) : len(glob) - len(suffix)]
            is_sure = open_part == (Wild.ANYTHING,) or (of_names and open_part == (Wild.STAR,))
            group.add(number, glob, is_sure=is_sure and not (prefix and suffix))
        self._prefixes = _by_length(prefixes)
        self._suffixes = _by_length(suffixes)
        self._starts = _few(prefixes)
        self._ends = _few(suffixes)
        self._rest = rest if rest else None

    def __bool__(self) -> bool:
        return bool(self._exact or self._prefixes or self._suffixes or self._rest)

    def last(self, text: str) -> int:
        """The highest number of a glob that matches a text; NO_GLOB if none does."""
        last = self._exact.get(text, NO_GLOB)
        if text.startswith(self._starts):
            for length, table in self._prefixes:
                group = table.get(text[:length])
                if group is not None:
                    last = max(last, group.last(text))
        if text.endswith(self._ends):
            for length, table in self._suffixes:
                group = table.get(text[-length:])
                if group is not None:
                    last = max(last, group.last(text))
        return last if self._rest is None else max(last, self._rest.last(text))


def _plain(steps: Glob) -> str:
    """The plain characters that steps begin with."""
    plain = 0
    while plain < len(steps) and isinstance(steps[plain], str):
        plain += 1
    return "".join(map(str, steps[:plain]))


def _few(keys: Iterable[str]) -> tuple[str, ...]:
    """The keys, to look for all of them at once; the empty one, if they are too many for that."""
    found = tuple(keys)
    return found if len(found) < _MANY else ("",)


def _by_length(table: "dict[str, _Group]") -> "tuple[tuple[int, dict[str, _Group]], ...]":
    found: dict[int, dict[str, _Group]] = {}
    for key, group in table.items():
        found.setdefault(len(key), {})[key] = group
    return tuple(sorted(found.items()))


class _Group:
    """Globs that begin or end alike, compiled when a text is first compared with them.

    Of many globs only those are compared whose rarest run of plain characters is in the text; of
    a few, none if it has none of their runs.
    """

    __slots__ = ("_automaton", "_globs", "_needles", "_parts", "_sure")

    def __init__(self) -> None:
        self._sure = NO_GLOB
        self._globs: list[NumberedGlob] = []
        self._parts: dict[str, _Group] = {}
        self._needles: tuple[str, ...] = ()
        self._automaton: Automaton | None = None

    def __bool__(self) -> bool:
        return self._sure != NO_GLOB or bool(self._globs)

    def add(self, number: int, glob: Glob, *, is_sure: bool = False) -> None:
        """Add a glob; a sure one matches every text that comes here."""
        if is_sure:
            self._sure = number
        else:
            self._globs.append((number, glob))

    def last(self, text: str) -> int:
        if not self._globs:
            return self._sure
        if self._automaton is None:
            self._automaton = self._compiled()
        if self._needles and not _has_one_of(self._needles, text):
            return self._sure
        last = max(self._sure, self._automaton.last(text))
        if self._parts:
            parts = self._parts
            for part in {text[at : at + _PART] for at in range(len(text) - _PART + 1)}:
                if part in parts:
                    last = max(last, parts[part].compared(text))
        return last

    def compared(self, text: str) -> int:
        """The same without looking for parts."""
        if self._automaton is None:
            self._automaton = Automaton(self._globs)
        return self._automaton.last(text)

    def _compiled(self) -> "Automaton":
        """The automaton of the globs that go into no part."""
        if len(self._globs) < _MANY:
            needles = {max(_runs(glob), key=len) for _, glob in self._globs}
            if len(needles) <= _FEW and all(needles):
                self._needles = tuple(needles)
            return Automaton(self._globs)
        parts_of = [(number, glob, _parts(glob)) for number, glob in self._globs]
        counts = Counter(part for _, _, parts in parts_of for part in parts)
        left: list[NumberedGlob] = []
        for number, glob, parts in parts_of:
            if parts:
                rarest = min(parts, key=counts.__getitem__)
                self._parts.setdefault(rarest, _Group()).add(number, glob)
            else:
                left.append((number, glob))
        return Automaton(left)


def _has_one_of(needles: tuple[str, ...], text: str) -> bool:
    for needle in needles:  # noqa: SIM110  # half the time of any()
        if needle in text:
            return True
    return False


def _parts(glob: Glob) -> set[str]:
    """The runs of _PART plain characters in a glob: each is in every text that matches."""
    return {run[at : at + _PART] for run in _runs(glob) for at in range(len(run) - _PART + 1)}


def _runs(glob: Glob) -> list[str]:
    """The runs of plain characters in a glob, and maybe empty texts."""
    return "".join(step if isinstance(step, str) else "\0" for step in glob).split("\0")


class _State(dict[str, "_State"]):
    """A set of states that are active at once, and what follows on each character seen so far."""

    __slots__ = ("active", "automaton", "last")

    def __init__(self, automaton: "Automaton", active: int, last: int) -> None:
        super().__init__()
        self.automaton = automaton
        self.active = active
        self.last = last

    def __missing__(self, char: str) -> "_State":
        following = self.automaton.follow(self, char)
        self[char] = following
        return following


class Automaton:
    """Globs side by side, as bits of one number: a bit is set when a glob has come to this step.

    A character shifts every bit to the next step and keeps those whose step it fits; a star keeps
    the bit before it as well. `**/` takes two bits more, for a path inside its folders and behind
    them: they are set together with the bit before them.
    """

    def __init__(
        self, globs: Sequence[NumberedGlob], *, remembered_bytes: int = _REMEMBERED_BYTES
    ) -> None:
        """The numbers are in ascending order."""
        self._plain: dict[str, list[int]] = {}
        self._classes: list[tuple[int, OneOf]] = []
        self._numbers: dict[int, int] = {}
        stars: list[int] = []
        anything: list[int] = []
        folders: list[int] = []
        starts: list[int] = []
        at = 0
        for number, glob in globs:
            starts.append(at)
            for step in glob:
                if step is Wild.STAR:
                    stars.append(at)
                elif step is Wild.ANYTHING:
                    anything.append(at)
                elif step is Wild.FOLDERS:
                    folders.append(at)
                    anything.append(at + 1)
                    at += 2
                    self._plain.setdefault("/", []).append(at)
                else:
                    at += 1
                    self._note(step, at)
            self._numbers[at] = number
            at += 1
        self._size = at
        self._folders = self._bits(folders)
        self._kept_on_slash = self._bits(anything)
        self._kept = self._kept_on_slash | self._bits(stars)
        self._ends = self._bits(self._numbers)
        self._remembered_bytes = remembered_bytes
        self._left_bytes = remembered_bytes
        self._fitting: dict[str, int] = {}
        self._states: dict[int, _State] = {}
        self._start = self._state(self._with_folders(self._bits(starts)))

    def last(self, text: str) -> int:
        """The highest number of a glob that matches a text; NO_GLOB if none does."""
        return reduce(getitem, text, self._start).last

    def follow(self, state: _State, char: str) -> _State:
        """The state after a character."""
        kept = self._kept_on_slash if char == "/" else self._kept
        active = ((state.active << 1) & self._fitting_bits(char)) | (state.active & kept)
        active = self._with_folders(active)
        self._left_bytes -= _TRANSITION_BYTES
        if self._left_bytes < 0:
            self._forget()
        known = self._states.get(active)
        return self._state(active) if known is None else known

    def _note(self, step: str | OneOf, at: int) -> None:
        if isinstance(step, str):
            self._plain.setdefault(step, []).append(at)
        else:
            self._classes.append((at, step))

    def _bits(self, places: Iterable[int]) -> int:
        found = bytearray(self._size // 8 + 1)
        for place in places:
            found[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(found, "little")

    def _fitting_bits(self, char: str) -> int:
        """The bits of the steps that a character fits."""
        bits = self._fitting.get(char)
        if bits is None:
            fitting = [at for at, step in self._classes if step.fits(char)]
            bits = self._fitting[char] = self._bits((*self._plain.get(char, ()), *fitting))
            self._left_bytes -= sys.getsizeof(bits)
        return bits

    def _with_folders(self, active: int) -> int:
        before = active & self._folders
        return active | before << 1 | before << 2 if before else active

    def _state(self, active: int) -> _State:
        ended = (active & self._ends).bit_length() - 1
        state = _State(self, active, self._numbers.get(ended, NO_GLOB))
        self._states[active] = state
        self._left_bytes -= 2 * sys.getsizeof(active)
        return state

    def _forget(self) -> None:
        for state in list(self._states.values()):
            state.clear()
        self._states = {self._start.active: self._start}
        self._fitting = {}
        self._left_bytes = self._remembered_bytes
