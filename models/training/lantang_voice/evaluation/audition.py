"""Which of the teacher's styles to learn from: each reads held-out sentences to the listeners."""

from collections.abc import Iterator
from dataclasses import dataclass

from .. import SAMPLE_RATE
from ..corpus.build import held_out_sentences
from ..teacher.kokoro import Kokoro
from ..teacher.notation import teacher_phonemes
from .listening import Listener, mean_mos, word_error_rate
from .prose import is_prose


@dataclass(frozen=True)
class Audition:
    """Figures of one style over the sentences that it read."""

    style: str
    mos: float
    word_error_rate: float


_ESPEAK_VOICES = {"en": "en-us", "id": "id"}


def audition(
    teacher: Kokoro, listener: Listener, styles: list[str], language: str, sentences: int
) -> Iterator[Audition]:
    """Let each style read `sentences` held-out sentences of prose."""
    prose = [text for text in held_out_sentences(language) if is_prose(text, language)]
    texts, espeak_voice = prose[:sentences], _ESPEAK_VOICES[language]
    for name in styles:
        style = teacher.style(name)
        heard = [
            listener.hear(teacher.speak(teacher_phonemes(text, espeak_voice), style), SAMPLE_RATE, text, language)
            for text in texts
        ]
        yield Audition(name, mean_mos(heard), word_error_rate(heard))
