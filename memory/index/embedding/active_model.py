"""The embedding model of a workspace: chosen by its active space, loaded once in a process."""

from threading import Lock

from memory.config.settings import EmbeddingsConfig
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model_choice import ChosenModel, choose_model
from memory.storage import Space
from memory.workspace import Workspace

MOST_MODELS = 3
"""Models that a process keeps loaded: one answers, another may answer soon."""


class ActiveModels:
    """The models that a process has chosen. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._models: list[ChosenModel] = []
        self._last: tuple[EmbeddingsConfig, Space | None, ChosenModel] | None = None

    def choose(self, active: Space | None, embeddings: EmbeddingsConfig) -> ChosenModel:
        """Return the model of a database with this active space."""
        last = self._last
        if last is None or last[0] is not embeddings or last[1] != active:
            known = self.known(choose_model(active, embeddings))
            last = self._last = embeddings, active, known
        return last[2]

    def known(self, chosen: ChosenModel) -> ChosenModel:
        """Return the same model as this process has it already."""
        with self._lock:
            for known in self._models:
                if known == chosen:
                    return known
            self._models = [*self._models[1 - MOST_MODELS :], chosen]
            return chosen


def model_for(workspace: Workspace, active: Space | None) -> ChosenModel:
    """Return the embedding model of a database with this active space."""
    models = workspace.component(ActiveModels, ActiveModels)
    chosen = models.choose(active, workspace.config.embeddings)
    if active is None or workspace.loaded.trusts_database:
        return chosen
    from memory.index.embedding.model_trust import checked_model  # few databases need it

    return checked_model(workspace, chosen)


def active_model(workspace: Workspace) -> ChosenModel:
    """Return the embedding model of this database as it is now; this loads nothing heavy.

    Another process may create the first space, so the choice is made again for every call.
    """
    return model_for(workspace, workspace.storage.active_space())


def known_model(workspace: Workspace, chosen: ChosenModel) -> ChosenModel:
    """Return the same model as this process has it already, so that it is loaded once."""
    return workspace.component(ActiveModels, ActiveModels).known(chosen)


def embedder_of(workspace: Workspace) -> Embedder:
    """Return the embedder of the active space. Raises what `ChosenModel.provider` does."""
    return Embedder(workspace.storage, active_model(workspace).provider)
