import numpy as np
import pytest

from lantang_voice import HOP, SAMPLE_RATE
from lantang_voice.pitch import periodicity, track_pitch


@pytest.mark.parametrize("hertz", [90.0, 220.0])
def test_finds_the_pitch_of_a_pulse_train(hertz):
    times = np.arange(SAMPLE_RATE) / SAMPLE_RATE
    samples = sum(np.sin(2 * np.pi * hertz * k * times) / k for k in range(1, 12)) * 0.2
    track = track_pitch(samples)
    assert track.voiced[5:-5].all()
    assert np.abs(track.log_f0[5:-5] - np.log(hertz)).max() < 0.01


def test_periodicity_is_that_of_the_period_asked_for():
    times = np.arange(SAMPLE_RATE) / SAMPLE_RATE
    tone = sum(np.sin(2 * np.pi * 150 * k * times) / k for k in range(1, 12))
    noise = np.random.default_rng(3).standard_normal(SAMPLE_RATE)
    frames = SAMPLE_RATE // HOP
    inside = slice(4, -4)
    assert periodicity(tone, np.full(frames, np.log(150)))[inside].min() > 0.99
    assert periodicity(tone, np.full(frames, np.log(210)))[inside].max() < 0.6
    assert periodicity(noise, np.full(frames, np.log(150)))[inside].max() < 0.7
    share = tone.var() / (tone.var() + noise.var() / 4)
    assert periodicity(tone + noise / 2, np.full(frames, np.log(150)))[inside].mean() == pytest.approx(share, abs=0.1)
    assert not periodicity(np.zeros(SAMPLE_RATE), np.full(frames, np.log(150))).any()


def test_a_voice_that_goes_hoarse_has_no_pitch_there():
    times = np.arange(SAMPLE_RATE) / SAMPLE_RATE
    tone = sum(np.sin(2 * np.pi * 150 * k * times) / k for k in range(1, 12)) * 0.2
    hoarse = 0.5 * np.random.default_rng(4).standard_normal(SAMPLE_RATE // 2)
    track = track_pitch(np.concatenate([tone, tone[: SAMPLE_RATE // 2] + hoarse]))
    border = SAMPLE_RATE // HOP
    assert track.voiced[5 : border - 3].all()
    assert track.voiced[border + 3 :].mean() < 0.2


def test_noise_has_no_pitch():
    assert track_pitch(np.zeros(SAMPLE_RATE)) is None
