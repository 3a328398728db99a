"""The synthesiser that the network drives: a pulse train and noise, each through a filter of its own.

Every half-frame (128 samples) has two filters, given by cepstra on a warped frequency axis: one for a
band-limited pulse train, of minimum phase, and one for white noise, of zero phase. Filtered windows of 256
samples are overlapped and added. Everything is differentiable with respect to the cepstra.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .. import HOP, SAMPLE_RATE

HALF_FRAME = HOP // 2
WINDOW = 256
FFT = 512
BINS = FFT // 2 + 1
LOUDEST_PULSE, LOUDEST_NOISE = 6.0, 4.0
"""Natural logarithms of the largest magnitudes that the two filters may take."""

_WARP = 0.42  # all-pass constant that turns 24 kHz into about the Bark scale (Smith and Abel 1999)
_LOWEST_CYCLES = 1e-4
_SINE_FLOOR = 1e-3
_CROSSOVER, _CROSSOVER_WIDTH = 4000.0, 600.0  # hertz


class SourceFilter(nn.Module):
    """Constant tables of the synthesiser for `pulse_order` and `noise_order` cepstra."""

    def __init__(self, pulse_order: int, noise_order: int):
        super().__init__()
        cosine, sine = warped_basis(pulse_order)
        self._constant("pulse_cosine", cosine)
        self._constant("pulse_sine", sine)
        self._constant("noise_cosine", warped_basis(noise_order)[0])
        self._constant("window", torch.hann_window(WINDOW))
        self._constant("interpolation", frame_interpolation())

    def _constant(self, name: str, value: Tensor) -> None:
        self.register_buffer(name, value, persistent=False)

    def pulses(self, log_f0: Tensor) -> Tensor:
        """Pulse train [B, T x HOP] for log F0 [B, T]: equal harmonics up to half the sampling rate."""
        cycles = log_f0.exp() / SAMPLE_RATE
        padded = F.pad(cycles[:, None], (1, 1), mode="replicate")[:, 0]
        neighbours = torch.stack([padded[:, :-2], cycles, padded[:, 2:]], -1)
        step = (neighbours @ self.interpolation).clamp(min=_LOWEST_CYCLES)
        within = torch.cumsum(step, -1)
        whole = within[..., -1]
        before = torch.cumsum(whole, 1) - whole
        phase = (before - before.floor())[..., None] + within
        return harmonics(phase - phase.round(), step).reshape(log_f0.shape[0], -1)

    def render(
        self,
        pulse_cepstra: Tensor,
        noise_cepstra: Tensor,
        pulses: Tensor,
        *noises: Tensor,
        noise_gain: Tensor | None = None,
    ) -> list[Tensor]:
        """Speech [B, L] for each of `noises` [B, L], sharing cepstra [B, L / 128, order] and pulses [B, L].

        `noise_gain` [BINS], natural logarithms, is added to the level of the noise.
        """
        halves, length = pulse_cepstra.shape[1], pulses.shape[1]
        magnitude = (pulse_cepstra @ self.pulse_cosine).clamp(max=LOUDEST_PULSE).exp()
        voiced = self._spectra(pulses, halves) * torch.polar(magnitude, -(pulse_cepstra @ self.pulse_sine))
        level = noise_cepstra @ self.noise_cosine
        gain = (level if noise_gain is None else level + noise_gain).clamp(max=LOUDEST_NOISE).exp()
        return [overlap_add(voiced + self._spectra(noise, halves) * gain, length) for noise in noises]

    def _spectra(self, signal: Tensor, halves: int) -> Tensor:
        padded = F.pad(signal, (HALF_FRAME // 2, HALF_FRAME // 2 + WINDOW))
        windows = padded.unfold(1, WINDOW, HALF_FRAME)[:, :halves]
        return torch.fft.rfft(windows * self.window, FFT)


def harmonics(phase: Tensor, step: Tensor) -> Tensor:
    """Sum of cos(2 pi k phase) over all harmonics k below half the sampling rate, by the Dirichlet kernel.

    phase in cycles within -0.5..0.5; step in cycles per sample. The highest harmonic fades out over the last step
    to half the sampling rate: if it went at once, rounding would decide when.
    """
    limit = 0.5 / step
    count = torch.floor(limit)
    faded = (1 - (limit - count)) * torch.cos(2 * math.pi * count * phase)
    sine = torch.sin(math.pi * phase)
    tiny = sine.abs() < _SINE_FLOOR
    sine = torch.where(tiny, torch.full_like(sine, _SINE_FLOOR), sine)
    phase = torch.where(tiny, torch.full_like(phase, _SINE_FLOOR / math.pi), phase)
    return (torch.sin(math.pi * (2 * count + 1) * phase) / sine - 1) * 0.5 - faded


def overlap_add(spectra: Tensor, length: int) -> Tensor:
    """Samples [B, length] of spectra [B, halves, BINS], one every half-frame."""
    chunks = FFT // HALF_FRAME
    blocks = torch.fft.irfft(spectra, FFT)
    batch, halves, _ = blocks.shape
    blocks = blocks.reshape(batch, halves, chunks, HALF_FRAME)
    total = sum(F.pad(blocks[:, :, i], (0, 0, i, chunks - 1 - i)) for i in range(chunks))
    return total.reshape(batch, -1)[:, HALF_FRAME // 2 : HALF_FRAME // 2 + length]


def warped_basis(order: int) -> tuple[Tensor, Tensor]:
    """cos and sin [order, BINS] of multiples of the frequency after a first-order all-pass."""
    omega = np.linspace(0, np.pi, BINS)
    warped = omega + 2 * np.arctan(_WARP * np.sin(omega) / (1 - _WARP * np.cos(omega)))
    angles = np.arange(order)[:, None] * warped
    return torch.tensor(np.cos(angles), dtype=torch.float32), torch.tensor(np.sin(angles), dtype=torch.float32)


def low_frequencies(bins: int = BINS) -> Tensor:
    """Weights [bins] of frequencies up to half the sampling rate: 1 below about 4 kHz, 0 above, a smooth step."""
    hertz = torch.linspace(0, SAMPLE_RATE / 2, bins)
    return torch.sigmoid((_CROSSOVER - hertz) / _CROSSOVER_WIDTH)


def frame_interpolation() -> Tensor:
    """Weights [3, HOP] of the frame before, the frame itself and the frame after, for each of its samples."""
    offset = (torch.arange(HOP) + 0.5) / HOP - 0.5
    return torch.stack([(-offset).clamp(min=0), 1 - offset.abs(), offset.clamp(min=0)])
