"""How close the pupil comes to the teacher on the same text."""

from dataclasses import dataclass

import librosa
import numpy as np

from ..cepstra import timbre
from ..pitch import CENTS, PitchTrack, track_pitch

_DECIBELS = 10 / np.log(10) * np.sqrt(2)
_FINAL_STEPS = 12
"""Of the warping path, where both have a pitch: an eighth of a second."""


@dataclass(frozen=True)
class Tracked:
    """Speech at 24 kHz and its pitch, which two measures want and which is slow to find."""

    samples: np.ndarray
    """float32 [n], silence at both ends cut."""
    pitch: PitchTrack | None

    @staticmethod
    def of(samples: np.ndarray) -> "Tracked":
        """Track `samples`."""
        return Tracked(samples, track_pitch(samples))


@dataclass(frozen=True)
class Closeness:
    """Distances of one utterance from the teacher's."""

    mel_cepstral_distance: float
    """Decibels, along the best warping path, the level (coefficient 0) left out."""
    f0_error: float
    """Median absolute error in cents along the path, where both are voiced; NaN where they never are."""
    final_pitch: float
    """Median cents by which it lies above the teacher's in the last eighth of a second in which both are voiced."""
    voicing_error: float
    """Share of the path where one is voiced and the other is not; NaN where one never is."""
    duration_error: float
    """Absolute difference of length, of the teacher's length."""


def compare(pupil: Tracked, teacher: Tracked) -> Closeness:
    """Compare both, silence cut alike."""
    ours, theirs = (timbre(each.samples) for each in (pupil, teacher))
    # The orthonormal cosine transform of 40 log powers: half of it, over sqrt(40 / 2), are magnitudes' cepstra.
    scale = 0.5 / np.sqrt(20)
    _, path = librosa.sequence.dtw(ours.T * scale, theirs.T * scale)
    distance = np.linalg.norm(ours[path[:, 0]] - theirs[path[:, 1]], axis=1).mean() * scale * _DECIBELS
    length, expected = len(pupil.samples), len(teacher.samples)
    return Closeness(
        float(distance), *_pitch_errors(pupil.pitch, teacher.pitch, path), abs(length - expected) / expected
    )


def _pitch_errors(ours: PitchTrack | None, theirs: PitchTrack | None, path: np.ndarray) -> tuple[float, float, float]:
    """`f0_error`, `final_pitch` and `voicing_error` of a `Closeness`, along a warping path from the end."""
    if ours is None or theirs is None:
        return float("nan"), float("nan"), float("nan")
    a, b = np.minimum(path[:, 0], len(ours.log_f0) - 1), np.minimum(path[:, 1], len(theirs.log_f0) - 1)
    differently = float(np.mean(ours.voiced[a] != theirs.voiced[b]))
    above = (ours.log_f0[a] - theirs.log_f0[b])[ours.voiced[a] & theirs.voiced[b]] * CENTS
    if not len(above):
        return float("nan"), float("nan"), differently
    return float(np.median(np.abs(above))), float(np.median(above[:_FINAL_STEPS])), differently
