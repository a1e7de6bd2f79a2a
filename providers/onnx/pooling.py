"""One vector of a text from the vectors of its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from providers.onnx.model_settings import Pooling

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def pool(
    tokens: NDArray[np.float32], mask: NDArray[np.int64], pooling: Pooling
) -> NDArray[np.float32]:
    """Rows `(texts, dimensions)` of tokens `(texts, length, dimensions)`.

    `mask`, `(texts, length)`, is 1 for a text's own tokens and 0 for the filling after them. Every
    text has a token.
    """
    import numpy as np

    rows: NDArray[np.float32]
    if pooling == "cls":
        rows = tokens[:, 0]
    elif pooling == "last":
        rows = tokens[np.arange(len(tokens)), mask.sum(axis=1) - 1]
    elif pooling == "max":
        rows = np.where(mask[..., None] > 0, tokens, -np.inf).max(axis=1)
    else:
        weights = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
        rows = np.einsum("tl,tld->td", weights, tokens)
    return rows.astype(np.float32, copy=False)
