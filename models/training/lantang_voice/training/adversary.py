"""Networks that learn to tell the pupil from the teacher, for fine-tuning on a GPU.

Distances to one target make the pupil speak averages; an adversary rewards any speech that could be the
teacher's. Waveforms folded at prime periods (HiFi-GAN, Kong et al. 2020, arXiv 2010.05646) and magnitude
spectra at three resolutions (UnivNet, Jang et al. 2021, arXiv 2106.07889); least-squares losses and feature
matching.
"""

import random
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

_PERIODS = (2, 3, 5, 7, 11)
_FFTS = (512, 1024, 2048)
_FEATURE_WEIGHT = 2.0
_SLOPE = 0.1

Judgement = list[Tensor]
"""What the layers of one discriminator make of speech; the last is its verdict."""


class PeriodDiscriminator(nn.Module):
    """Looks at every `period`-th sample."""

    def __init__(self, period: int, width: int):
        super().__init__()
        self.period = period
        widths = (1, width, 4 * width, 16 * width, 16 * width)
        strides = (3, 3, 3, 1)
        self.layers = nn.ModuleList(
            weight_norm(nn.Conv2d(a, b, (5, 1), (stride, 1), (2, 0)))
            for a, b, stride in zip(widths, widths[1:], strides, strict=False)
        )
        self.verdict = weight_norm(nn.Conv2d(widths[-1], 1, (3, 1), 1, (1, 0)))

    def forward(self, speech: Tensor) -> Judgement:
        """speech [B, L]."""
        rows = speech.shape[1] // self.period
        folded = speech[:, : rows * self.period].reshape(len(speech), 1, rows, self.period)
        return _through(self.layers, self.verdict, folded)


class SpectrumDiscriminator(nn.Module):
    """Looks at magnitudes of windows of `size` samples."""

    def __init__(self, size: int, width: int):
        super().__init__()
        self.size = size
        self.register_buffer("window", torch.hann_window(size), persistent=False)
        strides = (1, 2, 2, 2, 1)
        widths = (1, *(width for _ in strides))
        self.layers = nn.ModuleList(
            weight_norm(nn.Conv2d(a, b, (3, 9), (1, stride), (1, 4)))
            for a, b, stride in zip(widths, widths[1:], strides, strict=False)
        )
        self.verdict = weight_norm(nn.Conv2d(width, 1, 3, 1, 1))

    def forward(self, speech: Tensor) -> Judgement:
        """speech [B, L]."""
        spectrum = torch.stft(speech, self.size, self.size // 4, window=self.window, return_complex=True, center=False)
        magnitude = (torch.view_as_real(spectrum).square().sum(-1) + 1e-7).sqrt()
        return _through(self.layers, self.verdict, magnitude.transpose(1, 2)[:, None])


def _through(layers: nn.ModuleList, verdict: nn.Module, x: Tensor) -> Judgement:
    judgement = []
    for layer in layers:
        x = F.leaky_relu(layer(x), _SLOPE)
        judgement.append(x)
    return [*judgement, verdict(x)]


@dataclass(frozen=True)
class AdversaryOptions:
    """How an adversary judges and learns."""

    weight: float = 0.03
    """Of its opinion beside the spectral distance."""
    crop: int = 8192
    """Samples of each row that it listens to."""
    width: int = 32
    learning_rate: float = 2e-4


class Adversary:
    """All discriminators with their optimiser."""

    def __init__(self, options: AdversaryOptions, device: torch.device, state: dict | None = None):
        self.options = options
        periods = [PeriodDiscriminator(period, options.width) for period in _PERIODS]
        spectra = [SpectrumDiscriminator(size, options.width) for size in _FFTS]
        self._judges = nn.ModuleList([*periods, *spectra]).to(device)
        self._optimiser = torch.optim.AdamW(self._judges.parameters(), options.learning_rate, betas=(0.8, 0.99))
        if state:
            self._judges.load_state_dict(state["judges"])
            self._optimiser.load_state_dict(state["optimiser"])

    def learn(self, pupil: Tensor, teacher: Tensor, chance: random.Random) -> tuple[Tensor, float]:
        """Learn from speech [B, L] of both; then the weighted loss of the pupil, and the judges' own loss."""
        start = chance.randint(0, max(0, pupil.shape[1] - self.options.crop))
        pupil, teacher = (speech[:, start : start + self.options.crop] for speech in (pupil, teacher))
        own = self._improve(pupil.detach(), teacher)
        self._judges.requires_grad_(False)
        loss = sum(_persuasion(judge(pupil), judge(teacher)) for judge in self._judges)
        self._judges.requires_grad_(True)
        return self.options.weight * loss, own

    def _improve(self, pupil: Tensor, teacher: Tensor) -> float:
        loss = sum(
            (judge(teacher)[-1] - 1).square().mean() + judge(pupil)[-1].square().mean() for judge in self._judges
        )
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._optimiser.step()
        return loss.item()

    def state(self) -> dict:
        """To go on with later."""
        return {"judges": self._judges.state_dict(), "optimiser": self._optimiser.state_dict()}


def _persuasion(pupil: Judgement, teacher: Judgement) -> Tensor:
    """How far the verdict on the pupil is from 1, and how far what the layers see is from the teacher's."""
    verdict = (pupil[-1] - 1).square().mean()
    features = sum((a - b).abs().mean() for a, b in zip(pupil[:-1], teacher[:-1], strict=True))
    return verdict + _FEATURE_WEIGHT * features
