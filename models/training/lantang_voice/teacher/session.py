"""A part of one of the teacher's graphs, ready to run."""

from pathlib import Path

import onnx
import onnxruntime

from .folding import keep_needed


def open_session(
    model: Path, outputs: list[str], provider: str = "CPUExecutionProvider"
) -> onnxruntime.InferenceSession:
    """What of `model` leads to `outputs`, any values of its graph, on one processor thread or another provider."""
    whole = onnx.load(model)
    del whole.graph.output[:]
    whole.graph.output.extend(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in outputs
    )
    keep_needed(whole.graph, whole.graph.node, [])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(whole.SerializeToString(), options, providers=[provider])
