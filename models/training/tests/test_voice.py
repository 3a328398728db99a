import dataclasses

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from lantang_voice import HOP
from lantang_voice.evaluation.readers import row_of
from lantang_voice.voice.checkpoint import (
    Checkpoint,
    for_speakers,
    load_checkpoint,
    mean_of,
    of_known,
    save_checkpoint,
)
from lantang_voice.voice.export import export_voice, piper_metadata, recover
from lantang_voice.voice.graph import Settings, fourier_matrices
from lantang_voice.voice.network import Architecture, Voice, gelu
from lantang_voice.voice.source_filter import BINS, FFT, WINDOW, SourceFilter, harmonics

SPEAKERS = ["english-woman", "english-man"]
SIZES = Architecture(
    speakers=2, text_width=32, text_hidden=64, text_blocks=3, pitch_width=16, decoder_width=32, decoder_hidden=64,
    decoder_blocks=2,
)  # fmt: skip


@pytest.fixture(scope="module")
def checkpoint():
    torch.manual_seed(1)
    voice = Voice(SIZES)
    with torch.no_grad():
        voice.text.duration_output.bias.fill_(2.0)  # about six frames a symbol
        for parameter in voice.parameters():
            parameter.add_(0.01 * torch.randn_like(parameter))  # equal weights would be merged by the exporter
        for table in (voice.text.speakers, voice.pitch.speakers, voice.decoder.speakers):
            table.weight.mul_(10)
    return Checkpoint(SIZES, SPEAKERS, voice.state_dict(), [5.3, 4.8])


@pytest.fixture(scope="module")
def exported(checkpoint, tmp_path_factory):
    path = tmp_path_factory.mktemp("voice") / "voice.onnx"
    export_voice(checkpoint, Settings(), path)
    return path


def _speak(path, rows, speakers, length_scale=1.0, noise_scale=0.0):
    session = onnxruntime.InferenceSession(str(path))
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for row, given in zip(ids, rows, strict=True):
        row[: len(given)] = given
    inputs = {
        "input": ids,
        "input_lengths": np.array([len(row) for row in rows]),
        "scales": np.array([noise_scale, length_scale, 0], np.float32),
        "sid": np.array(speakers),
    }
    return session.run(None, inputs)


def _text(length, seed):
    symbols = np.random.default_rng(seed).integers(14, 120, length)
    return [1, 0, *(i for symbol in symbols for i in (int(symbol), 0)), 2]


def test_a_row_of_a_batch_is_the_row_alone(exported):
    rows = [_text(30, 1), _text(5, 2), _text(12, 3)]
    speech, durations = _speak(exported, rows, [0, 1, 0])
    for i, row in enumerate(rows):
        alone, frames = _speak(exported, [row], [[0, 1, 0][i]])
        length = int(frames.sum()) * HOP
        assert alone.shape == (1, 1, 1, length)
        assert int(durations[i].sum()) * HOP == length
        np.testing.assert_allclose(speech[i, 0, 0, :length], alone[0, 0, 0], atol=1e-5)
        assert not speech[i, 0, 0, length:].any()


def test_speakers_differ_and_repeat(exported):
    text = [_text(10, 4)]
    first, _ = _speak(exported, text, [0])
    again, _ = _speak(exported, text, [0])
    other, _ = _speak(exported, text, [1])
    np.testing.assert_array_equal(first, again)
    assert first.shape != other.shape or np.abs(first - other).max() > 1e-3


def test_noise_begins_at_a_place_that_is_drawn_for_each_row_unless_its_scale_is_0(exported):
    rows = [_text(20, 6)] * 8
    speech, durations = _speak(exported, rows, [0] * 8, noise_scale=1.0)
    assert (durations == durations[:1]).all()
    assert np.abs(speech - speech[:1]).max() > 1e-4
    still, _ = _speak(exported, rows, [0] * 8)
    assert np.abs(still - still[:1]).max() < 1e-6


def test_length_scale_stretches(exported):
    text = [_text(40, 5)]
    plain, slow = (_speak(exported, text, [0], scale)[1].sum() for scale in (1.0, 2.0))
    assert slow / plain == pytest.approx(2.0, rel=0.1)


def test_the_graph_has_one_ceil_and_old_operators(exported):
    model = onnx.load(exported)
    assert sum(node.op_type == "Ceil" for node in model.graph.node) == 1
    assert [opset.version for opset in model.opset_import if opset.domain in ("", "ai.onnx")] == [17]


def test_an_exported_voice_reads_back_as_its_checkpoint(checkpoint, exported):
    back = recover(exported)
    assert (back.sizes, back.speakers, back.median_log_f0) == (SIZES, SPEAKERS, [5.3, 4.8])
    assert back.weights.keys() == checkpoint.weights.keys()
    for name, tensor in checkpoint.weights.items():
        torch.testing.assert_close(back.weights[name], tensor, atol=2e-3, rtol=1e-3)
    back.voice()


def test_other_files_do_not_read_back(tmp_path, exported):
    model = onnx.load(exported)
    del model.metadata_props[:]
    onnx.save(model, tmp_path / "other.onnx")
    with pytest.raises(KeyError):
        recover(tmp_path / "other.onnx")


def test_checkpoints_keep_rows_of_known_speakers(checkpoint, tmp_path):
    save_checkpoint(tmp_path / "c.pt", dataclasses.replace(checkpoint, step=7))
    loaded = load_checkpoint(tmp_path / "c.pt")
    assert loaded.step == 7
    moved = for_speakers(loaded, ["english-man", "indonesian-woman"])
    rows, old = moved.weights["pitch.speakers.weight"], checkpoint.weights["pitch.speakers.weight"]
    torch.testing.assert_close(rows[0], old[1])
    torch.testing.assert_close(rows[1], old.mean(0))
    assert moved.median_log_f0 == pytest.approx([4.8, 5.05])
    moved.voice()


def test_constant_matrices_are_the_fourier_transform():
    window = torch.hann_window(WINDOW)
    analysis, even, odd = fourier_matrices(window)
    samples = torch.randn(WINDOW).double()
    spectrum = torch.fft.rfft(samples * window.double(), FFT)
    torch.testing.assert_close(samples @ analysis, torch.cat([spectrum.real, spectrum.imag]))
    signal = torch.fft.irfft(spectrum, FFT)
    first, mirrored = spectrum.real @ even + spectrum.imag @ odd, spectrum.real @ even - spectrum.imag @ odd
    torch.testing.assert_close(first, signal[: FFT // 2 + 1])
    torch.testing.assert_close(mirrored[1:-1].flip(0), signal[FFT // 2 + 1 :])
    assert analysis.shape == (WINDOW, 2 * BINS)


def test_the_exported_gelu_is_that_of_training(monkeypatch):
    x = torch.linspace(-9, 9, 10_001)
    trained = gelu(x)
    monkeypatch.setattr(torch.onnx, "is_in_onnx_export", lambda: True)
    assert not torch.equal(gelu(x), trained)
    torch.testing.assert_close(gelu(x), trained, atol=1e-6, rtol=1e-5)


def test_pulses_have_the_pitch_that_is_asked_for():
    synthesiser = SourceFilter(50, 30)
    pulses = synthesiser.pulses(torch.full((1, 94), float(np.log(200.0))))[0]
    spectrum = torch.fft.rfft(pulses * torch.hann_window(len(pulses))).abs()
    hertz = torch.fft.rfftfreq(len(pulses), 1 / 24_000)
    assert hertz[spectrum[hertz < 300].argmax()].item() == pytest.approx(200, abs=1)
    assert pulses.abs().max() < 70  # harmonics below half the sampling rate only: 60 of them


def test_the_highest_harmonic_fades_out_towards_half_the_sampling_rate():
    phase = torch.linspace(-0.5, 0.5, 997)
    below, above = (harmonics(phase, torch.full_like(phase, 0.5 / limit)) for limit in (59.999, 60.001))
    torch.testing.assert_close(below, above, atol=0.01, rtol=0)
    halfway = harmonics(phase, torch.full_like(phase, 0.5 / 4.25))
    weights = torch.tensor([1, 1, 1, 0.25])
    expected = weights @ torch.cos(2 * torch.pi * torch.arange(1, 5)[:, None] * phase)
    torch.testing.assert_close(halfway, expected, atol=1e-3, rtol=0)


def test_neutral_cepstra_pass_the_noise_through():
    synthesiser = SourceFilter(50, 30)
    noise = torch.randn(1, 40 * HOP)
    silent = torch.zeros(1, 80, 50)
    (speech,) = synthesiser.render(silent, torch.zeros(1, 80, 30), torch.zeros(1, 40 * HOP), noise)
    torch.testing.assert_close(speech[:, 512:-512], noise[:, 512:-512], atol=1e-4, rtol=1e-4)


def test_rows_may_have_scales_of_their_own(exported, tmp_path):
    """An engine relaxes the declared shape of `scales` to [3, B, 1]."""
    model = onnx.load(exported)
    (scales,) = (given for given in model.graph.input if given.name == "scales")
    shape = onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, [3, None, 1])
    scales.type.CopyFrom(shape)
    onnx.save(model, tmp_path / "relaxed.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "relaxed.onnx"))
    text = _text(20, 6)
    inputs = {
        "input": np.array([text, text]),
        "input_lengths": np.array([len(text)] * 2),
        "scales": np.array([[0, 0], [1, 2], [0, 0]], np.float32)[..., None],
        "sid": np.array([0, 0]),
    }
    _, durations = session.run(None, inputs)
    for row, scale in enumerate((1.0, 2.0)):
        np.testing.assert_array_equal(durations[row], _speak(exported, [text], [0], scale)[1][0])


def test_the_description_tells_who_speaks(checkpoint):
    both, one = piper_metadata(checkpoint), piper_metadata(for_speakers(checkpoint, SPEAKERS[1:]))
    man = {"label": "Aidan", "gender": "male", "language": "en-US"}
    assert both["speaker_id_map"] == {"nadia": 0, "aidan": 1}
    assert both["lantang"]["speakers"]["aidan"] == {"name": "aidan", **man}
    assert one["speaker_id_map"] == {}
    assert one["lantang"] == {"domain": "general", "licence": "Apache-2.0", **man}


def test_a_mean_of_checkpoints_is_half_way(checkpoint):
    other = Checkpoint(
        checkpoint.sizes, checkpoint.speakers, {n: t + 1 for n, t in checkpoint.weights.items()}, [5.1, 4.9]
    )
    mean = mean_of([checkpoint, other])
    for name, tensor in mean.weights.items():
        torch.testing.assert_close(tensor, checkpoint.weights[name] + 0.5)
    with pytest.raises(ValueError, match="different speakers"):
        mean_of([checkpoint, for_speakers(checkpoint, SPEAKERS[1:])])


def test_speakers_that_it_does_not_know_are_refused(checkpoint):
    assert of_known(checkpoint, SPEAKERS[1:]).speakers == SPEAKERS[1:]
    with pytest.raises(ValueError, match="knows .*, not indonesian-woman"):
        of_known(checkpoint, ["indonesian-woman"])


def test_a_speaker_is_found_by_name(exported):
    assert [row_of(exported, name) for name in ("nadia", "aidan")] == [0, 1]
    with pytest.raises(ValueError, match="nadia, aidan, not bima"):
        row_of(exported, "bima")


def test_a_voice_has_one_language(checkpoint, tmp_path):
    mixed = for_speakers(checkpoint, ["english-man", "indonesian-woman"])
    with pytest.raises(ValueError, match="one language"):
        export_voice(mixed, Settings(), tmp_path / "mixed.onnx")
    assert not list(tmp_path.iterdir())


def test_speech_is_hurried_without_drift(exported):
    """Every symbol ends, in frames, within half a frame of where it should."""
    plain, hurried = (_speak(exported, [_text(40, 5)], [0], scale)[1].ravel().cumsum() for scale in (1.0, 0.5))
    assert np.abs(hurried - plain / 2).max() <= 0.5


def test_speech_ends_in_silence(exported):
    speech = _speak(exported, [_text(40, 5)], [0])[0].ravel()
    assert np.abs(speech[-3:]).max() < 1e-3 * np.abs(speech).max()
