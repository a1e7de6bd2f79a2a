"""The gradient half of the recipe: related texts together, and every text where the teacher has it.

Three losses are added in every step. InfoNCE over in-batch negatives pulls the two texts of a pair
together; the cosine to the teacher's vector holds every text in its place; and the divergence
between the teacher's and the student's softmax over a batch of similar texts teaches the fine
order among near neighbours, which is what ranking needs.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy, embedding_bag, kl_div, log_softmax, normalize

Floats = NDArray[np.float32]

TEMPERATURE = 0.05
PAIR_WEIGHT = 0.3
NEIGHBOUR_WEIGHT = 0.3
LEARNING_RATE = 3e-3
EPOCHS = 3
PAIR_BATCH = 1024
TEXT_BATCH = 512
GROUP = 64


@dataclass(frozen=True, slots=True)
class Texts:
    """Token ids of many texts, one after another; text i is `flat[starts[i] : starts[i + 1]]`."""

    flat: torch.Tensor
    starts: torch.Tensor

    @classmethod
    def of(cls, ids: list[list[int]]) -> "Texts":
        lengths = torch.tensor([len(one) for one in ids])
        flat = torch.tensor([token for one in ids for token in one])
        return cls(flat, torch.cat([torch.zeros(1, dtype=torch.int64), lengths.cumsum(0)]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def embed(self, table: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        """Unit vectors of the chosen texts, differentiable in the table."""
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        ends = lengths.cumsum(0)
        shift = torch.repeat_interleave(self.starts[chosen] - (ends - lengths), lengths)
        flat = self.flat[torch.arange(int(ends[-1])) + shift]
        return normalize(embedding_bag(flat, table, ends - lengths, mode="mean"), dim=1)


def tune(
    table: Floats,
    pairs: tuple[Texts, Texts],
    pieces: tuple[Texts, Floats],
    *,
    seed: int,
    report: Callable[[str], None],
) -> Floats:
    """The table after three epochs over the pairs; `pieces` are texts and the teacher's vectors."""
    texts, teacher_rows = pieces
    teacher = torch.nn.functional.normalize(torch.from_numpy(teacher_rows), dim=1)
    chance = torch.Generator().manual_seed(seed)
    weights = torch.nn.Parameter(torch.from_numpy(table.copy()))
    optimiser = torch.optim.Adam([weights], lr=LEARNING_RATE)
    steps_per_epoch = len(pairs[0]) // PAIR_BATCH
    total = EPOCHS * steps_per_epoch
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: 0.5 * (1 + math.cos(math.pi * step / total))
    )
    batches = _similar_batches(teacher, total, chance)
    for step in range(total):
        place = step % steps_per_epoch
        if place == 0:
            order = torch.randperm(len(pairs[0]), generator=chance)
        chosen = order[place * PAIR_BATCH : (place + 1) * PAIR_BATCH]
        left, right = (side.embed(weights, chosen) for side in pairs)
        batch = batches[step]
        loss = PAIR_WEIGHT * _info_nce(left, right) + _imitation(
            texts.embed(weights, batch), teacher[batch]
        )
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        schedule.step()
        if step % 50 == 0:
            report(f"tuning: step {step} of {total}, loss {loss.item():.4f}")
    return weights.detach().numpy()


def _info_nce(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    scores = left @ right.T / TEMPERATURE
    truth = torch.arange(len(scores))
    return (cross_entropy(scores, truth) + cross_entropy(scores.T, truth)) / 2


def _imitation(student: torch.Tensor, teacher: torch.Tensor) -> torch.Tensor:
    distance = 1 - (student * teacher).sum(dim=1).mean()
    itself = torch.eye(len(student), dtype=torch.bool)
    taught, learnt = (
        log_softmax((rows @ rows.T / TEMPERATURE).masked_fill(itself, -1e4), dim=1)
        for rows in (teacher, student)
    )
    divergence = kl_div(learnt, taught, log_target=True, reduction="batchmean")
    return distance + NEIGHBOUR_WEIGHT * divergence


def _similar_batches(
    teacher: torch.Tensor, count: int, chance: torch.Generator
) -> list[torch.Tensor]:
    """`count` batches of eight groups, each of about 64 texts that the teacher finds similar.

    Every round splits all texts by a fresh set of random texts: a text joins the one it is nearest
    to. Groups are cut at 64, so small ones are taken together with the next.
    """
    batches: list[torch.Tensor] = []
    while len(batches) < count:
        centres = torch.randperm(len(teacher), generator=chance)[: len(teacher) // GROUP]
        nearest = torch.cat(
            [(rows @ teacher[centres].T).argmax(dim=1) for rows in torch.split(teacher, 8192)]
        )
        shuffled = torch.randperm(len(teacher), generator=chance)
        ordered = shuffled[nearest[shuffled].argsort(stable=True)]
        groups = torch.split(ordered, GROUP)
        mixed = torch.randperm(len(groups), generator=chance).tolist()
        per_batch = TEXT_BATCH // GROUP
        batches += [
            torch.cat([groups[index] for index in mixed[first : first + per_batch]])
            for first in range(0, len(groups) - per_batch + 1, per_batch)
        ]
    return batches[:count]
