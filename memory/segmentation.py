"""Division of conversations into episodes, importable as `memory.segmentation`.

`ends` finds where episodes end, at pauses and changes of topic; `window_ends` after a fixed number
of messages. `prepared` and `depths` compare the messages around each place.
"""

from memory.episodes.cohesion import Messages, depths, prepared
from memory.episodes.segmentation import Limits, Spoken, ends, window_ends

__all__ = ["Limits", "Messages", "Spoken", "depths", "ends", "prepared", "window_ends"]
