"""One step of training: what the pupil says to a batch, and how wrong that is."""

from contextlib import AbstractContextManager
from dataclasses import dataclass

import torch
from torch import Tensor

from .. import HOP
from ..voice.network import Voice, spread_over_frames
from .batches import MARGIN, Batch
from .losses import duration_error, pitch_error, spectral_energy_distance

PITCH_WEIGHT = 4.0
DURATION_WEIGHT = 1.0


@dataclass(frozen=True)
class Answer:
    """What the pupil made of a batch, and its errors."""

    speech: Tensor
    """float [B, crop x HOP], the first of two draws."""
    spectrum: Tensor
    plain: Tensor
    """Distance of one draw, without gradient: comparable between runs."""
    pitch: Tensor
    duration: Tensor

    @property
    def loss(self) -> Tensor:
        """The sum that is minimised."""
        return self.spectrum + PITCH_WEIGHT * self.pitch + DURATION_WEIGHT * self.duration

    def figures(self) -> dict[str, float]:
        """The errors as numbers, pitch in cents."""
        cents = 1200 / torch.log(torch.tensor(2.0))
        return {
            "spectrum": self.spectrum.item(),
            "plain": self.plain.item(),
            "cents": (self.pitch.detach().cpu() * cents).item(),
            "duration": self.duration.item(),
        }


def answer(voice: Voice, batch: Batch, precision: AbstractContextManager) -> Answer:
    """Speak a batch with the teacher's durations and pitch. Networks run within `precision`, synthesis in fp32."""
    with precision:
        text, log_durations = voice.text(batch.ids, batch.mask, batch.speaker)
        frames, inside = spread_over_frames(text.float(), batch.durations, batch.frames)
        pitch = voice.pitch(frames, inside, batch.speaker)
        pulse_cepstra, noise_cepstra = voice.decoder(frames, batch.log_f0, inside, batch.speaker)
    first, second = _speak(voice, batch, inside.float(), pulse_cepstra.float(), noise_cepstra.float())
    spectrum, plain = spectral_energy_distance(first, second, batch.samples)
    return Answer(
        speech=first,
        spectrum=spectrum,
        plain=plain,
        pitch=pitch_error(pitch.float(), batch.log_f0, batch.voiced * inside.float()),
        duration=duration_error(log_durations.float(), batch.durations, batch.mask[..., 0]),
    )


def _speak(voice: Voice, batch: Batch, inside: Tensor, pulse_cepstra: Tensor, noise_cepstra: Tensor) -> list[Tensor]:
    """Two draws of the crop, without its margins."""
    synthesiser = voice.synthesiser
    length = batch.log_f0.shape[1] * HOP
    noises = [torch.randn(len(batch.log_f0), length, device=batch.log_f0.device) for _ in range(2)]
    drawn = synthesiser.render(pulse_cepstra, noise_cepstra, synthesiser.pulses(batch.log_f0), *noises)
    audible = inside.repeat_interleave(HOP, 1)
    return [(speech * audible)[:, MARGIN * HOP : -MARGIN * HOP] for speech in drawn]
