"""From the teacher's speech to aligned utterances."""

from collections.abc import Iterator

import numpy as np
import soundfile

from . import HOP
from .alignment import align
from .cepstra import mel_cepstra, with_slopes
from .dataset import Utterance, write_pieces
from .phonemes import symbol_ids
from .pitch import PitchTrack, read_pitch, track_folder
from .speakers import Speaker
from .teacher.speech import indexed
from .workspace import Workspace

_WORST_SHARE = 0.08
_CEPSTRA = 16


def extract_features(workspace: Workspace, speaker: Speaker, processes: int) -> None:
    """Track pitch, align, and write the training pieces of all speech that `speaker`'s teacher has read so far.

    The 8 % of utterances that align worst are left out, and so are those with symbols that have no id.
    """
    folder = workspace.speech(speaker.name)
    entries = [entry for entry in indexed(folder).values() if _has_known_symbols(entry["phonemes"])]
    track_folder(folder, [entry["key"] for entry in entries], processes)
    speech = [(entry, track) for entry in entries if (track := read_pitch(folder, entry["key"])) is not None]
    spoken = [entry["phonemes"] for entry, _ in speech]
    observations = [_observations(folder, entry["key"]) for entry, _ in speech]
    alignments = align(spoken, observations, lambda number, mean: print(f"pass {number}: {mean:.3f}", flush=True))
    threshold = np.quantile([alignment.likelihood for alignment in alignments], _WORST_SHARE)
    kept = [(*pair, alignment) for pair, alignment in zip(speech, alignments, strict=True)]
    kept = [item for item in kept if item[2].likelihood >= threshold]
    write_pieces(workspace.features(speaker.name), _utterances(folder, kept))


def _has_known_symbols(spoken: str) -> bool:
    return all(symbol in symbol_ids() for symbol in spoken)


def _samples(folder, key: str) -> np.ndarray:
    samples, _ = soundfile.read(folder / f"{key}.flac", dtype="int16")
    return samples[: len(samples) // HOP * HOP]


def _observations(folder, key: str) -> np.ndarray:
    return with_slopes(mel_cepstra(_samples(folder, key).astype(np.float32) / 32768, _CEPSTRA))


def _utterances(folder, kept) -> Iterator[Utterance]:
    for entry, track, alignment in kept:
        yield _utterance(_samples(folder, entry["key"]), entry, track, alignment)


def _utterance(samples: np.ndarray, entry: dict, track: PitchTrack, alignment) -> Utterance:
    return Utterance(
        key=entry["key"],
        spoken=entry["phonemes"],
        durations=alignment.durations,
        log_f0=track.log_f0,
        voiced=track.voiced,
        samples=samples,
        likelihood=alignment.likelihood,
    )
