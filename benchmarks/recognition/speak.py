"""Speaks every line of a text file with piper's own Python, each into a WAV of its own.

    python speak.py VOICE.onnx TEXTS.txt FOLDER
"""

import sys
import wave
from pathlib import Path

from piper import PiperVoice


def main() -> None:
    model, texts, folder = sys.argv[1:]
    voice = PiperVoice.load(model)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for index, text in enumerate(Path(texts).read_text(encoding="utf-8").splitlines()):
        with wave.open(str(Path(folder) / f"{index}.wav"), "wb") as file:
            voice.synthesize_wav(text, file)


if __name__ == "__main__":
    main()
