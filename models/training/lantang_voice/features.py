"""From the teacher's speech to aligned utterances."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from . import HOP
from .alignment import Alignment, align
from .cepstra import mel_cepstra, with_slopes
from .dataset import Utterance, write_pieces
from .phonemes import symbol_ids
from .pitch import PitchTrack, read_pitch, track_folder
from .speakers import Speaker
from .teacher.speech import indexed
from .workspace import Workspace

_WORST_SHARE = 0.08
_CEPSTRA = 16


@dataclass(frozen=True)
class _Reading:
    """One utterance of the teacher, before it is aligned."""

    folder: Path
    key: str
    spoken: str
    track: PitchTrack

    def samples(self) -> np.ndarray:
        """int16 samples of whole frames."""
        samples, _ = soundfile.read(self.folder / f"{self.key}.flac", dtype="int16")
        return samples[: len(samples) // HOP * HOP]

    def observations(self) -> np.ndarray:
        """What the aligner looks at."""
        return with_slopes(mel_cepstra(self.samples().astype(np.float32) / 32768, _CEPSTRA))

    def aligned(self, alignment: Alignment) -> Utterance:
        """The utterance as training reads it."""
        return Utterance(
            key=self.key,
            spoken=self.spoken,
            durations=alignment.durations,
            log_f0=self.track.log_f0,
            voiced=self.track.voiced,
            samples=self.samples(),
            likelihood=alignment.likelihood,
        )


def extract_features(workspace: Workspace, speaker: Speaker, processes: int) -> None:
    """Track pitch, align, and write the training pieces of all speech that `speaker`'s teacher has read so far.

    The 8 % of utterances that align worst are left out, and so are those with symbols that have no id.
    """
    readings = _readings(workspace.speech(speaker.name), processes)
    alignments = align(
        [reading.spoken for reading in readings],
        [reading.observations() for reading in readings],
        lambda number, mean: print(f"{speaker.name}: pass {number}, log likelihood {mean:.3f}", flush=True),
    )
    threshold = np.quantile([alignment.likelihood for alignment in alignments], _WORST_SHARE)
    pairs = zip(readings, alignments, strict=True)
    kept = (reading.aligned(found) for reading, found in pairs if found.likelihood >= threshold)
    write_pieces(workspace.features(speaker.name), kept)


def _readings(folder: Path, processes: int) -> list[_Reading]:
    known = symbol_ids().keys()
    spoken = {key: entry["phonemes"] for key, entry in indexed(folder).items() if known >= set(entry["phonemes"])}
    track_folder(folder, list(spoken), processes)
    tracks = ((key, read_pitch(folder, key)) for key in spoken)
    return [_Reading(folder, key, spoken[key], track) for key, track in tracks if track is not None]
