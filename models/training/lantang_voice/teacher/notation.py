"""From espeak-ng's tied IPA to the phonemes that Kokoro was trained on.

English follows the replacement table of misaki, the text front end of Kokoro. Indonesian was not among its
languages: the sounds are written with symbols it knows from others.
"""

import re

from ..phonemes import tied_ipa

_ENGLISH = (
    ("ʔˌn̩", "tn"), ("ʔn̩", "tn"), ("ʔn", "tn"), ("ʔ", "t"),
    ("a^ɪ", "I"), ("a^ʊ", "W"), ("d^ʒ", "ʤ"), ("e^ɪ", "A"), ("e", "A"), ("t^ʃ", "ʧ"), ("ɔ^ɪ", "Y"),
    ("ə^l", "ᵊl"), ("ʲo", "jo"), ("ʲə", "jə"), ("ʲ", ""), ("ɚ", "əɹ"), ("r", "ɹ"), ("x", "k"), ("ç", "k"),
    ("ɐ", "ə"), ("ɬ", "l"), ("\u0303", ""), ("o^ʊ", "O"), ("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɪə", "iə"),
    ("ː", ""), ("^", ""),
)  # fmt: skip

_INDONESIAN = (("t^ʃ", "ʧ"), ("d^ʒ", "ʤ"), ("^", ""), ("r", "ɾ"))

_SYLLABIC_CONSONANT = re.compile("(\\S)\u0329")


def _english(ipa: str) -> str:
    return _replace(_SYLLABIC_CONSONANT.sub("ᵊ\\1", ipa).replace("\u0329", ""), _ENGLISH)


def _indonesian(ipa: str) -> str:
    return _replace(ipa, _INDONESIAN)


def _replace(text: str, table: tuple[tuple[str, str], ...]) -> str:
    for old, new in table:
        text = text.replace(old, new)
    return text


_TRANSLATIONS = {"en-us": _english, "id": _indonesian}


def teacher_phonemes(text: str, espeak_voice: str) -> str:
    """`text` in Kokoro's phonemes, with the punctuation that shapes its intonation."""
    translate = _TRANSLATIONS[espeak_voice]
    return " ".join(translate(ipa) + mark for ipa, mark in tied_ipa(text, espeak_voice))
