"""Embed many texts: cut them into calls, several at once if the model allows.

A call that the server refuses is split in halves down to the text at fault, so that one bad text
costs some calls but no other text its vector.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Final

from contracts import UnavailableError
from contracts.named_tuple import NamedTuple
from providers.base import EmbeddingProvider, Kind, ModelCard, RefusedTexts, Rows

CHARS_PER_TOKEN: Final = 4.0
TOKENS_PER_FURTHER_BYTE: Final = 0.375
PROBE: Final = "text"
"""A text that no server refuses for its content."""


class EmbeddedTexts(NamedTuple):
    """The result of one call: a row for each text at these positions of the list.

    `refused` has the server's reason by position; such a text has no row.
    """

    positions: Sequence[int]
    rows: Rows
    refused: Mapping[int, str]


def estimated_tokens(text: str) -> int:
    """The approximate number of tokens in a text, for any model; at least 1.

    Four characters of English make a token, as the vendors say; a letter of two bytes in UTF-8
    counts as 0.6, an ideograph or Thai letter as one, an emoji as 1.4. An exact tokenizer would
    have to be downloaded for each model.
    """
    further = len(text.encode("utf-8", "surrogatepass")) - len(text)
    return max(1, round(len(text) / CHARS_PER_TOKEN + further * TOKENS_PER_FURTHER_BYTE))


def cut_into_calls(texts: Sequence[str], card: ModelCard) -> Iterator[range]:
    """Positions of the texts, call by call, as many in each as the card allows.

    A text too long for any call gets its own: the server knows what is too long.
    """
    start = tokens = 0
    for position, text in enumerate(texts):
        more = 0 if card.batch_tokens is None else estimated_tokens(text)
        full = card.batch_tokens is not None and tokens + more > card.batch_tokens
        if position > start and (full or position - start >= card.batch_size):
            yield range(start, position)
            start, tokens = position, 0
        tokens += more
    if start < len(texts):
        yield range(start, len(texts))


def embed_in_calls(
    provider: EmbeddingProvider, texts: Sequence[str], *, kind: Kind
) -> Iterator[EmbeddedTexts]:
    """The rows of the texts, call by call as the calls return, in any order.

    Each position comes once, with a row or refused. Up to `card.concurrency` calls run at once; a
    new one starts only when the caller asks for more. When one fails, the running ones are awaited
    and yielded, since they are paid for; then its error is raised: UnavailableError, also when the
    server refuses every text.
    """
    card = provider.card
    waiting = deque(cut_into_calls(texts, card))
    calls = _Calls(lambda call: provider.embed(texts[call.start : call.stop], kind=kind))
    at_once = card.concurrency if len(waiting) > 1 else 1
    accepts = False
    failure: BaseException | None = None
    while calls.under_way or (waiting and failure is None):
        while failure is None and waiting and calls.under_way < at_once:
            calls.begin(waiting.popleft(), here=at_once == 1)
        call, rows, error = calls.next()
        if isinstance(error, RefusedTexts) and len(call) > 1:
            middle = call.start + len(call) // 2
            waiting.extendleft((range(middle, call.stop), range(call.start, middle)))
        elif isinstance(error, RefusedTexts):
            accepts = accepts or (failure is None and _accepts_a_text(provider, kind))
            if accepts:
                yield EmbeddedTexts((), [], {call.start: error.message})
            else:
                failure = failure or _refuses_everything(error)
        elif error is not None:
            failure = failure or error
        else:
            accepts = True
            yield EmbeddedTexts(call, rows, {})
    if failure is not None:
        raise failure


def _accepts_a_text(provider: EmbeddingProvider, kind: Kind) -> bool:
    """Return whether the provider refuses only some texts, and not every text."""
    try:
        provider.embed([PROBE], kind=kind)
    except RefusedTexts:
        return False
    return True


def _refuses_everything(error: RefusedTexts) -> UnavailableError:
    return UnavailableError(f"{error.message}, and any other text", hint=error.hint)


class _Done(NamedTuple):
    """A finished call, with rows or with an error."""

    call: range
    rows: Rows = ()
    error: BaseException | None = None


@dataclass(slots=True)
class _Calls:
    """Running calls, each in its own thread, and finished ones.

    The threads are daemons, unlike a ThreadPoolExecutor's: a program that is told to end does not
    wait for a server, or for the pause before a retry.
    """

    embed: Callable[[range], Rows]
    under_way: int = 0
    _done: SimpleQueue[_Done] = field(default_factory=SimpleQueue)

    def begin(self, call: range, *, here: bool) -> None:
        """Start a call; with `here` it runs in this thread and is done on return."""
        self.under_way += 1
        if here:
            self._run(call)
        else:
            threading.Thread(target=self._run, args=(call,), daemon=True).start()

    def next(self) -> _Done:
        """Wait for the next finished call."""
        done = self._done.get()
        self.under_way -= 1
        return done

    def _run(self, call: range) -> None:
        try:
            self._done.put(_Done(call, rows=self.embed(call)))
        except BaseException as error:  # noqa: BLE001 - raised again by who waits for the call
            self._done.put(_Done(call, error=error))
