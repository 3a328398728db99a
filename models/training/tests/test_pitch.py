import numpy as np
import pytest

from lantang_voice import SAMPLE_RATE
from lantang_voice.pitch import track_pitch


@pytest.mark.parametrize("hertz", [90.0, 220.0])
def test_finds_the_pitch_of_a_pulse_train(hertz):
    times = np.arange(SAMPLE_RATE) / SAMPLE_RATE
    samples = sum(np.sin(2 * np.pi * hertz * k * times) / k for k in range(1, 12)) * 0.2
    track = track_pitch(samples)
    assert track.voiced[5:-5].all()
    assert np.abs(track.log_f0[5:-5] - np.log(hertz)).max() < 0.01


def test_noise_has_no_pitch():
    assert track_pitch(np.zeros(SAMPLE_RATE)) is None
