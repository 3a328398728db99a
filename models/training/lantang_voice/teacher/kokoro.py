"""Kokoro-82M as an ONNX graph: phonemes and a style in, 24 kHz speech out."""

import json
from functools import cached_property
from pathlib import Path

import numpy as np
import onnxruntime

from .. import SAMPLE_RATE
from .folding import fold_quantised_weights

MAX_TOKENS = 510
STYLE_WIDTH = 256
_SILENCE = 0.004
_MARGIN = SAMPLE_RATE // 10


class Kokoro:
    """One inference session over the files of `packages.fetch_teacher`: one processor thread, or a CUDA device."""

    def __init__(self, folder: Path, device: str = "cpu"):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._folder = folder
        model, provider = folder / "kokoro.onnx", "CPUExecutionProvider"
        if device == "cuda":
            model, provider = folder / "kokoro-float.onnx", "CUDAExecutionProvider"
            if not model.exists():
                fold_quantised_weights(folder / "kokoro.onnx", model)
        self._session = onnxruntime.InferenceSession(str(model), options, providers=[provider])

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        return json.loads((self._folder / "vocabulary.json").read_text("utf-8"))["vocab"]

    def style(self, name: str) -> np.ndarray:
        """Style pack `name`: float32 [510, 1, 256], one row for each count of tokens."""
        pack = np.fromfile(self._folder / "styles" / f"{name}.bin", np.float32)
        return pack.reshape(MAX_TOKENS, 1, STYLE_WIDTH)

    def speak(self, spoken: str, style: np.ndarray, speed: float = 1.0) -> np.ndarray:
        """float32 samples [n] of phonemes in Kokoro's notation, silence at both ends cut to a tenth of a second.

        Mostly within -1..1; some styles go beyond. Empty where the teacher stays silent. Raises ValueError where
        there are too many phonemes.
        """
        tokens = [self._vocabulary[symbol] for symbol in spoken if symbol in self._vocabulary]
        if not 0 < len(tokens) < MAX_TOKENS:
            raise ValueError(f"the teacher reads 1 to {MAX_TOKENS - 1} phonemes at once, not {len(tokens)}: {spoken}")
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": style[len(tokens)],
            "speed": np.array([speed], np.float32),
        }
        return trim_silence(self._session.run(None, inputs)[0].ravel())


def trim_silence(samples: np.ndarray) -> np.ndarray:
    """`samples` with silence at both ends cut to a tenth of a second; empty if there is nothing else."""
    loud = np.flatnonzero(np.abs(samples) > _SILENCE)
    if len(loud) == 0:
        return samples[:0]
    return samples[max(0, loud[0] - _MARGIN) : loud[-1] + _MARGIN]
