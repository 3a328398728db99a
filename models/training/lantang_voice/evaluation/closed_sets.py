"""Single letters and single words: is each still nearest to the teacher's reading of the same one?

A recogniser needs a sentence to understand a letter, so it is no judge of one. Here every item is compared with the
teacher's readings of all items, along the best warping path, and counts as understood where the same item is the
nearest. The teacher itself is right by definition: what is found is how much of its distinctions the pupil keeps.
"""

from dataclasses import dataclass

import librosa
import numpy as np

from ..cepstra import timbre
from ..teacher.kokoro import trim_silence
from .defects import find_defects
from .readers import Reader

_LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ENGLISH_WORDS = (
    "Yes", "No", "Hello", "Stop", "Please", "Tomorrow", "Water", "Thanks", "Seven", "Judge", "Measure", "Thought",
    "Breathe", "Strength", "Vague", "Church", "Yellow", "Hurry", "Garage", "Button", "Sixths", "Little", "Queue", "Oil",
)  # fmt: skip
_INDONESIAN_WORDS = (
    "Ya", "Tidak", "Halo", "Berhenti", "Tolong", "Besok", "Air", "Terima", "Tujuh", "Khusus", "Nyamuk", "Syarat",
    "Ngantuk", "Cepat", "Jujur", "Rumah", "Kuning", "Pulau", "Sungai", "Amboi", "Vaksin", "Zaman", "Masalah", "Enam",
)  # fmt: skip
CLOSED_SETS = {
    "en": {"letters": _LETTERS, "words": _ENGLISH_WORDS},
    "id": {"letters": _LETTERS, "words": _INDONESIAN_WORDS},
}


@dataclass(frozen=True)
class ClosedSet:
    """How one set of single items was spoken."""

    items: int
    understood: int
    """Items that are nearest to the teacher's same item."""
    mistaken: list[str]
    """The others, with what they are nearest to: "B for D"."""
    clicks: int
    loudest_edge: float
    """Decibels of the loudest first or last 5 ms, relative to the item's peak: a voice that begins or ends at once
    is heard as a click."""


def hear_closed_set(pupil: Reader, teacher: Reader, items: tuple[str, ...]) -> ClosedSet:
    """Both read every item, as a sentence of its own."""
    spoken = [pupil.speak(f"{item}.") for item in items]
    ours = [timbre(trim_silence(samples)) for samples in spoken]
    theirs = [timbre(trim_silence(teacher.speak(f"{item}."))) for item in items]
    nearest = [int(np.argmin([_distance(own, other) for other in theirs])) for own in ours]
    mistaken = [
        f"{items[found]} for {item}" for (i, item), found in zip(enumerate(items), nearest, strict=True) if found != i
    ]
    return ClosedSet(
        items=len(items),
        understood=len(items) - len(mistaken),
        mistaken=mistaken,
        clicks=sum(find_defects(samples, pupil.rate).clicks for samples in spoken),
        loudest_edge=max(edge_level(samples, pupil.rate) for samples in spoken),
    )


def edge_level(samples: np.ndarray, rate: int) -> float:
    """Decibels of the louder of the first and last 5 ms of float samples [n], relative to the peak."""
    edge = rate // 200
    loudest = max(np.abs(samples[:edge]).max(), np.abs(samples[-edge:]).max())
    return float(20 * np.log10(max(loudest, 1e-6) / np.abs(samples).max()))


def _distance(one: np.ndarray, other: np.ndarray) -> float:
    """Mean distance along the best warping path."""
    cost, path = librosa.sequence.dtw(one.T, other.T)
    return float(cost[-1, -1] / len(path))
