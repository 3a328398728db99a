"""One step of training: what the pupil says to a batch, and how wrong that is."""

from contextlib import AbstractContextManager
from dataclasses import dataclass

import torch
from torch import Tensor

from .. import HOP
from ..pitch import CENTS
from ..voice.graph import Settings
from ..voice.network import Voice, spread_over_frames
from .batches import MARGIN, Batch
from .losses import duration_error, pitch_error, spectral_energy_distance

PITCH_WEIGHT = 4.0
DURATION_WEIGHT = 1.0


@dataclass(frozen=True)
class Manner:
    """How the pupil's speech is measured."""

    low_repulsion: float = 1.0
    """See `spectral_energy_distance`."""
    exported: Settings = Settings()
    """Settings of the export with which judges hear the speech; the distances are those without."""


@dataclass(frozen=True)
class ProsodyErrors:
    """How wrong rhythm and pitch are."""

    pitch: Tensor
    duration: Tensor

    @property
    def loss(self) -> Tensor:
        """The sum that is minimised."""
        return PITCH_WEIGHT * self.pitch + DURATION_WEIGHT * self.duration

    def figures(self) -> dict[str, float]:
        """The errors as numbers, pitch in cents."""
        return {"cents": self.pitch.item() * CENTS, "duration": self.duration.item()}


@dataclass(frozen=True)
class Answer:
    """What the pupil made of a batch, and its errors."""

    speech: Tensor
    """float [B, crop x HOP], the first of two draws, of which the distance is measured."""
    judged: Tensor
    """float [B, crop x HOP], the same draw as it is exported; no error of this class has a gradient there."""
    spectrum: Tensor
    plain: Tensor
    """Distance of one draw, without gradient: comparable between runs."""
    prosody: ProsodyErrors

    @property
    def loss(self) -> Tensor:
        """The sum that is minimised."""
        return self.spectrum + self.prosody.loss

    def figures(self) -> dict[str, float]:
        """The errors as numbers."""
        return {"spectrum": self.spectrum.item(), "plain": self.plain.item(), **self.prosody.figures()}


def answer(voice: Voice, batch: Batch, precision: AbstractContextManager, manner: Manner = Manner()) -> Answer:
    """Speak a batch with the teacher's durations and pitch. Networks run within `precision`, synthesis in fp32."""
    with precision:
        frames, inside, prosody = _read(voice, batch)
        pulse_cepstra, noise_cepstra = voice.decoder(frames, batch.log_f0, inside, batch.speaker)
    cepstra = pulse_cepstra.float(), noise_cepstra.float()
    first, second, judged = _speak(voice, batch, inside.float(), *cepstra, manner.exported)
    spectrum, plain = spectral_energy_distance(first, second, batch.samples, manner.low_repulsion)
    return Answer(speech=first, judged=judged, spectrum=spectrum, plain=plain, prosody=prosody)


def prosody_errors(voice: Voice, batch: Batch, precision: AbstractContextManager) -> ProsodyErrors:
    """The errors of rhythm and pitch alone, of a batch that may be without speech."""
    with precision:
        return _read(voice, batch)[2]


def _read(voice: Voice, batch: Batch) -> tuple[Tensor, Tensor, ProsodyErrors]:
    """Features of the frames, which of these are inside the utterances, and how wrong what the text gave is."""
    text, log_durations = voice.text(batch.ids, batch.mask, batch.speaker)
    frames, inside = spread_over_frames(text.float(), batch.durations, batch.frames)
    pitch = voice.pitch(frames, inside, batch.speaker)
    errors = ProsodyErrors(
        pitch=pitch_error(pitch.float(), batch.log_f0, batch.voiced * inside.float()),
        duration=duration_error(log_durations.float(), batch.durations, batch.mask[..., 0]),
    )
    return frames, inside, errors


def _speak(
    voice: Voice, batch: Batch, inside: Tensor, pulse_cepstra: Tensor, noise_cepstra: Tensor, exported: Settings
) -> list[Tensor]:
    """Two draws of the crop and the first of them as exported, without their margins."""
    synthesiser = voice.synthesiser
    length = batch.log_f0.shape[1] * HOP
    noises = [torch.randn(len(batch.log_f0), length, device=batch.log_f0.device) for _ in range(2)]
    pulses = synthesiser.pulses(batch.log_f0)
    drawn = synthesiser.render(pulse_cepstra, noise_cepstra, pulses, *noises)
    if exported == Settings():
        drawn.append(drawn[0].clone())
    else:
        device = pulses.device
        sharpened = pulse_cepstra * exported.contrast(pulse_cepstra.shape[-1]).to(device)
        drawn += synthesiser.render(
            sharpened, noise_cepstra, pulses, noises[0], noise_gain=exported.noise_level().to(device)
        )
    audible = inside.repeat_interleave(HOP, 1)
    return [(speech * audible)[:, MARGIN * HOP : -MARGIN * HOP] for speech in drawn]
