"""From the teacher's speech to aligned utterances."""

from collections.abc import Iterator
from pathlib import Path

import soundfile

from . import HOP
from .dataset import Utterance, write_pieces
from .durations import pupil_durations
from .phonemes import is_known
from .pitch import read_pitch, track_folder
from .speakers import Speaker
from .teacher.speech import indexed
from .workspace import Workspace


def extract_features(workspace: Workspace, speaker: Speaker, processes: int) -> None:
    """Track pitch and write the training pieces of all speech that `speaker`'s teacher has read so far.

    Utterances that are hardly ever voiced are left out, and so are those with symbols that have no id.
    """
    folder = workspace.speech(speaker.name)
    entries = {key: entry for key, entry in indexed(folder).items() if is_known(entry["phonemes"])}
    track_folder(folder, list(entries), processes)
    write_pieces(workspace.features(speaker.name), _utterances(folder, entries))


def _utterances(folder: Path, entries: dict[str, dict]) -> Iterator[Utterance]:
    for key, entry in entries.items():
        track = read_pitch(folder, key)
        if track is None:
            continue
        samples, _ = soundfile.read(folder / f"{key}.flac", dtype="int16")
        samples = samples[: len(samples) // HOP * HOP]
        yield Utterance(
            key=key,
            spoken=entry["phonemes"],
            durations=pupil_durations(entry["phonemes"], entry["origins"], entry["ends"], len(samples)),
            log_f0=track.log_f0,
            voiced=track.voiced,
            samples=samples,
        )
