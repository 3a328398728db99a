"""What a voice must keep when it is hurried, slowed down, or put into a batch, and how fast it is."""

import time
from dataclasses import dataclass

import numpy as np

from .. import HOP
from ..cepstra import timbre
from ..pitch import CENTS, track_pitch
from .defects import find_defects
from .readers import VoiceReader

LENGTH_SCALES = (0.5, 0.7, 1.0, 1.4, 2.0)


@dataclass(frozen=True)
class Stretched:
    """A sentence at one length scale, against the same sentence at 1."""

    length_scale: float
    length: float
    """Length over the length at 1."""
    f0_shift: float
    """Cents between the medians."""
    formant_shift: float
    """Distance of the mean mel cepstra, in the unit of their own spread over time."""
    clicks: int


def sweep_length_scale(reader: VoiceReader, text: str) -> list[Stretched]:
    """Read `text` at each of LENGTH_SCALES."""
    plain = reader.speak(text)
    return [_against(plain, reader.speak(text, scale), scale, reader.rate) for scale in LENGTH_SCALES]


def _against(plain: np.ndarray, stretched: np.ndarray, scale: float, rate: int) -> Stretched:
    before, after = timbre(plain), timbre(stretched)
    shift = np.abs(before.mean(0) - after.mean(0)) / before.std(0)
    return Stretched(
        length_scale=scale,
        length=len(stretched) / len(plain),
        f0_shift=_median_cents(stretched) - _median_cents(plain),
        formant_shift=float(shift.mean()),
        clicks=find_defects(stretched, rate).clicks,
    )


def _median_cents(samples: np.ndarray) -> float:
    track = track_pitch(samples)
    return float("nan") if track is None else float(np.median(track.log_f0[track.voiced])) * CENTS


def batch_difference(reader: VoiceReader, texts: list[str]) -> float:
    """Largest difference of a sample in a batch of `texts` from the same text alone; 0 is expected."""
    speech, durations = reader.speak_batch(texts)
    worst = 0.0
    for row, text in enumerate(texts):
        alone = reader.speak_batch([text])[0][0, 0, 0]
        together = speech[row, 0, 0, : int(durations[row].sum()) * HOP]
        if together.shape != alone.shape:
            return float("inf")
        worst = max(worst, float(np.abs(together - alone).max()))
    return worst


def speed(reader: VoiceReader, texts: list[str], rounds: int = 5) -> float:
    """Seconds of speech per second of one core, best of `rounds` over `texts`, phonemes included."""
    fastest = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        samples = sum(len(reader.speak(text)) for text in texts)
        fastest = min(fastest, (time.perf_counter() - started) / (samples / reader.rate))
    return 1 / fastest
