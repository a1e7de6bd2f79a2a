"""Output silenced while models load is restored afterwards, also after concurrent loads."""

import logging
import warnings
from contextlib import ExitStack

from providers.sentence_transformers.torch_models import quiet

LOGGER = logging.getLogger("sentence_transformers")


def test_two_that_overlap_leave_all_as_it_was() -> None:
    """As a server does that loads the embedding model and the reranker at once."""
    with quiet():  # the libraries set up their own on import
        pass
    before = LOGGER.level, list(warnings.filters)
    first, second = ExitStack(), ExitStack()
    first.enter_context(quiet())
    second.enter_context(quiet())
    first.close()
    assert LOGGER.level == logging.ERROR
    assert warnings.filters[0][0] == "ignore"
    second.close()
    assert (LOGGER.level, list(warnings.filters)) == before
