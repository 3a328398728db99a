import numpy as np

from lantang_voice.alignment import align


def _speech(chance, spoken, lengths):
    """Frames of a made-up language in which every symbol has a spectrum of its own."""
    shapes = {symbol: np.eye(12)["abcd".find(symbol) + 1] * 4 for symbol in "abcd "}
    shapes["^"] = shapes["$"] = shapes[" "]
    frames = np.concatenate([np.tile(shapes[s], (n, 1)) for s, n in zip("^" + spoken + "$", lengths, strict=True)])
    return (frames + chance.normal(0, 0.3, frames.shape)).astype(np.float32)


def test_finds_the_borders_of_symbols():
    chance = np.random.default_rng(1)
    texts = ["".join(chance.choice(list("abcd"), 8)) for _ in range(60)]
    texts = ["".join(a for a, b in zip(t, t[1:] + "$", strict=True) if a != b) for t in texts]
    lengths = [[8, *chance.integers(6, 20, len(t)), 8] for t in texts]
    found = align(texts, [_speech(chance, t, n) for t, n in zip(texts, lengths, strict=True)])
    errors = np.concatenate([np.abs(f.durations - n) for f, n in zip(found, lengths, strict=True)])
    assert np.mean(errors) < 0.5
    assert [int(f.durations.sum()) for f in found] == [sum(n) for n in lengths]


def test_speech_that_says_something_else_is_unlikely():
    chance = np.random.default_rng(2)
    texts = ["abcd", "bcda", "cdab", "dabc"] * 8
    speech = [_speech(chance, t, [6] * 6) for t in texts]
    speech[0] = _speech(chance, "cbad", [6] * 6)
    found = align(texts, speech)
    assert min(range(len(found)), key=lambda i: found[i].likelihood) == 0
