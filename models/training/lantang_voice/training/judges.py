"""Networks that learn to tell the pupil's speech from the teacher's.

`light_judges` look at log spectrograms and are cheap enough to train beside a pupil on one processor core;
`full_judges` are those that vocoders are usually trained with, for a GPU.
"""

from itertools import pairwise

import librosa
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

from .. import SAMPLE_RATE

_SLOPE = 0.1
_PERIODS = (2, 3, 5, 7, 11)
_FFTS = (512, 1024, 2048)
_LOG_FLOOR = 5e-3
_LOG_SCALE, _LOG_OFFSET = 0.5, 1.0  # bring log magnitudes of speech to about -2..2

Judgement = list[Tensor]
"""What the layers of one judge make of speech; the last is its verdict, 1 for the teacher's and 0 for the pupil's."""


class Judge(nn.Module):
    """Convolutions over a picture of speech; what the picture is, its kinds say."""

    def __init__(self, layers: list[nn.Conv2d], verdict: nn.Conv2d):
        super().__init__()
        self.layers = nn.ModuleList(weight_norm(layer) for layer in layers)
        self.verdict = weight_norm(verdict)

    def picture(self, speech: Tensor) -> Tensor:
        """speech [B, L] to [B, 1, H, W]."""
        raise NotImplementedError

    def forward(self, picture: Tensor) -> Judgement:
        """picture [B, 1, H, W]."""
        judgement = []
        for layer in self.layers:
            picture = F.leaky_relu(layer(picture), _SLOPE)
            judgement.append(picture)
        return [*judgement, self.verdict(picture)]


class LogSpectrumJudge(Judge):
    """Sees patches of a log spectrogram: are formants, harmonics and noise as sharp and as rough as the teacher's?

    Of the frequencies it sees the lowest `bins`, or all as `bands` of the mel scale. `strides` are (time, frequency).
    """

    def __init__(
        self,
        size: int,
        hop: int,
        width: int,
        strides: tuple[tuple[int, int], ...],
        bins: int | None = None,
        bands: int | None = None,
    ):
        widths = (1, width, width, 2 * width, 2 * width)
        first, *others = zip(pairwise(widths), strides, strict=True)
        layers = [nn.Conv2d(*first[0], (3, 5), first[1], (1, 2))]
        layers += [nn.Conv2d(*channels, 3, stride, 1) for channels, stride in others]
        super().__init__(layers, nn.Conv2d(widths[-1], 1, 3, 1, 1))
        self.size, self.hop, self.bins = size, hop, bins
        self.register_buffer("window", torch.hann_window(size), persistent=False)
        self.register_buffer("mel", None if bands is None else _mel_filters(size, bands), persistent=False)

    def picture(self, speech: Tensor) -> Tensor:
        """speech [B, L] to [B, 1, frames, frequencies]."""
        magnitude = _magnitude(speech, self.size, self.hop, self.window)[..., : self.bins]
        if self.mel is not None:
            magnitude = magnitude @ self.mel
        floor = _LOG_FLOOR * (self.size / 1024) ** 0.5
        return torch.log(magnitude + floor)[:, None] * _LOG_SCALE + _LOG_OFFSET


class SpectrumJudge(Judge):
    """Sees linear magnitudes (UnivNet, Jang et al. 2021, arXiv 2106.07889)."""

    def __init__(self, size: int, width: int):
        strides = (1, 2, 2, 2, 1)
        widths = (1, *(width for _ in strides))
        layers = [
            nn.Conv2d(*channels, (3, 9), (1, stride), (1, 4))
            for channels, stride in zip(pairwise(widths), strides, strict=True)
        ]
        super().__init__(layers, nn.Conv2d(width, 1, 3, 1, 1))
        self.size = size
        self.register_buffer("window", torch.hann_window(size), persistent=False)

    def picture(self, speech: Tensor) -> Tensor:
        """speech [B, L] to [B, 1, frames, bins]."""
        return _magnitude(speech, self.size, self.size // 4, self.window)[:, None]


class PeriodJudge(Judge):
    """Sees every `period`-th sample (HiFi-GAN, Kong et al. 2020, arXiv 2010.05646)."""

    def __init__(self, period: int, width: int):
        widths = (1, width, 4 * width, 16 * width, 16 * width)
        layers = [
            nn.Conv2d(*channels, (5, 1), (stride, 1), (2, 0))
            for channels, stride in zip(pairwise(widths), (3, 3, 3, 1), strict=True)
        ]
        super().__init__(layers, nn.Conv2d(widths[-1], 1, (3, 1), 1, (1, 0)))
        self.period = period

    def picture(self, speech: Tensor) -> Tensor:
        """speech [B, L] to [B, 1, L / period, period]."""
        rows = speech.shape[1] // self.period
        return speech[:, : rows * self.period].reshape(len(speech), 1, rows, self.period)


def light_judges(width: int) -> list[Judge]:
    """Mel bands over 43 ms, harmonics up to 4 kHz over 85 ms, and the fine structure of time over 11 ms."""
    alternating = ((1, 2), (2, 2), (1, 2), (2, 2))
    return [
        LogSpectrumJudge(1024, 256, width, alternating, bands=100),
        LogSpectrumJudge(2048, 512, width, alternating, bins=340),
        LogSpectrumJudge(256, 64, width, ((2, 2),) * 4),
    ]


def full_judges(width: int) -> list[Judge]:
    """Waveforms folded at prime periods, linear spectra at three resolutions, and the light judges."""
    periods = [PeriodJudge(period, width) for period in _PERIODS]
    return [*periods, *(SpectrumJudge(size, width) for size in _FFTS), *light_judges(width)]


def _magnitude(speech: Tensor, size: int, hop: int, window: Tensor) -> Tensor:
    """[B, L] to [B, frames, bins], the root floored where its slope would have no end."""
    spectrum = torch.stft(speech, size, hop, window=window, return_complex=True, center=False)
    return (torch.view_as_real(spectrum).square().sum(-1) + 1e-9).sqrt().transpose(1, 2)


def _mel_filters(size: int, bands: int) -> Tensor:
    """[bins, bands], each of about the weight that gives a band the level of its bins."""
    filters = librosa.filters.mel(sr=SAMPLE_RATE, n_fft=size, n_mels=bands, fmax=SAMPLE_RATE / 2)
    return torch.from_numpy(filters.T).float() * 10
