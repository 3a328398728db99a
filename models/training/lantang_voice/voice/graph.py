"""The pupil as one graph in Piper's form: ids, lengths and scales in, speech and durations out.

It computes what training computes, in operators that the runtime is fast at: Fourier transforms are products
with constant matrices (the runtime's own are 100 to 700 times slower and have no CUDA kernel), overlap-add is
shifts and sums, and noise is a constant table, whose spectra are made beforehand. Where in it an utterance begins is
drawn, one number a row by `RandomNormalLike` as in Piper's graphs, so that an engine that feeds that number speaks
the same for the same seed, and a row of a batch the same as alone. `Ceil` occurs exactly once, at the durations: that
is how an engine finds them.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .. import HOP, SAMPLE_RATE
from .network import Voice, spread_over_frames
from .source_filter import (
    BINS,
    FFT,
    HALF_FRAME,
    LOUDEST_NOISE,
    LOUDEST_PULSE,
    WINDOW,
    harmonics,
    low_frequencies,
)

_NOISE_HALF_FRAMES = 384  # 2.05 s, then the noise repeats
_NOISE_SEED = 7
_TURNS = 97.0  # around the table for one standard deviation: enough that each place is as likely as the others
_CHUNKS = FFT // HALF_FRAME
_LEAST_TAIL = 8.0
"""Frames that `$` lasts at the least: a last consonant that the pupil thinks short still ends in it."""


@dataclass(frozen=True)
class Settings:
    """Cheap corrections of a pupil that has learned averages; the defaults change nothing."""

    sharpening: float = 1.0
    """Factor on the pulse cepstra from the third on: contrast between formants."""
    noise_gain: float = 0.0
    """Natural logarithm added to the level of the noise."""
    low_noise_gain: float = 0.0
    """Natural logarithm added to the level of the noise below about 4 kHz, where voiced speech has little of it."""
    pitch_range: float = 1.0
    """Factor on the distance of log F0 from the speaker's median."""

    def contrast(self, order: int) -> Tensor:
        """Factors [order] on the pulse cepstra."""
        return torch.tensor([1.0] * 2 + [self.sharpening] * (order - 2))

    def noise_level(self) -> Tensor:
        """What is added to the level of the noise, [BINS]."""
        return self.noise_gain + self.low_noise_gain * low_frequencies()


class VoiceGraph(nn.Module):
    """Wraps a voice; `median_log_f0` has one value for each speaker."""

    def __init__(self, voice: Voice, settings: Settings, median_log_f0: list[float]):
        super().__init__()
        self.voice = voice
        self.pitch_range = settings.pitch_range
        synthesiser = voice.synthesiser
        contrast = settings.contrast(voice.sizes.pulse_order)[:, None]
        self._constant("median_log_f0", torch.tensor(median_log_f0))
        self._constant("pulse_cosine", synthesiser.pulse_cosine * contrast)
        self._constant("pulse_sine", synthesiser.pulse_sine * contrast)
        analysis, even, odd = fourier_matrices(synthesiser.window)
        self._constant("noise_gain", settings.noise_level())
        self._constant("analysis", analysis)
        self._constant("even", even)
        self._constant("odd", odd)
        self._constant("noise", noise_spectra(analysis))
        self._constant("summed_interpolation", synthesiser.interpolation.cumsum(1))
        self._constant("fallen", (torch.arange(HOP) / (HOP - 1) * torch.pi / 2).sin() ** 2)

    def _constant(self, name: str, value: Tensor) -> None:
        self.register_buffer(name, value.float(), persistent=False)

    def forward(self, ids: Tensor, lengths: Tensor, scales: Tensor, speaker: Tensor | None = None):
        """ids int64 [B, L]; lengths int64 [B]; scales float [3]: noise, length, noise_w (unused).

        Noise at 0 begins at the table's first half-frame, at any other scale at one that is drawn.

        An engine may as well give scales of its own to each row, [3, B, 1].
        Returns speech [B, 1, 1, T x HOP] and frames of each id [B, 1, L].
        """
        rows, length = ids.shape[0], ids.shape[1]
        speaker = torch.zeros_like(lengths) if speaker is None else speaker.expand(rows)
        pairs, mask = _pairs(ids, lengths)
        text, log_durations = self.voice.text(pairs, mask, speaker)
        natural = _natural_durations(log_durations, mask[..., 0], scales[1].clamp(min=1))
        ends = torch.floor(natural.cumsum(1) * scales[1].clamp(max=1) + 0.5)
        durations = torch.ceil(F.relu(ends - F.pad(ends, (1, 0))[:, :-1]))
        frames, inside = spread_over_frames(text, natural, _centres(natural))
        log_f0 = self.voice.pitch(frames, inside, speaker)
        cepstra = torch.cat(self.voice.decoder(frames, log_f0, inside, speaker), -1)
        log_f0, cepstra, inside = _hurried(log_f0, cepstra, natural.sum(1), durations)
        pulse_cepstra, noise_cepstra = cepstra.split([self.voice.sizes.pulse_order, self.voice.sizes.noise_order], -1)
        median = self.median_log_f0[speaker][:, None]
        pulses = self._pulses((log_f0 - median) * self.pitch_range + median, inside)
        noise = self._noise(_drawn(ids) * scales[0], pulse_cepstra.shape[1])
        speech = self._filtered(pulses, pulse_cepstra, noise_cepstra, noise, inside)
        per_id = torch.stack([durations, torch.zeros_like(durations)], -1).reshape(rows, 1, -1)[:, :, :length]
        return speech.reshape(rows, 1, 1, -1).clamp(-1.0, 1.0), per_id

    def _pulses(self, log_f0: Tensor, inside: Tensor) -> Tensor:
        """Pulse train [B, T, HOP]; the frame after the last is taken to be like the last, as in training."""
        cycles = log_f0.exp() / SAMPLE_RATE
        after = torch.cat([cycles[:, 1:] * inside[:, 1:] + cycles[:, :-1] * (1 - inside[:, 1:]), cycles[:, -1:]], 1)
        neighbours = torch.stack([torch.cat([cycles[:, :1], cycles[:, :-1]], 1), cycles, after], -1)
        within = neighbours @ self.summed_interpolation
        whole = within[..., -1]
        before = torch.cumsum(whole, 1) - whole
        phase = (before - torch.floor(before))[..., None] + within
        phase = phase - torch.floor(phase + 0.5)
        return harmonics(phase, neighbours @ self.voice.synthesiser.interpolation) * inside[..., None]

    def _noise(self, drawn: Tensor, halves: int) -> Tensor:
        """Spectra [B, halves, 2 BINS] of noise that begins where `drawn` [B, 1] says."""
        turns = drawn.abs() * _TURNS
        first = ((turns - torch.floor(turns)) * _NOISE_HALF_FRAMES).long()
        return self.noise[(first + torch.arange(halves, device=drawn.device)) % _NOISE_HALF_FRAMES]

    def _filtered(
        self, pulses: Tensor, pulse_cepstra: Tensor, noise_cepstra: Tensor, noise: Tensor, inside: Tensor
    ) -> Tensor:
        """Both filters applied, [B, T, HOP]. Spectra are real and imaginary parts side by side."""
        rows = pulses.shape[0]
        real, imaginary = self._spectra(pulses)
        magnitude = torch.exp((pulse_cepstra @ self.pulse_cosine).clamp(max=LOUDEST_PULSE))
        angle = pulse_cepstra @ self.pulse_sine
        filter_real, filter_imaginary = magnitude * torch.cos(angle), -magnitude * torch.sin(angle)
        level = noise_cepstra @ self.voice.synthesiser.noise_cosine + self.noise_gain
        gain = torch.exp(level.clamp(max=LOUDEST_NOISE))
        noise_real, noise_imaginary = noise.split(BINS, -1)
        audible = inside[..., None].expand(-1, -1, 2).reshape(rows, -1, 1)
        speech = self._overlap_add(
            (real * filter_real - imaginary * filter_imaginary + noise_real * gain) * audible,
            (real * filter_imaginary + imaginary * filter_real + noise_imaginary * gain) * audible,
        )
        return speech * self._envelope(inside)

    def _envelope(self, inside: Tensor) -> Tensor:
        """1 inside the utterance, falling to 0 over its last frame; [B, T, HOP]."""
        last = inside - F.pad(inside, (0, 1))[:, 1:] * inside
        return inside[..., None] - last[..., None] * self.fallen

    def _spectra(self, pulses: Tensor) -> tuple[Tensor, Tensor]:
        """Windowed spectra of every half-frame, [B, 2T, BINS] twice."""
        rows = pulses.shape[0]
        signal = pulses.reshape(rows, -1)
        padded = F.pad(signal, (HALF_FRAME // 2, WINDOW - HALF_FRAME // 2))
        length = signal.shape[1]
        first = padded[:, :length].reshape(rows, -1, HALF_FRAME)
        second = padded[:, HALF_FRAME : length + HALF_FRAME].reshape(rows, -1, HALF_FRAME)
        return (torch.cat([first, second], -1) @ self.analysis).split(BINS, -1)

    def _overlap_add(self, real: Tensor, imaginary: Tensor) -> Tensor:
        """Samples [B, T, HOP] of spectra [B, 2T, BINS]. What the real parts give is the same backwards, what the
        imaginary parts give is so with the other sign: half of each is enough."""
        even, odd = real @ self.even, imaginary @ self.odd
        blocks = torch.cat([even + odd, (even - odd)[..., 1:-1].flip(-1)], -1)
        rows, halves, _ = blocks.shape
        blocks = blocks.reshape(rows, halves, _CHUNKS, HALF_FRAME)
        total = sum(F.pad(blocks[:, :, i], (0, 0, i, _CHUNKS - 1 - i)) for i in range(_CHUNKS)).reshape(rows, -1)
        return total[:, HALF_FRAME // 2 : HALF_FRAME // 2 + halves * HALF_FRAME].reshape(rows, -1, HOP)


def _natural_durations(log_durations: Tensor, mask: Tensor, slowness: Tensor) -> Tensor:
    """Whole frames of each pair [B, N], `slowness` times as many as are usual, rounded half down; 0 beyond the text."""
    wanted = (torch.exp(F.relu(log_durations)) - 1) * slowness
    tail = (mask - F.pad(mask, (0, 1))[:, 1:]) * _LEAST_TAIL
    return torch.maximum(-torch.floor(-F.relu(wanted - 0.5)) * mask, tail)


def _centres(durations: Tensor) -> Tensor:
    """Times [1, T] of the centres of all frames, in frames."""
    count = durations.sum(1).max().clamp(min=1).long()
    return torch.arange(count, device=durations.device).float()[None] + 0.5


def _hurried(log_f0: Tensor, cepstra: Tensor, natural: Tensor, durations: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Log F0 [B, T] and cepstra [B, 2T, C] of `natural` [B] frames brought to the length of `durations` [B, N], and
    the mask of the frames inside. In between they are interpolated: given the durations of twice the tempo, the decoder
    swallows half of the words."""
    centres, frames = _centres(durations), durations.sum(1, keepdim=True)
    rate = natural[:, None] / frames.clamp(min=1)
    halves = torch.stack([centres - 0.25, centres + 0.25], -1).reshape(1, -1)
    last = (natural[:, None] - 1).clamp(min=0)
    return (
        _between(log_f0[..., None], centres * rate - 0.5, last)[..., 0],
        _between(cepstra, halves * rate * 2 - 0.5, last * 2 + 1),
        (centres < frames).to(log_f0.dtype),
    )


def _between(values: Tensor, places: Tensor, last: Tensor) -> Tensor:
    """Values [B, T, C] at `places` [B, P], counted in values, on straight lines; rows end at `last` [B, 1]."""
    places = torch.minimum(F.relu(places), last)
    below = torch.floor(places)
    above = torch.minimum(below + 1, last)
    rows = torch.arange(values.shape[0], device=values.device)[:, None] * values.shape[1]
    flat = values.reshape(-1, values.shape[2])
    one, other = flat[below.long() + rows], flat[above.long() + rows]
    return one + (other - one) * (places - below)[..., None]


def _drawn(ids: Tensor) -> Tensor:
    """A standard normal deviate for each row of `ids`, [B, 1], the first of as many as ids: engines know that shape."""
    return torch.randn(ids.shape[0], 1, ids.shape[1], device=ids.device)[:, 0, :1]


def _pairs(ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """ids [B, 2N], padded with zeros, and the mask [B, N, 1] of pairs inside the text."""
    length = ids.shape[1]
    known = torch.arange(length, device=ids.device)[None] < lengths[:, None]
    pairs = F.pad(ids * known.long(), (0, 2))[:, : (length + 1) // 2 * 2]
    place = torch.arange((length + 1) // 2, device=ids.device)[None]
    return pairs, (place < ((lengths + 1) // 2)[:, None]).float()[..., None]


def fourier_matrices(window: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """[WINDOW, 2 BINS] from samples to windowed spectra, and [BINS, FFT / 2 + 1] twice, from their real and imaginary
    parts to the first half of the samples and the one in the middle."""
    bins = torch.arange(BINS)[:, None].double()
    forward = 2 * math.pi * torch.arange(WINDOW)[None].double() * bins / FFT
    analysis = torch.cat([torch.cos(forward), -torch.sin(forward)]) * window.double()
    back = 2 * math.pi * torch.arange(FFT // 2 + 1)[None].double() * bins / FFT
    weight = torch.full((BINS, 1), 2.0, dtype=torch.double)
    weight[0] = weight[-1] = 1.0
    return analysis.T.contiguous(), weight * torch.cos(back) / FFT, -weight * torch.sin(back) / FFT


def noise_spectra(analysis: Tensor) -> Tensor:
    """Spectra [half-frames, 2 BINS] of a stretch of white noise that joins its own beginning."""
    generator = torch.Generator().manual_seed(_NOISE_SEED)
    noise = torch.randn(_NOISE_HALF_FRAMES * HALF_FRAME, generator=generator).double()
    around = torch.cat([noise[-HALF_FRAME // 2 :], noise, noise[:WINDOW]])
    return around.unfold(0, WINDOW, HALF_FRAME)[:_NOISE_HALF_FRAMES] @ analysis
