import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from lantang_voice.teacher.folding import fold_quantised_weights
from lantang_voice.teacher.kokoro import trim_silence
from lantang_voice.teacher.packages import ChecksumError, _checked
from lantang_voice.workspace import cut_broken_line, read_json_lines, write_json_lines


def _convolution_and_product(path):
    """A float graph: dilated convolution of [1, 4, T], then a product over the channels."""
    chance = np.random.default_rng(0)
    weights = {
        "kernel": chance.normal(0, 1, (6, 4, 3)).astype(np.float32),
        "matrix": chance.normal(0, 1, (6, 5)).astype(np.float32),
    }
    nodes = [
        helper.make_node("Conv", ["x", "kernel"], ["filtered"], dilations=[2], pads=[2, 2], kernel_shape=[3]),
        helper.make_node("Transpose", ["filtered"], ["turned"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["turned", "matrix"], ["y"]),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "small",
        [value("x", onnx.TensorProto.FLOAT, [1, 4, "T"])],
        [value("y", onnx.TensorProto.FLOAT, [1, "T", 5])],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)


def test_folded_weights_give_the_float_graphs_result(tmp_path):
    _convolution_and_product(tmp_path / "float.onnx")
    quantize_dynamic(
        tmp_path / "float.onnx",
        tmp_path / "int8.onnx",
        op_types_to_quantize=["Conv", "MatMul"],
        weight_type=QuantType.QUInt8,
    )
    fold_quantised_weights(tmp_path / "int8.onnx", tmp_path / "folded.onnx")
    kinds = {node.op_type for node in onnx.load(tmp_path / "folded.onnx").graph.node}
    assert kinds == {"Unsqueeze", "Conv", "Squeeze", "Transpose", "MatMul"}
    x = np.random.default_rng(1).normal(0, 1, (1, 4, 50)).astype(np.float32)
    plain, folded = (
        onnxruntime.InferenceSession(str(tmp_path / name)).run(None, {"x": x})[0]
        for name in ("float.onnx", "folded.onnx")
    )
    assert np.abs(plain - folded).max() < 0.03 * np.abs(plain).max()


def test_silence_is_cut_to_a_tenth_of_a_second():
    speech = np.concatenate([np.zeros(24_000), np.full(1_000, 0.5), np.zeros(24_000)])
    assert len(trim_silence(speech)) == pytest.approx(1_000 + 2 * 2_400, abs=1)
    assert len(trim_silence(np.zeros(24_000))) == 0


def test_other_content_is_refused():
    with pytest.raises(ChecksumError, match="part.bin"):
        _checked(b"not the weights", "0" * 64, "part.bin")


def test_an_index_that_a_crash_cut_short_can_be_gone_on_with(tmp_path):
    write_json_lines(tmp_path / "index.jsonl", [{"key": "a"}, {"key": "b"}])
    with (tmp_path / "index.jsonl").open("a") as index:
        index.write('{"key": "c", "samp')
    cut_broken_line(tmp_path / "index.jsonl")
    with (tmp_path / "index.jsonl").open("a") as index:
        index.write('{"key": "d"}\n')
    cut_broken_line(tmp_path / "index.jsonl")
    assert [entry["key"] for entry in read_json_lines(tmp_path / "index.jsonl")] == ["a", "b", "d"]
