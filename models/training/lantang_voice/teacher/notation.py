"""From espeak-ng's tied IPA to the phonemes that Kokoro was trained on.

English follows the replacement table of misaki, the text front end of Kokoro. Indonesian was not among its
languages: the sounds are written with symbols it knows from others. Every symbol remembers which of the pupil's it
stands for, so that what the teacher says of its symbols, their durations, can be said of the pupil's.
"""

import unicodedata
from dataclasses import dataclass

from ..phonemes import TIE, tied_ipa

_ENGLISH = (
    ("ʔˌn̩", "tn"), ("ʔn̩", "tn"), ("ʔn", "tn"), ("ʔ", "t"),
    ("a^ɪ", "I"), ("a^ʊ", "W"), ("d^ʒ", "ʤ"), ("e^ɪ", "A"), ("e", "A"), ("t^ʃ", "ʧ"), ("ɔ^ɪ", "Y"),
    ("ə^l", "ᵊl"), ("ʲo", "jo"), ("ʲə", "jə"), ("ʲ", ""), ("ɚ", "əɹ"), ("r", "ɹ"), ("x", "k"), ("ç", "k"),
    ("ɐ", "ə"), ("ɬ", "l"), ("\u0303", ""), ("o^ʊ", "O"), ("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɪə", "iə"),
    ("ː", ""), ("^", ""),
)  # fmt: skip

_INDONESIAN = (("t^ʃ", "ʧ"), ("d^ʒ", "ʤ"), ("^", ""), ("r", "ɾ"))

_SYLLABIC = "\u0329"
_REPLACEMENTS = {"en-us": _ENGLISH, "id": _INDONESIAN}


@dataclass(frozen=True)
class TeacherSymbol:
    """One symbol of the teacher's notation; `origin` counts the symbols of `phonemes.phonemes` before its first."""

    symbol: str
    origin: int


def teacher_symbols(text: str, espeak_voice: str) -> list[TeacherSymbol]:
    """`text` in Kokoro's phonemes, with the punctuation that shapes its intonation."""
    symbols: list[TeacherSymbol] = []
    origin = 0
    for ipa, mark in tied_ipa(text, espeak_voice):
        if symbols:
            symbols.append(TeacherSymbol(" ", origin))
            origin += 1
        clause, origin = _with_origins(ipa, origin)
        symbols += _translated(clause, espeak_voice)
        if mark:
            symbols.append(TeacherSymbol(mark, origin))
            origin += 1
    return symbols


def teacher_phonemes(text: str, espeak_voice: str) -> str:
    """The symbols of `teacher_symbols` as `Kokoro.read` takes them."""
    return "".join(symbol.symbol for symbol in teacher_symbols(text, espeak_voice))


def _with_origins(ipa: str, origin: int) -> tuple[list[TeacherSymbol], int]:
    """The symbols of tied IPA, and the origin of what follows; ties are no symbols of the pupil's."""
    symbols = []
    for character in ipa:
        symbols.append(TeacherSymbol(character, origin))
        origin += 0 if character == TIE else len(unicodedata.normalize("NFD", character))
    return symbols, origin


def _translated(symbols: list[TeacherSymbol], espeak_voice: str) -> list[TeacherSymbol]:
    if espeak_voice == "en-us":
        symbols = _with_vowels_before_syllabic_consonants(symbols)
    for old, new in _REPLACEMENTS[espeak_voice]:
        symbols = _replaced(symbols, old, new)
    return symbols


def _with_vowels_before_syllabic_consonants(symbols: list[TeacherSymbol]) -> list[TeacherSymbol]:
    found: list[TeacherSymbol] = []
    for symbol in symbols:
        if symbol.symbol != _SYLLABIC:
            found.append(symbol)
        elif found:
            found.insert(-1, TeacherSymbol("ᵊ", found[-1].origin))
    return found


def _replaced(symbols: list[TeacherSymbol], old: str, new: str) -> list[TeacherSymbol]:
    """`symbols` with each `old` written as `new`, all of which stands for what the first of `old` stands for."""
    text = "".join(symbol.symbol for symbol in symbols)
    found, start = [], 0
    while (place := text.find(old, start)) >= 0:
        found += symbols[start:place]
        found += [TeacherSymbol(character, symbols[place].origin) for character in new]
        start = place + len(old)
    return found + symbols[start:]
