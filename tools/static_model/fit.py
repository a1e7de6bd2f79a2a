"""The closed-form half of the recipe: a basis, a start, and a ridge regression onto the teacher.

The student embeds a text as the mean of its tokens' rows. With the rows as unknowns that is
linear, so the best table for the squared error is found by conjugate gradients in seconds, and the
fine-tuning of `tune` begins near its end.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Floats = NDArray[np.float32]

SMOOTHING = 1e-4
"""`a` of smooth inverse frequency (Arora, Liang, Ma 2017: weight a / (a + p))."""
RIDGE = 3.0
ITERATIONS = 10
ROUNDS = 2


def basis(embeddings: Floats, dimensions: int) -> Floats:
    """Orthonormal columns `(teacher's dimensions, dimensions)` that keep the most energy.

    Eigenvectors of the uncentred second moment, largest first: cosines depend on the origin, so
    the mean is not removed.
    """
    moment = embeddings.T @ embeddings / len(embeddings)
    _, vectors = np.linalg.eigh(moment.astype(np.float64))
    return np.ascontiguousarray(vectors[:, ::-1][:, :dimensions], np.float32)


def start(raw: Floats, projection: Floats, ranks: NDArray[np.int64]) -> Floats:
    """The table before any text is seen: `(raw - mean) P`, frequent tokens made small.

    A token's probability follows Zipf's law by `ranks`, its place (from 0) in the teacher's
    vocabulary, which is ordered by frequency.
    """
    probability = 1.0 / (ranks + 1.0)
    probability /= probability.sum()
    weight = SMOOTHING / (SMOOTHING + probability)
    centred = (raw - raw.mean(axis=0)) @ projection
    return np.asarray(centred * weight[:, None], np.float32)


def mean_matrix(ids: list[list[int]], tokens: int) -> csr_array:
    """`(texts, tokens)` float32: row i times the table is the mean of text i's token rows."""
    lengths = np.fromiter(map(len, ids), np.int64, len(ids))
    columns = np.fromiter((token for one in ids for token in one), np.int64, lengths.sum())
    values = np.repeat(1.0 / np.maximum(lengths, 1), lengths).astype(np.float32)
    pointers = np.concatenate([[0], np.cumsum(lengths)])
    matrix = csr_array((values, columns, pointers), shape=(len(ids), tokens))
    matrix.sum_duplicates()
    return matrix


def ridge(means: csr_array, targets: Floats, initial: Floats) -> Floats:
    """Minimise `|means W - targets|^2 + lambda |W - initial|^2` over W, `(tokens, dimensions)`.

    lambda is three times the median energy of a token's column, so rare tokens stay near
    `initial`. Two rounds of ten Jacobi-preconditioned conjugate gradient steps; the second starts
    from, and stays near, the first's answer scaled to fit.
    """
    energy = np.asarray(means.multiply(means).sum(axis=0)).ravel()
    penalty = np.float32(RIDGE * np.median(energy[energy > 0]))
    scale = (energy + penalty)[:, None].astype(np.float32)
    table = initial * _best_factor(means @ initial, targets)
    for _ in range(ROUNDS):
        table = _solve(means, targets, table, penalty=penalty, scale=scale)
    return table


def _best_factor(predicted: Floats, targets: Floats) -> np.float32:
    return np.float32((predicted * targets).sum() / (predicted * predicted).sum())


def _solve(
    means: csr_array, targets: Floats, near: Floats, *, penalty: np.float32, scale: Floats
) -> Floats:
    """Conjugate gradients on the correction to `near`, every dimension with its own step."""
    correction = np.zeros_like(near)
    residual = np.asarray(means.T @ (targets - means @ near), np.float32)
    direction = residual / scale
    product = (residual * direction).sum(axis=0)
    for _ in range(ITERATIONS):
        image = means.T @ (means @ direction) + penalty * direction
        step = product / (direction * image).sum(axis=0)
        correction += step * direction
        residual -= step * image
        preconditioned = residual / scale
        following = (residual * preconditioned).sum(axis=0)
        direction = preconditioned + (following / product) * direction
        product = following
    return near + correction
