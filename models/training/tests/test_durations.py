import numpy as np
import pytest

from lantang_voice import HOP
from lantang_voice.corpus.build import held_out_sentences
from lantang_voice.durations import pupil_durations
from lantang_voice.phonemes import phonemes
from lantang_voice.teacher.notation import teacher_symbols

_LEAD, _TAIL = 912, 1_680


def test_symbols_that_share_one_of_the_teachers_share_its_time():
    ends = np.array([4, 8, 10, 12, 20]) * HOP + _LEAD  # ^, aɪ, ˈ, ɜː, $
    found = pupil_durations("aɪˈɜː", [0, 2, 3], ends.tolist(), 20 * HOP)
    np.testing.assert_allclose(found, [4, 2, 2, 2, 2, 0, 8])


def test_what_was_cut_at_both_ends_is_not_counted():
    ends = np.array([-100, 3 * HOP + _LEAD, 30 * HOP])
    found = pupil_durations("a", [0], ends.tolist(), 10 * HOP)
    np.testing.assert_allclose(found, [0, 3, 7])


def test_the_silence_at_the_end_is_nobodys_but_the_ends():
    ends = np.array([2 * HOP + _LEAD, 30 * HOP, 40 * HOP])
    found = pupil_durations("a", [0], ends.tolist(), 20 * HOP)
    np.testing.assert_allclose(found, [2, 18 - _TAIL / HOP, _TAIL / HOP], rtol=1e-6)


@pytest.mark.parametrize(("language", "voice"), [("en", "en-us"), ("id", "id")])
def test_every_frame_belongs_to_a_symbol(language, voice):
    for text in held_out_sentences(language, 40):
        symbols, spoken = teacher_symbols(text, voice), phonemes(text, voice)
        ends = 700 * np.arange(1, len(symbols) + 3)
        samples = int(ends[-1])
        found = pupil_durations(spoken, [symbol.origin for symbol in symbols], ends.tolist(), samples)
        assert len(found) == len(spoken) + 2
        assert found.sum() == pytest.approx(samples / HOP)
        assert np.all(found >= 0)
