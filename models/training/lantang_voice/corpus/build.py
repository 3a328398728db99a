"""The corpus file of each speaker, without the sentences that evaluation holds out."""

import itertools
from collections.abc import Iterator
from importlib import resources

from ..phonemes import phonemes
from ..speakers import SPEAKERS, Speaker
from ..teacher.notation import teacher_symbols
from ..workspace import Workspace, write_json_lines
from .english import english_lines
from .indonesian import indonesian_lines
from .sentence import Line
from .wordnet import read_wordnet

_LONGEST_TEXT = 200


def build_corpus(workspace: Workspace, speakers: list[Speaker], lines: int) -> None:
    """Write `lines` lines for each of `speakers`; every speaker has an order, and so a selection, of its own."""
    for speaker in speakers:
        seed = 1 + list(SPEAKERS).index(speaker.name)
        held_out = set(held_out_sentences(speaker.language))
        fit = (line for line in _lines(speaker.language, seed) if line.text not in held_out)
        short = (line for line in fit if len(line.text) <= _LONGEST_TEXT)
        chosen = itertools.islice(short, lines)
        write_json_lines(
            workspace.corpus(speaker.name),
            (_entry(line, speaker.espeak_voice) for line in chosen),
        )


def _entry(line: Line, espeak_voice: str) -> dict:
    """A line with its phonemes, so that later steps run where there is no espeak-ng."""
    symbols = teacher_symbols(line.text, espeak_voice)
    return {
        "key": line.key,
        "kind": line.kind,
        "text": line.text,
        "phonemes": phonemes(line.text, espeak_voice),
        "teacher_phonemes": "".join(symbol.symbol for symbol in symbols),
        "origins": [symbol.origin for symbol in symbols],
    }


def held_out_sentences(language: str, count: int | None = None) -> list[str]:
    """The sentences that voices of `language` are judged by, never trained on: all, or `count` spread over them."""
    path = resources.files("lantang_voice.evaluation").joinpath(f"held_out_{language}.txt")
    sentences = path.read_text("utf-8").splitlines()
    count = len(sentences) if count is None else min(count, len(sentences))
    return [sentences[i * len(sentences) // count] for i in range(count)]


def _lines(language: str, seed: int) -> Iterator[Line]:
    return english_lines(read_wordnet(), seed) if language == "en" else indonesian_lines(seed)
