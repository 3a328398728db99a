"""What punctuation sounds like: how a sentence's pitch ends, and how long its pauses are."""

from dataclasses import dataclass

import numpy as np

from .. import HOP, SAMPLE_RATE
from ..pitch import CENTS
from .comparison import Tracked

_FINAL_SECONDS, _BEFORE_SECONDS = 0.12, 0.35
_FRAME_RATE = SAMPLE_RATE / HOP
_QUIET = 10 ** (-40 / 20)
_SHORTEST_PAUSE = 0.06
_INNER_MARKS = ",;:"


@dataclass(frozen=True)
class Prosody:
    """Of one reader, over all sentences of a report."""

    rise_of_questions: float
    """Cents by which the pitch rises at the end of a question, the median; a fall is negative."""
    rising_questions: float
    """Share of questions that end higher."""
    rise_of_statements: float
    pauses: float
    """Silences of 60 ms and more inside sentences, for each comma, semicolon or colon."""
    pause: float
    """Seconds, their mean."""


def hear_prosody(speech: list[Tracked], texts: list[str]) -> Prosody:
    """Listen to each of `texts`."""
    questions, statements = (_final_rises(speech, texts, mark) for mark in "?.")
    marked = [(each, marks) for each, text in zip(speech, texts, strict=True) if (marks := _inner_marks(text))]
    pauses = [pause for each, _ in marked for pause in find_pauses(each.samples)]
    return Prosody(
        rise_of_questions=median(questions),
        rising_questions=_mean([rise > 0 for rise in questions]),
        rise_of_statements=median(statements),
        pauses=len(pauses) / max(1, sum(marks for _, marks in marked)),
        pause=_mean(pauses),
    )


def _final_rises(speech: list[Tracked], texts: list[str], mark: str) -> list[float]:
    """Of the texts that end with `mark`, where they have one."""
    ended = (final_rise(each) for each, text in zip(speech, texts, strict=True) if text.endswith(mark))
    return [rise for rise in ended if rise is not None]


def final_rise(speech: Tracked) -> float | None:
    """Cents from the median pitch before the last 0.12 s of clear voice to theirs; None where there is too little."""
    if speech.pitch is None:
        return None
    clear = speech.pitch.log_f0[speech.pitch.voiced]
    final, before = (int(seconds * _FRAME_RATE) for seconds in (_FINAL_SECONDS, _BEFORE_SECONDS))
    if len(clear) < final + before:
        return None
    end, earlier = clear[-final:], clear[-final - before : -final]
    return float(np.median(end) - np.median(earlier)) * CENTS


def find_pauses(samples: np.ndarray) -> list[float]:
    """Seconds of each stretch inside an utterance that stays 40 dB below its loudest frame."""
    level = _frame_levels(samples)
    quiet = level < _QUIET * level.max()
    loud = np.flatnonzero(~quiet)
    gaps = (np.diff(loud) - 1) / _FRAME_RATE
    return [float(gap) for gap in gaps if gap >= _SHORTEST_PAUSE]


def _frame_levels(samples: np.ndarray) -> np.ndarray:
    frames = samples[: len(samples) // HOP * HOP].reshape(-1, HOP)
    return np.sqrt(np.square(frames).mean(1))


def _inner_marks(text: str) -> int:
    return sum(text[:-1].count(mark) for mark in _INNER_MARKS)


def median(values: list[float]) -> float:
    """NaN where there are none."""
    return float(np.median(values)) if values else float("nan")


def _mean(values: list) -> float:
    return float(np.mean(values)) if values else float("nan")
