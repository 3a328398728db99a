"""All figures of a voice, beside its peers, into one folder: figures.json, the same as Markdown for a card in
figures.md, pictures, and a page of samples."""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import soundfile

from .. import SAMPLE_RATE
from ..teacher.kokoro import trim_silence
from .closed_sets import CLOSED_SETS, hear_closed_set
from .comparison import Tracked, compare
from .defects import find_defects
from .listening import Impression, Listener, mean_mos, word_error_rate
from .page import write_page
from .pictures import draw_spectrogram
from .prose import is_prose
from .prosody import hear_prosody, median
from .readers import Reader, VoiceReader
from .robustness import LENGTH_SCALES, batch_difference, speed, sweep_length_scale
from .summary import summary

_SHORTEST_HEARD = 0.5  # seconds; DistillMOS has no opinion of less
_PICTURES = 6
_HURRIED = 20


@dataclass(frozen=True)
class Evaluation:
    """What to evaluate, by whom, on what."""

    voice: VoiceReader
    peers: list[Reader]
    """Readers to compare with; the first is the teacher."""
    language: str
    sentences: list[str]
    folder: Path


def evaluate(evaluation: Evaluation, listener: Listener) -> dict:
    """Run everything, write the folder, and return the figures. Raises ValueError where two readers share a name."""
    voice, teacher = evaluation.voice, evaluation.peers[0]
    readers = (voice, *evaluation.peers)
    names = [reader.name for reader in readers]
    if len(set(names)) < len(names):
        raise ValueError(
            f"readers need names of their own, but these are {', '.join(names)}: copy a voice under another"
        )
    speech = {reader.name: _read_all(reader, evaluation) for reader in readers}
    tracked = {
        reader.name: [Tracked.of(trim_silence(samples)) for samples in speech[reader.name]]
        for reader in (voice, teacher)
    }
    figures = {
        "listeners": {reader.name: _listen(listener, reader, speech[reader.name], evaluation) for reader in readers},
        "against the teacher": against_teacher(tracked[voice.name], tracked[teacher.name], evaluation.sentences),
        "prosody": {name: asdict(hear_prosody(heard, evaluation.sentences)) for name, heard in tracked.items()},
        "said alone": {
            name: asdict(hear_closed_set(voice, teacher, items))
            for name, items in CLOSED_SETS[evaluation.language].items()
        },
        "defects": {reader.name: _defects(speech[reader.name], reader.rate) for reader in readers},
        "length scales": _length_scales(evaluation),
        "word error rate at length scales": hurried_word_errors(evaluation, listener),
        "largest difference in a batch": batch_difference(voice, evaluation.sentences[:8]),
        "real time on one core": speed(voice, evaluation.sentences[:10]),
    }
    (evaluation.folder / "figures.json").write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (evaluation.folder / "figures.md").write_text(summary(figures), "utf-8")
    _draw(evaluation)
    write_page(evaluation.folder, evaluation.sentences, list(speech), figures)
    return figures


def _read_all(reader: Reader, evaluation: Evaluation) -> list[np.ndarray]:
    """Each sentence as FOLDER/READER/NNN.flac. What an earlier report of the same sentences left
    is kept, but for the voice's own."""
    folder = evaluation.folder / reader.name
    folder.mkdir(parents=True, exist_ok=True)
    sentences = folder / "sentences.json"
    asked = json.dumps(evaluation.sentences, indent=1, ensure_ascii=False) + "\n"
    if not (sentences.exists() and sentences.read_text("utf-8") == asked):
        for stale in folder.glob("*.flac"):
            stale.unlink()
        sentences.write_text(asked, "utf-8")
    speech = []
    for number, text in enumerate(evaluation.sentences):
        path = folder / f"{number:03d}.flac"
        if reader is evaluation.voice or not path.exists():
            soundfile.write(path, reader.speak(text).clip(-1, 1), reader.rate)
        speech.append(soundfile.read(path, dtype="float32")[0])
    return speech


def _listen(listener: Listener, reader: Reader, speech: list[np.ndarray], evaluation: Evaluation) -> dict:
    long_enough = _long_enough(list(zip(speech, evaluation.sentences, strict=True)), reader.rate)
    path = evaluation.folder / f"{reader.name}.json"
    heard = [] if reader is evaluation.voice else _read_impressions(path)
    if [impression.text for impression in heard] != [text for _, text in long_enough]:
        heard = [listener.hear(samples, reader.rate, text, evaluation.language) for samples, text in long_enough]
        _write_impressions(path, heard)
    prose = [impression for impression in heard if is_prose(impression.text, evaluation.language)]
    return {
        "DistillMOS": mean_mos(heard),
        "DistillMOS of prose": mean_mos(prose),
        "word error rate of prose": word_error_rate(prose),
        "sentences": len(heard),
        "prose": len(prose),
    }


def _read_impressions(path: Path) -> list[Impression]:
    """What an earlier report left; nothing where there is none."""
    return [Impression(**one) for one in json.loads(path.read_text("utf-8"))] if path.exists() else []


def _write_impressions(path: Path, heard: list[Impression]) -> None:
    path.write_text(json.dumps([asdict(one) for one in heard], indent=1, ensure_ascii=False) + "\n", "utf-8")


def against_teacher(ours: list[Tracked], theirs: list[Tracked], texts: list[str]) -> dict[str, float]:
    """Means of `Closeness` over `texts`, but for the final pitch: medians, of questions and of statements."""
    found = [
        (text, asdict(compare(pupil, teacher)))
        for text, pupil, teacher in zip(texts, ours, theirs, strict=True)
        if min(len(pupil.samples), len(teacher.samples)) >= _SHORTEST_HEARD * SAMPLE_RATE
    ]
    final = [(text, closeness.pop("final_pitch")) for text, closeness in found]
    means = _means({name: [closeness[name] for _, closeness in found] for name in found[0][1]})
    ends = {
        "final_pitch_of_questions": _median_of(final, "?"),
        "final_pitch_of_statements": _median_of(final, "."),
    }
    return means | ends


def _median_of(final: list[tuple[str, float]], mark: str) -> float:
    """Of the texts that end with `mark`; NaN where none has one."""
    return median([pitch for text, pitch in final if text.endswith(mark) and not math.isnan(pitch)])


def _defects(speech: list[np.ndarray], rate: int) -> dict[str, float]:
    found = [find_defects(samples, rate) for samples in speech]
    return {
        "clicks": sum(one.clicks for one in found),
        "seconds": sum(map(len, speech)) / rate,
        "clipped": sum(one.clipped for one in found),
        "largest offset": max(abs(one.offset) for one in found),
        "largest peak": max(one.peak for one in found),
    }


def _length_scales(evaluation: Evaluation) -> list[dict[str, float]]:
    sweeps = [sweep_length_scale(evaluation.voice, text) for text in evaluation.sentences[:5]]
    return [
        _means({name: [getattr(one, name) for one in same] for name in vars(same[0])})
        for same in zip(*sweeps, strict=True)
    ]


def hurried_word_errors(evaluation: Evaluation, listener: Listener) -> dict[str, float]:
    """Over a few sentences of common words, by the shortest and the longest length scale."""
    prose = [text for text in evaluation.sentences if is_prose(text, evaluation.language)][:_HURRIED]
    voice, language = evaluation.voice, evaluation.language
    found = {}
    for scale in (LENGTH_SCALES[0], LENGTH_SCALES[-1]):
        speech = [(voice.speak(text, scale), text) for text in prose]
        heard = [
            listener.hear(samples, voice.rate, text, language) for samples, text in _long_enough(speech, voice.rate)
        ]
        found[f"{scale:g}"] = word_error_rate(heard)
    return found


def _long_enough(speech: list[tuple[np.ndarray, str]], rate: int) -> list[tuple[np.ndarray, str]]:
    return [(samples, text) for samples, text in speech if len(samples) >= _SHORTEST_HEARD * rate]


def _means(values: dict[str, list[float]]) -> dict[str, float]:
    return {name: float(np.mean([v for v in items if not math.isnan(v)])) for name, items in values.items()}


def _draw(evaluation: Evaluation) -> None:
    for number in range(min(_PICTURES, len(evaluation.sentences))):
        for reader in (evaluation.voice, evaluation.peers[0]):
            path = evaluation.folder / reader.name / f"{number:03d}"
            samples, rate = soundfile.read(path.with_suffix(".flac"), dtype="float32")
            draw_spectrogram(samples, rate, path.with_suffix(".png"))
