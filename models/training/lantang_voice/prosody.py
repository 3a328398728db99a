"""Durations and pitch of lines that the teacher does not read aloud: thirty times as much text for the same time."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import minimum_filter1d

from . import HOP, SAMPLE_RATE
from .dataset import Utterance, write_pieces
from .durations import pupil_durations
from .phonemes import is_known
from .pitch import LOWEST_HERTZ, PitchTrack, bridged
from .speakers import Speaker
from .teacher.kokoro import read_style
from .teacher.prosody import PITCH_SAMPLES, KokoroProsody, Prosody
from .teacher.speech import indexed
from .workspace import Workspace, read_json_lines

_VOICED = 0.65
"""Share of an utterance's median pitch, below which the teacher means no voice: it slides down to nothing."""
_BORDER = 2
"""Values beside such a place that are on their way there."""
_PITCH_LEAD = round(0.007 * SAMPLE_RATE)
"""By how much the pitch that is heard goes before the one that the teacher decided on, in the median."""
_REPORT_EVERY = 1_000


@dataclass(frozen=True)
class _Edges:
    """The usual silence of utterances whose silence was cut, in samples."""

    before: int
    after: int


def extract_prosody(workspace: Workspace, speaker: Speaker, lines: int) -> None:
    """Write pieces without speech of up to `lines` lines of `speaker`'s corpus, those aside that are read aloud.

    Raises FileNotFoundError where nothing has been read aloud yet, as the silence at both ends is learned from that.
    """
    spoken = indexed(workspace.speech(speaker.name))
    if not spoken:
        raise FileNotFoundError(f"{workspace.speech(speaker.name)} holds no speech: run the step `speech` first")
    fit = (line for line in read_json_lines(workspace.corpus(speaker.name)) if line["key"] not in spoken)
    utterances = _utterances(workspace, speaker, itertools.islice(fit, lines), _usual_edges(list(spoken.values())))
    write_pieces(workspace.prosody(speaker.name), utterances)


def _utterances(workspace: Workspace, speaker: Speaker, lines: Iterator[dict], edges: _Edges) -> Iterator[Utterance]:
    teacher, style = KokoroProsody(workspace.teacher), read_style(workspace.teacher, speaker.teacher)
    for count, line in enumerate(lines, 1):
        if count % _REPORT_EVERY == 0:
            print(f"{speaker.name}: prosody of {count} lines", flush=True)
        if is_known(line["phonemes"]):
            prosody = teacher.read(line["teacher_phonemes"], style)
            utterance = _utterance(line, prosody, edges)
            if utterance is not None:
                yield utterance


def _usual_edges(entries: list[dict]) -> _Edges:
    return _Edges(
        before=int(np.median([entry["ends"][0] for entry in entries])),
        after=int(np.median([entry["samples"] - entry["ends"][-2] for entry in entries])),
    )


def _utterance(line: dict, prosody: Prosody, edges: _Edges) -> Utterance | None:
    """None for a line that is never voiced."""
    start = int(prosody.ends[0]) - edges.before
    samples = (int(prosody.ends[-2]) - start + edges.after) // HOP * HOP
    track = _track(prosody, start, samples // HOP)
    if track is None:
        return None
    return Utterance(
        key=line["key"],
        spoken=line["phonemes"],
        durations=pupil_durations(line["phonemes"], line["origins"], prosody.ends - start, samples),
        log_f0=track.log_f0,
        voiced=track.voiced,
        samples=np.zeros(0, np.int16),
    )


def _track(prosody: Prosody, start: int, frames: int) -> PitchTrack | None:
    """The teacher's pitch at the centres of frames, the first of which begins `start` samples into its speech."""
    centres = (np.arange(frames) + 0.5) * HOP + start + _PITCH_LEAD
    places = np.clip((centres / PITCH_SAMPLES).astype(int), 0, len(prosody.f0) - 1)
    return bridged(prosody.f0[places], _is_voiced(prosody.f0)[places], np.arange(frames))


def _is_voiced(f0: np.ndarray) -> np.ndarray:
    """Where values of `Prosody.f0` are a pitch that is heard. Those that slide to nothing taught a pupil to fall by
    half an octave wherever a voice ends."""
    if not (f0 > LOWEST_HERTZ).any():
        return np.zeros(len(f0), bool)
    high = f0 > _VOICED * np.median(f0[f0 > LOWEST_HERTZ])
    return minimum_filter1d(high, 2 * _BORDER + 1)
