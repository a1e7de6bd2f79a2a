"""The fake model as if on another machine, for what is done about those."""

from collections.abc import Sequence

from contracts import UnavailableError
from providers.base import Kind
from providers.fake import FakeProvider


class RemoteFake(FakeProvider):
    """Counts the questions it is asked; `down` has it fail, as often as it is asked."""

    def __init__(self, model: str = "fake") -> None:
        super().__init__(model, batch_size=4)
        self.asked: list[str] = []
        self.down = False

    @property
    def host(self) -> str:
        return "embeddings.example:443"

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        if kind == "query":
            self.asked.extend(texts)
        if self.down:
            raise UnavailableError(
                "embeddings.example:443 did not answer", hint="try again, or go for a walk"
            )
        return super().embed(texts, kind=kind)
