"""Spectrograms."""

from pathlib import Path

import matplotlib
import numpy as np
from scipy.signal import stft

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 (the backend is chosen before)

_WINDOW_SECONDS = 0.02
_DYNAMIC_RANGE = 80


def draw_spectrogram(samples: np.ndarray, rate: int, path: Path) -> None:
    """A PNG of float samples [n], windows of 20 ms, 80 dB below the loudest point."""
    window = int(_WINDOW_SECONDS * rate)
    frequencies, times, spectrum = stft(samples, rate, nperseg=window, noverlap=window * 3 // 4, nfft=2048)
    decibels = 20 * np.log10(np.abs(spectrum) + 1e-9)
    figure, axes = pyplot.subplots(figsize=(11, 3.2), layout="constrained")
    top = decibels.max()
    axes.pcolormesh(times, frequencies / 1000, decibels, vmin=top - _DYNAMIC_RANGE, vmax=top, cmap="magma")
    axes.set(xlabel="seconds", ylabel="kHz")
    figure.savefig(path, dpi=80)
    pyplot.close(figure)
