"""On the voice that ships with lantang."""

from pathlib import Path

import numpy as np
import pytest

from lantang_voice.evaluation.closed_sets import CLOSED_SETS, edge_level, hear_closed_set
from lantang_voice.evaluation.readers import VoiceReader

LETTERS = tuple("ABFS")


class Confused:
    """Says the next letter instead."""

    name, rate = "confused", 24_000

    def __init__(self, reader):
        self._reader = reader

    def speak(self, text):
        return self._reader.speak(LETTERS[(LETTERS.index(text[0]) + 1) % len(LETTERS)] + ".")


@pytest.fixture(scope="module")
def nadia():
    return VoiceReader(Path(__file__).parents[2] / "english.onnx")


def test_a_voice_understands_itself(nadia):
    found = hear_closed_set(nadia, nadia, LETTERS)
    assert (found.items, found.understood, found.mistaken) == (4, 4, [])
    assert found.loudest_edge < -20


def test_what_is_not_understood_is_named(nadia):
    found = hear_closed_set(Confused(nadia), nadia, LETTERS)
    assert found.understood == 0
    assert found.mistaken == ["B for A", "F for B", "S for F", "A for S"]


def test_an_edge_is_as_loud_as_its_louder_end():
    samples = np.zeros(24_000, np.float32)
    samples[12_000], samples[-1] = 1.0, 0.1
    assert edge_level(samples, 24_000) == pytest.approx(-20)


@pytest.mark.parametrize("language", CLOSED_SETS)
def test_no_item_is_twice_in_a_set(language):
    for items in CLOSED_SETS[language].values():
        assert len(set(items)) == len(items)
