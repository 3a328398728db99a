"""How natural (DistillMOS) and how intelligible (word error rate) speech is, by two networks."""

import math
from dataclasses import dataclass

import librosa
import numpy as np
import torch

from .prose import is_prose
from .recogniser import RATE, Recogniser, plain_words, word_errors


@dataclass(frozen=True)
class Impression:
    """What the listeners thought of one utterance."""

    text: str
    heard: str | None
    """None where the text is no prose: a recogniser's errors would say nothing of the speech."""
    mos: float
    errors: int
    words: int


class Listener:
    """DistillMOS (1 to 5, an estimate of listeners' opinion) and whisper-base, both on one thread."""

    def __init__(self, recogniser: Recogniser):
        from distillmos import ConvTransformerSQAModel

        self._quality = ConvTransformerSQAModel().eval()
        self._recogniser = recogniser

    def hear(self, samples: np.ndarray, rate: int, text: str, language: str) -> Impression:
        """Judge float32 `samples` [n] that should say `text`."""
        heard_samples = librosa.resample(samples, orig_sr=rate, target_sr=RATE)
        with torch.no_grad():
            mos = self._quality(torch.from_numpy(heard_samples)[None]).item()
        if not is_prose(text, language):
            return Impression(text, None, mos, 0, 0)
        expected, heard = plain_words(text), self._recogniser.words(heard_samples, language)
        return Impression(text, " ".join(heard), mos, word_errors(expected, heard), len(expected))


def mean_mos(impressions: list[Impression]) -> float:
    """Mean DistillMOS."""
    return float(np.mean([impression.mos for impression in impressions]))


def word_error_rate(impressions: list[Impression]) -> float:
    """Errors per expected word, over all utterances of prose together; NaN where there are none."""
    words = sum(impression.words for impression in impressions)
    return sum(impression.errors for impression in impressions) / words if words else math.nan
