"""Mel-frequency cepstra: what spectra are compared by."""

from functools import cache

import numpy as np
from scipy.fft import dct, rfft

from . import HOP, SAMPLE_RATE

_FFT = 1024
_WINDOW = 512
_BANDS = 40
_TIMBRE = 25
_LOWEST_HERTZ, _HIGHEST_HERTZ = 60.0, 11_000.0


def timbre(samples: np.ndarray) -> np.ndarray:
    """float32 [frames, 24] of samples [n] in n // HOP frames of 10.67 ms: the mel cepstra by which speech is compared,
    the level left out."""
    power = np.abs(rfft(_frames(samples) * np.hanning(_WINDOW + 1)[:-1], _FFT)) ** 2
    return dct(np.log(power @ _mel_bands().T + 1e-6), norm="ortho")[:, 1:_TIMBRE].astype(np.float32)


def _frames(samples: np.ndarray) -> np.ndarray:
    """[n // HOP, window]: the samples around the centre of each frame."""
    before = (_WINDOW - HOP) // 2
    padded = np.pad(samples, (before, before + _WINDOW))
    return np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::HOP][: len(samples) // HOP]


@cache
def _mel_bands() -> np.ndarray:
    """Triangular filters [bands, bins], evenly spaced on the mel scale of O'Shaughnessy."""
    low, high = (2595 * np.log10(1 + hertz / 700) for hertz in (_LOWEST_HERTZ, _HIGHEST_HERTZ))
    edges = 700 * (10 ** (np.linspace(low, high, _BANDS + 2) / 2595) - 1)
    hertz = np.linspace(0, SAMPLE_RATE / 2, _FFT // 2 + 1)
    rising = (hertz - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - hertz) / np.diff(edges)[1:, None]
    return np.clip(np.minimum(rising, falling), 0, None)
