import pytest

from lantang_voice.phonemes import clauses, ids, phonemes, symbol_ids
from lantang_voice.teacher.notation import teacher_phonemes, teacher_symbols


def test_clauses_keep_their_marks():
    assert clauses("Well, is it? Yes... it is") == [("Well", ","), ("is it", "?"), ("Yes", "."), ("it is", "")]


def test_phonemes_are_pipers():
    assert phonemes("Hello, world!", "en-us") == "həlˈoʊ, wˈɜːld!"


def test_ids_are_padded_and_enclosed():
    table = symbol_ids()
    assert ids("a!") == [1, 0, table["a"], 0, table["!"], 0, 2]


@pytest.mark.parametrize(
    ("text", "voice", "expected"),
    [
        ("The judge chose a brown boat.", "en-us", "ðə ʤˈʌʤ ʧˈOz ɐ bɹˈWn bˈOt."),
        ("Selamat pagi, apa kabar?", "id", "səlˈamat pˈaɡi, ˈapa kˈabaɾ?"),
    ],
)
def test_the_teacher_gets_its_own_notation(text, voice, expected):
    assert teacher_phonemes(text, voice) == expected.replace("ɐ", "ə")


def test_an_unknown_reader_is_an_error():
    with pytest.raises(ValueError, match="xx"):
        phonemes("a", "xx-none")


@pytest.mark.parametrize(
    ("text", "voice", "expected"),
    [
        ("I rode, now.", "en-us", [("I", "aɪ"), (" ", " "), ("ɹ", "ɹ"), ("ˈ", "ˈ"), ("O", "oʊ"), ("d", "d")]),
        (
            "A button.",
            "en-us",
            [("ə", "ɐ"), (" ", " "), ("b", "b"), ("ˈ", "ˈ"), ("ʌ", "ʌ"), ("t", "ʔ"), ("ᵊ", "n"), ("n", "n")],
        ),
        ("Acak.", "id", [("ˈ", "ˈ"), ("a", "a"), ("ʧ", "tʃ"), ("a", "a"), ("k", "k"), (".", ".")]),
    ],
)
def test_the_teachers_symbols_know_which_of_the_pupils_they_stand_for(text, voice, expected):
    spoken = phonemes(text, voice)
    found = teacher_symbols(text, voice)[: len(expected)]
    assert [(symbol.symbol, spoken[symbol.origin]) for symbol in found] == [(one, other[0]) for one, other in expected]
