import dataclasses

import numpy as np
import pytest

from lantang_voice import HOP
from lantang_voice.dataset import Utterance, read_pieces, write_pieces


def _utterance(key, frames):
    chance = np.random.default_rng(frames)
    return Utterance(
        key=key,
        spoken="ab",
        durations=np.array([1, 2.5, frames - 4.5, 1], np.float32),
        log_f0=chance.normal(5, 0.1, frames).astype(np.float32),
        voiced=chance.random(frames) > 0.5,
        samples=chance.integers(-9000, 9000, frames * HOP).astype(np.int16),
    )


def test_pieces_keep_everything(tmp_path):
    written = [_utterance(f"k{n}", n) for n in (10, 25, 7)]
    write_pieces(tmp_path, written)
    for before, after in zip(written, read_pieces(tmp_path), strict=True):
        for name, value in vars(before).items():
            np.testing.assert_array_equal(getattr(after, name), value)


def test_pieces_may_be_without_speech(tmp_path):
    silent = dataclasses.replace(_utterance("silent", 9), samples=np.zeros(0, np.int16))
    write_pieces(tmp_path, [silent, _utterance("heard", 8)])
    assert [(found.frames, len(found.samples)) for found in read_pieces(tmp_path)] == [(9, 0), (8, 8 * HOP)]


def test_missing_pieces_are_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="features"):
        list(read_pieces(tmp_path))
