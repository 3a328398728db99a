"""Which sentences a word error rate is fair for.

The recogniser writes "1,250", "U.S." and names in its own way, however well they were spoken. Numbers, spelled
letters and proper names are judged by DistillMOS only.
"""

from ..corpus import numbers

_ENGLISH_NUMBERS = {word for n in (*range(20), *range(20, 100, 10)) for word in numbers.english(n).split()} | {
    "hundred", "thousand", "million", "point", "percent", "dollars", "cents", "o'clock",
}  # fmt: skip
_INDONESIAN_NUMBERS = {word for n in range(100) for word in numbers.indonesian(n).split()} | {
    "ratus", "seratus", "ribu", "seribu", "juta", "koma", "rupiah", "persen",
}  # fmt: skip
_NUMBERS = {"en": _ENGLISH_NUMBERS, "id": _INDONESIAN_NUMBERS}
_FEWEST_WORDS = 3


def is_prose(text: str, language: str) -> bool:
    """Whether `text` is a sentence of common words."""
    words = text.rstrip(".?!").replace("-", " ").replace(",", " ").split()
    if len(words) < _FEWEST_WORDS:
        return False
    is_plain = all(
        word.lower() not in _NUMBERS[language] and len(word.strip(".:;")) > 1 or word in "aAI" for word in words
    )
    return is_plain and not any(word[0].isupper() and word != "I" and not word.startswith("I'") for word in words[1:])
