"""How long each of the pupil's symbols lasts: what the teacher's own durations say of it.

The teacher decides how many 40ths of a second it gives to each of its symbols before it speaks, and so its speech
needs no aligner. (A hidden Markov model of the speech, which stood here before, was 8 ms off at the median border of
two phonemes and 25 ms at one in ten, beyond what is systematic for the two: the pupil heard as chance what was not.)
"""

import numpy as np

from . import HOP, SAMPLE_RATE

_LEAD = round(0.038 * SAMPLE_RATE)
"""By how much what is heard of a symbol goes before the teacher's own border, in the median."""
_TAIL = round(0.07 * SAMPLE_RATE)
"""Silence that is left at the end of what was read, by which `$` lasts at the least: the teacher gives it to the last
phoneme, and a pupil that does so too cuts a phoneme off whenever it thinks it short."""
_UNSPOKEN = frozenset("ː\u0329\u0303")


def pupil_durations(spoken: str, origins: list[int], ends: list[int], samples: int) -> np.ndarray:
    """float32 [symbols + 2] frames of `^`, each symbol of `spoken` and `$`, in speech of `samples` samples.

    origins: for each of the teacher's symbols the first of the pupil's that it stands for; ends: `Reading.ends`. What
    several of the pupil's symbols have together, as the parts of a diphthong, they share equally, but for marks.
    """
    borders = np.clip(np.array(ends) - _LEAD, 0, samples - _TAIL)
    borders[-1] = samples
    lengths = np.diff(borders, prepend=0) / HOP
    durations = np.zeros(len(spoken) + 2, np.float32)
    durations[0], durations[-1] = lengths[0], lengths[-1]
    beginnings = sorted(set(origins))
    for first, end in zip(beginnings, [*beginnings[1:], len(spoken)], strict=True):
        together = sum(length for length, origin in zip(lengths[1:-1], origins, strict=True) if origin == first)
        sharers = [place for place in range(first, end) if place == first or spoken[place] not in _UNSPOKEN]
        durations[1 + np.array(sharers)] = together / len(sharers)
    return durations
