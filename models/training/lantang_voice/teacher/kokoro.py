"""Kokoro-82M as an ONNX graph: phonemes and a style in, 24 kHz speech out."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import SAMPLE_RATE
from .folding import fold_quantised_weights
from .session import open_session

MAX_TOKENS = 510
STYLE_WIDTH = 256
DURATIONS = "/encoder/Clip_output_0"
"""The graph's value of how many 40ths of a second each token lasts."""
_SPEECH = "audio"
_DURATION_SAMPLES = SAMPLE_RATE // 40
_SILENCE = 0.004
_MARGIN = SAMPLE_RATE // 10


@dataclass(frozen=True)
class Reading:
    """What the teacher said, and when it said which symbol."""

    samples: np.ndarray
    """float32 [n], mostly within -1..1; some styles go beyond. Silence at both ends is cut to a tenth of a second."""

    ends: np.ndarray
    """int64 [symbols + 2]: where the beginning, each symbol of the phonemes and the end are over, in samples from the
    first of `samples`; below zero and beyond the last where silence was cut. See `Tokens.ends`."""


class Tokens:
    """The teacher's symbols as its graph takes them."""

    def __init__(self, folder: Path):
        self._vocabulary: dict[str, int] = json.loads((folder / "vocabulary.json").read_text("utf-8"))["vocab"]

    def inputs(self, spoken: str, style: np.ndarray) -> dict[str, np.ndarray]:
        """What the graph reads for phonemes in Kokoro's notation. Raises ValueError where there are too many."""
        tokens = [self._vocabulary[symbol] for symbol in spoken if symbol in self._vocabulary]
        if not 0 < len(tokens) < MAX_TOKENS:
            raise ValueError(f"the teacher reads 1 to {MAX_TOKENS - 1} phonemes at once, not {len(tokens)}: {spoken}")
        return {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": style[len(tokens)],
            "speed": np.ones(1, np.float32),
        }

    def ends(self, spoken: str, durations: np.ndarray) -> np.ndarray:
        """int64 [symbols + 2] samples: where the beginning, each symbol and the end are over, by the graph's durations.

        A symbol that it does not know has no time of its own.
        """
        lengths = np.zeros(len(spoken) + 2, np.int64)
        lengths[[True, *(symbol in self._vocabulary for symbol in spoken), True]] = durations.ravel()
        return lengths.cumsum() * _DURATION_SAMPLES


class Kokoro:
    """One inference session over the files of `packages.fetch_teacher`: one processor thread, or a CUDA device."""

    def __init__(self, folder: Path, device: str = "cpu"):
        self._folder, self._tokens = folder, Tokens(folder)
        model, provider = folder / "kokoro.onnx", "CPUExecutionProvider"
        if device == "cuda":
            model, provider = folder / "kokoro-float.onnx", "CUDAExecutionProvider"
            if not model.exists():
                fold_quantised_weights(folder / "kokoro.onnx", model)
        self._session = open_session(model, [_SPEECH, DURATIONS], provider)

    def style(self, name: str) -> np.ndarray:
        """Style pack `name`, as `read_style` gives it."""
        return read_style(self._folder, name)

    def speak(self, spoken: str, style: np.ndarray) -> np.ndarray:
        """The samples of `read`."""
        return self.read(spoken, style).samples

    def read(self, spoken: str, style: np.ndarray) -> Reading:
        """Read phonemes in Kokoro's notation aloud. No samples where the teacher stays silent.

        Raises ValueError where there are too many phonemes.
        """
        speech, durations = self._session.run([_SPEECH, DURATIONS], self._tokens.inputs(spoken, style))
        speech = speech.ravel()
        inside = loud_part(speech)
        return Reading(speech[inside], self._tokens.ends(spoken, durations) - inside.start)


def read_style(folder: Path, name: str) -> np.ndarray:
    """Style pack `name`: float32 [510, 1, 256], one row for each count of tokens."""
    pack = np.fromfile(folder / "styles" / f"{name}.bin", np.float32)
    return pack.reshape(MAX_TOKENS, 1, STYLE_WIDTH)


def trim_silence(samples: np.ndarray) -> np.ndarray:
    """`samples` with silence at both ends cut to a tenth of a second; empty if there is nothing else."""
    return samples[loud_part(samples)]


def loud_part(samples: np.ndarray) -> slice:
    """Where in `samples` there is anything to hear, with a tenth of a second before and after."""
    loud = np.flatnonzero(np.abs(samples) > _SILENCE)
    if len(loud) == 0:
        return slice(0, 0)
    return slice(max(0, int(loud[0]) - _MARGIN), int(loud[-1]) + _MARGIN)
