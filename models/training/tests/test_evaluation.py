import math

import numpy as np
import pytest

from lantang_voice.evaluation.comparison import Tracked, compare
from lantang_voice.evaluation.defects import find_defects
from lantang_voice.evaluation.prose import is_prose
from lantang_voice.evaluation.recogniser import plain_words, word_errors
from lantang_voice.evaluation.report import against_teacher

RATE = 24_000


def _vowel(hertz=140.0, seconds=1.0):
    """Band-limited pulses through two resonances: about as peaky as a voice gets."""
    times = np.arange(int(seconds * RATE)) / RATE
    harmonics = np.arange(1, int(RATE / 2 / hertz)) * hertz
    level = 1 / (1 + ((harmonics - 600) / 150) ** 2) + 0.3 / (1 + ((harmonics - 1_800) / 200) ** 2) + 0.002
    voice = sum(a * np.cos(2 * np.pi * f * times) for a, f in zip(level, harmonics, strict=True))
    fade = np.clip(np.minimum(times, seconds - times) / 0.02, 0, 1)
    return (0.4 * fade * voice / np.abs(voice).max()).astype(np.float32)


def test_a_clean_voice_has_no_defects():
    found = find_defects(_vowel(), RATE)
    assert (found.clicks, found.clipped) == (0, 0)
    assert abs(found.offset) < 1e-3


def test_finds_each_click_once():
    voice = _vowel()
    voice[5_000] += 0.5
    voice[15_000:] += 0.6  # a step
    assert find_defects(voice, RATE).clicks == 2


def test_finds_clipping_and_offset():
    assert find_defects(np.clip(_vowel() * 4, -1, 1), RATE).clipped > 5
    assert find_defects(_vowel() + 0.05, RATE).offset == pytest.approx(0.05, abs=1e-3)


def test_speech_is_close_to_itself_and_far_from_another_pitch():
    vowel = Tracked.of(_vowel())
    same = compare(vowel, vowel)
    assert same.mel_cepstral_distance < 1e-3
    assert same.f0_error < 1
    other = compare(vowel, Tracked.of(_vowel(140.0 * 2 ** (1 / 12), 1.2)))
    assert other.f0_error == pytest.approx(100, abs=10)
    assert other.duration_error == pytest.approx(1 / 6, abs=0.01)


def test_the_final_pitch_is_that_of_the_end():
    teacher = Tracked.of(np.concatenate([_vowel(140.0), _vowel(140.0, 0.3)]))
    higher = compare(Tracked.of(np.concatenate([_vowel(140.0), _vowel(140.0 * 2 ** (2 / 12), 0.3)])), teacher)
    assert higher.final_pitch == pytest.approx(200, abs=20)
    assert higher.f0_error < 30
    texts = ["Is it?", "It is.", "It is."]
    found = against_teacher([teacher, *[Tracked.of(_vowel(150.0))] * 2], [teacher] * 3, texts)
    assert abs(found["final_pitch_of_questions"]) < 1 < 100 < found["final_pitch_of_statements"] < 140
    assert math.isnan(against_teacher([teacher], [teacher], ["Oh"])["final_pitch_of_questions"])


@pytest.mark.parametrize(
    ("expected", "heard", "errors"),
    [("a b c", "a b c", 0), ("a b c", "a c", 1), ("a b", "a x b", 1), ("a b", "b a", 2), ("", "a", 1)],
)
def test_word_errors(expected, heard, errors):
    assert word_errors(expected.split(), heard.split()) == errors


def test_words_lose_case_and_punctuation():
    assert plain_words("It's  well-known, Anna!") == ["it's", "well", "known", "anna"]


@pytest.mark.parametrize(
    ("text", "language", "fair"),
    [
        ("She cried with pain when the doctor inserted the needle.", "en", True),
        ("I am a student.", "en", True),
        ("It costs forty dollars.", "en", False),
        ("Doctor Walsh lives in Ghana.", "en", False),
        ("Stop!", "en", False),
        ("Kucing hitam itu mengejar tikus di dapur.", "id", True),
        ("Harganya dua ribu rupiah.", "id", False),
    ],
)
def test_prose(text, language, fair):
    assert is_prose(text, language) is fair
