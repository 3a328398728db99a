"""Whoever reads a sentence aloud: a voice in Piper's form, the teacher, espeak-ng."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime
import soundfile

from .. import SAMPLE_RATE
from ..phonemes import ids, phonemes
from ..speakers import Speaker
from ..teacher.kokoro import Kokoro
from ..teacher.notation import teacher_phonemes


class Reader(Protocol):
    """Reads text aloud."""

    name: str
    rate: int
    """Samples per second."""

    def speak(self, text: str) -> np.ndarray:
        """float32 samples [n] in -1..1."""
        ...


def row_of(path: Path, model: str) -> int:
    """The number of speaker `model` in the voice file `path`, 0 where it has one speaker. Raises ValueError where
    it has several and none of that name."""
    rows: dict[str, int] = _metadata(path)["speaker_id_map"]
    if rows and model not in rows:
        raise ValueError(f"{path.name} has the speakers {', '.join(rows)}, not {model}: say which one by its --row")
    return rows.get(model, 0)


def _metadata(path: Path) -> dict:
    return json.loads(path.with_name(path.name + ".json").read_text("utf-8"))


class VoiceReader:
    """A voice file in Piper's form on one processor thread; `speaker` is its row where there are several."""

    def __init__(self, path: Path, speaker: int = 0):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        metadata = _metadata(path)
        self.name = path.stem if metadata["num_speakers"] == 1 else f"{path.stem}-{speaker}"
        self.rate: int = metadata["audio"]["sample_rate"]
        self._espeak_voice: str = metadata["espeak"]["voice"]
        self._defaults: dict[str, float] = metadata["inference"]
        self._has_speakers = any(given.name == "sid" for given in self._session.get_inputs())
        self._speaker = speaker

    def speak(self, text: str, length_scale: float = 1.0) -> np.ndarray:
        """Read `text`; 2.0 is half as fast."""
        return self._run([text], length_scale)[0][0, 0, 0]

    def speak_batch(self, texts: list[str]) -> tuple[np.ndarray, ...]:
        """The graph's outputs for `texts` as one batch, without what is drawn at random: speech [B, 1, 1, n], and
        durations where it has them."""
        return self._run(texts, is_still=True)

    def _run(self, texts: list[str], length_scale: float = 1.0, is_still: bool = False) -> tuple[np.ndarray, ...]:
        rows = [ids(phonemes(text, self._espeak_voice)) for text in texts]
        padded = np.zeros((len(rows), max(map(len, rows))), np.int64)
        for row, numbers in zip(padded, rows, strict=True):
            row[: len(numbers)] = numbers
        noise, noise_w = (0.0, 0.0) if is_still else (self._defaults["noise_scale"], self._defaults["noise_w"])
        inputs = {
            "input": padded,
            "input_lengths": np.array([len(numbers) for numbers in rows]),
            "scales": np.array([noise, length_scale * self._defaults["length_scale"], noise_w], np.float32),
        }
        if self._has_speakers:
            inputs["sid"] = np.full(len(rows), self._speaker)
        return tuple(self._session.run(None, inputs))


class TeacherReader:
    """Kokoro with the style that a speaker learns from."""

    rate = SAMPLE_RATE

    def __init__(self, teacher: Kokoro, speaker: Speaker):
        self.name = f"teacher-{speaker.teacher}"
        self._teacher, self._speaker, self._style = teacher, speaker, teacher.style(speaker.teacher)

    def speak(self, text: str) -> np.ndarray:
        """Read `text`, silence at both ends cut, as loud as the pupil learns it."""
        spoken = teacher_phonemes(text, self._speaker.espeak_voice)
        return self._speaker.gain * self._teacher.speak(spoken, self._style)


class EspeakReader:
    """The synthesiser of espeak-ng."""

    rate = 22_050

    def __init__(self, espeak_voice: str):
        self.name = "espeak-ng"
        self._espeak_voice = espeak_voice

    def speak(self, text: str) -> np.ndarray:
        """Read `text` through a file: espeak-ng's stream has no length in its header."""
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            subprocess.run(["espeak-ng", "-v", self._espeak_voice, "-w", file.name, text], check=True)
            samples, _ = soundfile.read(file.name, dtype="float32")
        return samples
