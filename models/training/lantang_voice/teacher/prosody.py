"""What the teacher decides before it speaks: durations and pitch. Its speech is some thirty times as much work."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import SAMPLE_RATE
from .kokoro import DURATIONS, Tokens
from .session import open_session

_PITCH = "/encoder/Reshape_output_0"
PITCH_SAMPLES = SAMPLE_RATE // 80
"""Samples for each value of `Prosody.f0`."""


@dataclass(frozen=True)
class Prosody:
    """When the teacher would say which symbol, and how high."""

    ends: np.ndarray
    """int64 [symbols + 2], as in `kokoro.Reading`, but of speech of which nothing is cut."""

    f0: np.ndarray
    """float32 [80 a second] hertz, near zero where there is no voice."""


class KokoroProsody:
    """The part of Kokoro's graph that leads to durations and pitch, on one processor thread."""

    def __init__(self, folder: Path):
        self._tokens = Tokens(folder)
        self._session = open_session(folder / "kokoro.onnx", [DURATIONS, _PITCH])

    def read(self, spoken: str, style: np.ndarray) -> Prosody:
        """The prosody of phonemes in Kokoro's notation. Raises ValueError where there are too many."""
        durations, f0 = self._session.run([DURATIONS, _PITCH], self._tokens.inputs(spoken, style))
        return Prosody(self._tokens.ends(spoken, durations), f0.ravel())
