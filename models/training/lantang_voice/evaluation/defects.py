"""Faults that need no reference: clicks, clipping, a constant offset."""

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter1d

_CLIP_LEVEL = 0.999
_CLIP_RUN = 3
_CLICK_SECONDS = 0.0005
_NEIGHBOURHOOD_SECONDS = 0.015
_CLICK_RATIO = 4.0
_CLICK_LEVEL = 0.02


@dataclass(frozen=True)
class Defects:
    """Counts and levels of one utterance."""

    clicks: int
    clipped: int
    """Runs of three samples and more at full scale."""
    offset: float
    """Mean of the samples, of full scale."""
    peak: float


def find_defects(samples: np.ndarray, rate: int) -> Defects:
    """Look for faults in float samples [n] in -1..1."""
    return Defects(
        clicks=len(click_places(samples, rate)),
        clipped=_long_runs(np.abs(samples) >= _CLIP_LEVEL),
        offset=float(np.mean(samples)),
        peak=float(np.max(np.abs(samples), initial=0.0)),
    )


def click_places(samples: np.ndarray, rate: int) -> np.ndarray:
    """Samples whose curvature is far above all others nearby, one for each click.

    The pulses of a voice are sharp as well, but each has others like it less than 15 ms away. A lone glottal
    stop may still count, in human speech too: compare counts with the teacher's.
    """
    curvature = np.abs(np.diff(samples.astype(np.float64), 2))
    near, far = int(_CLICK_SECONDS * rate), int(_NEIGHBOURHOOD_SECONDS * rate)
    # The largest value of far - near samples, shifted so that they end near samples before, or begin near after.
    span, shift = far - near, (far + near) // 2
    padded = np.pad(maximum_filter1d(curvature, span), shift)
    around = np.maximum(padded[: len(curvature)], padded[2 * shift :])
    places = np.flatnonzero((curvature > _CLICK_LEVEL) & (curvature > _CLICK_RATIO * around)) + 1
    return places[np.diff(places, prepend=-far) >= near]


def _long_runs(flags: np.ndarray) -> int:
    edges = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    return int(np.sum(edges[1::2] - edges[::2] >= _CLIP_RUN))
