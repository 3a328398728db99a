"""How close the pupil comes to the teacher on the same text."""

from dataclasses import dataclass

import librosa
import numpy as np

from ..cepstra import mel_cepstra
from ..pitch import track_pitch

_CEPSTRA = 25
_DECIBELS = 10 / np.log(10) * np.sqrt(2)


@dataclass(frozen=True)
class Closeness:
    """Distances of one utterance from the teacher's."""

    mel_cepstral_distance: float
    """Decibels, along the best warping path, the level (coefficient 0) left out."""
    f0_error: float
    """Median absolute error in cents along the path, where both are voiced; NaN where they never are."""
    duration_error: float
    """Absolute difference of length, of the teacher's length."""


def compare(pupil: np.ndarray, teacher: np.ndarray) -> Closeness:
    """Compare float32 samples [n] of both at 24 kHz, silence at both ends cut alike."""
    ours, theirs = mel_cepstra(pupil, _CEPSTRA)[:, 1:], mel_cepstra(teacher, _CEPSTRA)[:, 1:]
    # The orthonormal cosine transform of 40 log powers: half of it, over sqrt(40 / 2), are magnitudes' cepstra.
    scale = 0.5 / np.sqrt(20)
    _, path = librosa.sequence.dtw(ours.T * scale, theirs.T * scale)
    distance = np.linalg.norm(ours[path[:, 0]] - theirs[path[:, 1]], axis=1).mean() * scale * _DECIBELS
    return Closeness(float(distance), _f0_error(pupil, teacher, path), abs(len(pupil) - len(teacher)) / len(teacher))


def _f0_error(pupil: np.ndarray, teacher: np.ndarray, path: np.ndarray) -> float:
    ours, theirs = track_pitch(pupil), track_pitch(teacher)
    if ours is None or theirs is None:
        return float("nan")
    a, b = np.minimum(path[:, 0], len(ours.log_f0) - 1), np.minimum(path[:, 1], len(theirs.log_f0) - 1)
    both = ours.voiced[a] & theirs.voiced[b]
    if not both.any():
        return float("nan")
    return float(np.median(np.abs(ours.log_f0[a] - theirs.log_f0[b])[both]) * 1200 / np.log(2))
