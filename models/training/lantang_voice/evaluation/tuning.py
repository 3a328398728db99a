"""Which export settings suit a checkpoint: DistillMOS of the last lines of the corpus, which the teacher never reads.

The held-out sentences of the report are not touched, so that its figures stay fair.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import librosa
import numpy as np
import torch

from .. import SAMPLE_RATE
from ..phonemes import ids
from ..speakers import Speaker
from ..voice.checkpoint import Checkpoint, of_known
from ..voice.graph import Settings, VoiceGraph
from ..workspace import Workspace, read_json_lines
from .recogniser import RATE

_PHONEMES = range(25, 130)


@dataclass(frozen=True)
class Tuned:
    """How one choice of settings is heard."""

    settings: Settings
    mos: float
    gain: float
    """Mean difference to the first choice, line by line."""
    gain_error: float
    """Standard error of that mean."""


def tune(
    workspace: Workspace, checkpoint: Checkpoint, speaker: Speaker, choices: list[Settings], sentences: int
) -> Iterator[Tuned]:
    """Let `checkpoint` read the same `sentences` lines with each of `choices`."""
    from distillmos import ConvTransformerSQAModel

    quality = ConvTransformerSQAModel().eval()
    single = of_known(checkpoint, [speaker.name])
    lines = _unread_lines(workspace, speaker, sentences)
    first = None
    for settings in choices:
        graph = VoiceGraph(single.voice(), settings, single.median_log_f0).eval()
        heard = np.array([_hear(quality, _speak(graph, line)) for line in lines])
        first = heard if first is None else first
        gains = heard - first
        yield Tuned(settings, heard.mean(), gains.mean(), gains.std() / np.sqrt(len(gains)))


def combinations(**values: list[float]) -> list[Settings]:
    """Settings with every combination of the values given for each of their fields."""
    return [Settings(**dict(zip(values, chosen, strict=True))) for chosen in itertools.product(*values.values())]


def _unread_lines(workspace: Workspace, speaker: Speaker, count: int) -> list[list[int]]:
    """Ids of the last lines of middle length."""
    lines = list(read_json_lines(workspace.corpus(speaker.name)))
    chosen = [line["phonemes"] for line in reversed(lines) if len(line["phonemes"]) in _PHONEMES]
    return [ids(phonemes) for phonemes in chosen[:count]]


def _speak(graph: VoiceGraph, line: list[int]) -> np.ndarray:
    with torch.no_grad():
        speech, _ = graph(torch.tensor([line]), torch.tensor([len(line)]), torch.tensor([0.0, 1.0, 0.0]))
    return speech.ravel().numpy()


def _hear(quality: torch.nn.Module, samples: np.ndarray) -> float:
    with torch.no_grad():
        heard = librosa.resample(samples, orig_sr=SAMPLE_RATE, target_sr=RATE)
        return quality(torch.from_numpy(heard)[None]).item()
