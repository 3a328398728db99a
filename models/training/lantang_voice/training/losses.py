"""What the pupil is told about its mistakes."""

import torch
import torch.nn.functional as F
from torch import Tensor

from ..voice.source_filter import low_frequencies

_FFTS = (512, 1024, 2048)
_LINEAR_WEIGHT = 0.3
_FLOOR = 5e-3


def spectral_energy_distance(
    first: Tensor, second: Tensor, target: Tensor, low_repulsion: float = 1.0
) -> tuple[Tensor, Tensor]:
    """Generalised energy distance between speech drawn twice and the target, [B, L] each.

    d(first, target) + d(second, target) - d(first, second), halved, with d the distance of log and linear
    magnitudes at three resolutions (Gritsenko et al. 2020, arXiv 2008.01160). The last term rewards two
    draws of noise for differing as much as noise does; without it the pupil answers noise with silence. But it
    also rewards noise where the pupil is merely unsure, as it is between the harmonics of a voice: `low_repulsion`
    weighs it below about 4 kHz, where voiced speech has little noise.
    Returns the loss and, without gradient, the plain distance of the first draw.
    """
    loss, plain = 0.0, 0.0
    for size in _FFTS:
        window = torch.hann_window(size, device=target.device)
        wanted = _magnitudes(target, size, window)
        one, two = (_magnitudes(drawn, size, window) for drawn in (first, second))
        to_first = _distance(one, wanted, size)
        loss = loss + 0.5 * (to_first + _distance(two, wanted, size) - _distance(one, two, size, low_repulsion))
        plain = plain + to_first.detach()
    return loss / len(_FFTS), plain / len(_FFTS)


def _magnitudes(samples: Tensor, size: int, window: Tensor) -> tuple[Tensor, Tensor]:
    """(log, linear) magnitudes, the logarithm floored near the level of quiet consonants."""
    spectrum = torch.view_as_real(
        torch.stft(samples, size, size // 4, window=window, return_complex=True, center=False)
    )
    linear = (spectrum.square().sum(-1) + 1e-9).sqrt()
    return torch.log(linear + _FLOOR * _scale(size)), linear


def _distance(a: tuple[Tensor, Tensor], b: tuple[Tensor, Tensor], size: int, low_weight: float = 1.0) -> Tensor:
    log, linear = ((one - other).abs() for one, other in zip(a, b, strict=True))
    if low_weight != 1:
        weight = 1 - (1 - low_weight) * low_frequencies(size // 2 + 1).to(log.device)[:, None]
        log, linear = log * weight, linear * weight
    return log.mean() + _LINEAR_WEIGHT / _scale(size) * linear.mean()


def _scale(size: int) -> float:
    return (size / 1024) ** 0.5


def pitch_error(predicted: Tensor, log_f0: Tensor, weight: Tensor) -> Tensor:
    """Mean absolute error in natural logarithms over frames [B, T] of `weight` 1: voiced, inside the text."""
    return ((predicted - log_f0).abs() * weight).sum() / weight.sum().clamp(min=1)


def duration_error(predicted: Tensor, durations: Tensor, mask: Tensor) -> Tensor:
    """Mean absolute error of log(1 + frames) [B, N]; below zero anything is right for symbols without frames."""
    error = torch.where(durations > 0, (predicted - torch.log1p(durations)).abs(), F.relu(predicted))
    return (error * mask).sum() / mask.sum()
