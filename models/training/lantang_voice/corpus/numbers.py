"""Numbers in words, as the text front end of the server hands them to the phonemizer."""

_ENGLISH_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_ENGLISH_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ENGLISH_SCALES = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
_ENGLISH_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip

_INDONESIAN_SMALL = "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas".split()
_INDONESIAN_SCALES = (
    (1_000_000_000, "miliar", None), (1_000_000, "juta", None), (1_000, "ribu", "seribu"),
    (100, "ratus", "seratus"), (10, "puluh", "sepuluh"),
)  # fmt: skip


def english(number: int) -> str:
    """Cardinal below 10¹²: 342 → "three hundred forty-two"."""
    if number < 20:
        return _ENGLISH_SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _ENGLISH_TENS[tens - 2] + (f"-{_ENGLISH_SMALL[ones]}" if ones else "")
    unit, name = next(scale for scale in _ENGLISH_SCALES if number >= scale[0])
    count, rest = divmod(number, unit)
    return f"{english(count)} {name}" + (f" {english(rest)}" if rest else "")


def english_ordinal(number: int) -> str:
    """21 → "twenty-first"."""
    words = english(number)
    start, last = words[: len(words) - len(words.replace("-", " ").split()[-1])], words.replace("-", " ").split()[-1]
    if last in _ENGLISH_ORDINALS:
        return start + _ENGLISH_ORDINALS[last]
    return start + (last[:-1] + "ieth" if last.endswith("y") else last + "th" if last[-1] != "t" else last + "h")


def english_year(year: int) -> str:
    """1987 → "nineteen eighty-seven", 2005 → "two thousand five"."""
    century, rest = divmod(year, 100)
    if year % 1000 < 10:
        return english(year)
    if rest == 0:
        return f"{english(century)} hundred"
    return f"{english(century)} " + (f"oh {english(rest)}" if rest < 10 else english(rest))


def indonesian(number: int) -> str:
    """Cardinal below 10¹²: 1_250 → "seribu dua ratus lima puluh"."""
    if number < 12:
        return _INDONESIAN_SMALL[number]
    if number < 20:
        return f"{_INDONESIAN_SMALL[number - 10]} belas"
    unit, name, single = next(scale for scale in _INDONESIAN_SCALES if number >= scale[0])
    count, rest = divmod(number, unit)
    head = single if count == 1 and single else f"{indonesian(count)} {name}"
    return head + (f" {indonesian(rest)}" if rest else "")


def digits(number: str, small: list[str]) -> str:
    """A run of digits read one by one."""
    return " ".join(small[int(digit)] for digit in number)


def english_digits(number: str) -> str:
    """Digit by digit: "407" → "four zero seven"."""
    return digits(number, _ENGLISH_SMALL)


def indonesian_digits(number: str) -> str:
    """Digit by digit: "407" → "empat nol tujuh"."""
    return digits(number, _INDONESIAN_SMALL)
