"""On the voice that ships with lantang."""

from pathlib import Path

import pytest

from lantang_voice.evaluation.readers import VoiceReader
from lantang_voice.evaluation.robustness import LENGTH_SCALES, batch_difference, sweep_length_scale

SENTENCE = "She cried with pain when the doctor inserted the needle."


@pytest.fixture(scope="module")
def nadia():
    return VoiceReader(Path(__file__).parents[2] / "english.onnx")


def test_length_scales_change_the_length_alone(nadia):
    for found in sweep_length_scale(nadia, SENTENCE):
        assert found.length == pytest.approx(found.length_scale, rel=0.1)
        assert abs(found.f0_shift) < 100
        assert found.formant_shift < 0.2
        assert found.clicks == 0
    assert len(LENGTH_SCALES) == 5


def test_a_batch_equals_its_rows(nadia):
    assert batch_difference(nadia, [SENTENCE, "Yes.", "A much longer sentence goes beside the two short ones."]) < 1e-4
