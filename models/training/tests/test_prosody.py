import numpy as np
import pytest

from lantang_voice.evaluation.comparison import Tracked, compare
from lantang_voice.evaluation.prosody import final_rise, find_pauses, hear_prosody

RATE = 24_000


def _hum(*contour, seconds=1.0):
    """A buzz whose pitch goes along straight lines through `contour`, in hertz."""
    times = np.arange(int(seconds * RATE))
    hertz = np.interp(times, np.linspace(0, len(times), len(contour)), contour)
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    return (0.2 * sum(np.cos(k * phase) / k for k in range(1, 12))).astype(np.float32)


def _silence(seconds):
    return np.zeros(int(seconds * RATE), np.float32)


def test_a_rise_of_pitch_at_the_end_is_heard_as_one():
    assert final_rise(Tracked.of(_hum(150, 150, 150, 150, 200))) > 150
    assert final_rise(Tracked.of(_hum(200, 200, 200, 200, 150))) < -150
    assert abs(final_rise(Tracked.of(_hum(150, 150)))) < 10


def test_an_end_that_creaks_has_no_say():
    assert abs(final_rise(Tracked.of(np.concatenate([_hum(150, 150), _creak(0.3)])))) < 30


def _creak(seconds):
    """Pulses at intervals of 6 to 16 ms, each ringing at 800 Hz."""
    chance = np.random.default_rng(1)
    samples = np.zeros(int(seconds * RATE))
    samples[np.cumsum(chance.integers(6 * 24, 16 * 24, 60))[:20]] = 1
    times = np.arange(240) / RATE
    return np.convolve(samples, 0.3 * np.exp(-400 * times) * np.sin(2 * np.pi * 800 * times))[: len(samples)].astype(
        np.float32
    )


def test_too_little_voice_has_no_rise():
    assert final_rise(Tracked.of(_silence(1.0))) is None
    assert final_rise(Tracked.of(_hum(150, 200, seconds=0.3))) is None


def test_pauses_lie_inside_and_last_60_ms_at_least():
    hum = _hum(150, 150, seconds=0.5)
    speech = np.concatenate([_silence(0.3), hum, _silence(0.2), hum, _silence(0.03), hum, _silence(0.3)])
    assert find_pauses(speech) == pytest.approx([0.2], abs=0.025)


def test_prosody_tells_questions_from_statements_and_counts_pauses_by_marks():
    hum = _hum(150, 150, seconds=0.5)
    rising, falling = _hum(150, 150, 150, 200), _hum(200, 200, 200, 150)
    speech = [Tracked.of(samples) for samples in (rising, falling, np.concatenate([hum, _silence(0.3), hum]))]
    found = hear_prosody(speech, ["Is it?", "It is.", "Oh, well!"])
    assert found.rise_of_questions > 100
    assert found.rising_questions == 1
    assert found.rise_of_statements < -100
    assert found.pauses == 1
    assert found.pause == pytest.approx(0.3, abs=0.025)


def test_voicing_that_differs_is_an_error():
    hum, breath = _hum(150, 150), np.random.default_rng(1).normal(0, 0.05, RATE // 2).astype(np.float32)
    both = Tracked.of(np.concatenate([hum, breath, hum]))
    assert compare(both, both).voicing_error == 0
    assert compare(Tracked.of(_hum(150, 150, seconds=2.5)), both).voicing_error > 0.1
