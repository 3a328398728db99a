import json

import numpy as np
import onnx
import pytest
from onnx import helper

from lantang_voice import HOP
from lantang_voice.prosody import _Edges, _is_voiced, _usual_edges, _utterance
from lantang_voice.teacher.folding import keep_needed
from lantang_voice.teacher.kokoro import Tokens
from lantang_voice.teacher.prosody import PITCH_SAMPLES, Prosody


def test_only_what_leads_to_an_output_is_kept():
    nodes = [helper.make_node("Relu", [a], [b]) for a, b in (("x", "early"), ("early", "late"), ("x", "other"))]
    wanted = helper.make_tensor_value_info("early", onnx.TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "small", [], [wanted])
    keep_needed(graph, graph.node, [])
    assert [node.output[0] for node in graph.node] == ["early"]
    assert graph.output[0].type.tensor_type.elem_type == onnx.TensorProto.FLOAT


def test_symbols_that_the_teacher_does_not_know_have_no_time(tmp_path):
    (tmp_path / "vocabulary.json").write_text(json.dumps({"vocab": {"a": 7, "b": 9}}))
    tokens, style = Tokens(tmp_path), np.arange(510 * 256, dtype=np.float32).reshape(510, 1, 256)
    inputs = tokens.inputs("a?b", style)
    assert inputs["tokens"].tolist() == [[0, 7, 9, 0]]
    np.testing.assert_array_equal(inputs["style"], style[2])
    ends = tokens.ends("a?b", np.array([[4.0, 1, 2, 3]]))
    assert ends.tolist() == [2400, 3000, 3000, 4200, 6000]
    with pytest.raises(ValueError, match="1 to 509 phonemes at once, not 0"):
        tokens.inputs("?", style)


def test_lines_that_are_not_read_begin_and_end_as_those_that_are():
    entries = [{"ends": [n, 9_000, 12_000], "samples": 10_000 + n} for n in (2_400, 2_600, 2_500)]
    assert _usual_edges(entries) == _Edges(before=2_500, after=3_500)


def test_durations_and_pitch_without_speech():
    f0 = np.where(np.arange(160) % 40 < 30, 100 + np.arange(160.0), 5).astype(np.float32)
    line = {"key": "k", "phonemes": "ab", "origins": [0, 1]}
    ends = np.array([12_000, 24_000, 36_000, 48_000])
    found = _utterance(line, Prosody(ends, f0), _Edges(before=2_560, after=5_120))
    assert len(found.samples) == 0
    assert found.frames == (2_560 + 24_000 + 5_120) // HOP
    assert found.durations.sum() == pytest.approx(found.frames)
    np.testing.assert_allclose(found.durations[1:3], 12_000 / HOP, rtol=1e-6)
    middle = found.frames // 2
    expected = f0[int(((middle + 0.5) * HOP + 12_000 - 2_560 + 168) / PITCH_SAMPLES)]
    assert np.exp(found.log_f0[middle]) == pytest.approx(expected, rel=1e-5)
    assert 0.6 < found.voiced.mean() < 0.9


def test_pitch_that_slides_to_nothing_is_none():
    f0 = np.array([5, 40, 120, 190, 200, 210, 205, 200, 195, 150, 110, 80, 30, 5], np.float32)
    assert _is_voiced(f0).tolist() == [4 < place < 8 for place in range(14)]
    assert not _is_voiced(np.full(9, 5.0)).any()


def test_a_line_without_voice_has_no_prosody():
    line = {"key": "k", "phonemes": "s", "origins": [0]}
    assert _utterance(line, Prosody(np.array([9_000, 12_000, 20_000]), np.ones(80)), _Edges(2_400, 2_400)) is None
