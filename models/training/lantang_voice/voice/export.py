"""A checkpoint as an ONNX voice with Piper's metadata, and back.

Weights of 4096 values and more are stored as fp16 with a Cast that the runtime folds when it loads: half the
file, the same speed. Every weight keeps its name in the network, so that a voice can be read back into a
checkpoint and trained on when the checkpoints are lost.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

from .. import HOP, SAMPLE_RATE
from ..phonemes import symbol_ids
from ..speakers import SPEAKERS
from .checkpoint import Checkpoint
from .graph import Settings, VoiceGraph
from .network import Architecture, Voice

OPSET = 17
_BIG = 4096
_PARAMETER, _TRANSPOSED = "parameter:", "transposed-parameter:"
_LANGUAGES = {
    "en": ("en_US", "English", "English", "United States"),
    "id": ("id_ID", "Bahasa Indonesia", "Indonesian", "Indonesia"),
}


def export_voice(checkpoint: Checkpoint, settings: Settings, path: Path) -> None:
    """Write `path` (.onnx) and `path`.json with all speakers of the checkpoint.

    Raises ValueError where they do not share a language: a voice in Piper's form has one.
    """
    languages = {SPEAKERS[name].language for name in checkpoint.speakers}
    if len(languages) > 1:
        raise ValueError(f"a voice has one language, but {', '.join(checkpoint.speakers)} speak several")
    path.parent.mkdir(parents=True, exist_ok=True)
    voice = checkpoint.voice().eval()
    _trace(VoiceGraph(voice, settings, checkpoint.median_log_f0).eval(), len(checkpoint.speakers) > 1, path)
    model = onnx.load(path)
    _name_weights(model.graph, voice)
    _store_halves(model.graph)
    helper.set_model_props(
        model,
        {
            "architecture": json.dumps(asdict(checkpoint.sizes)),
            "speakers": json.dumps(checkpoint.speakers),
            "median_log_f0": json.dumps(checkpoint.median_log_f0),
            "settings": json.dumps(asdict(settings)),
        },
    )
    _check(model)
    onnx.save(model, path)
    metadata = json.dumps(piper_metadata(checkpoint), ensure_ascii=False, indent=1)
    path.with_name(path.name + ".json").write_text(metadata + "\n", "utf-8")


def _trace(graph: VoiceGraph, many_speakers: bool, path: Path) -> None:
    inputs = [torch.randint(3, 120, (2, 61)), torch.tensor([61, 40]), torch.tensor([0.0, 1.0, 0.0])]
    names = ["input", "input_lengths", "scales"]
    axes = {
        "input": {0: "batch_size", 1: "phonemes"},
        "input_lengths": {0: "batch_size"},
        "output": {0: "batch_size", 3: "time"},
        "durations": {0: "batch_size", 2: "phonemes"},
    }
    if many_speakers:
        inputs.append(torch.zeros(2, dtype=torch.long))
        names.append("sid")
        axes["sid"] = {0: "batch_size"}
    with torch.no_grad():
        torch.onnx.export(
            graph,
            tuple(inputs),
            str(path),
            input_names=names,
            output_names=["output", "durations"],
            opset_version=OPSET,
            dynamic_axes=axes,
            dynamo=False,
        )


def _check(model: onnx.ModelProto) -> None:
    onnx.checker.check_model(model)
    ceils = sum(node.op_type == "Ceil" for node in model.graph.node)
    if ceils != 1:
        raise ValueError(f"an engine finds the durations by the graph's one Ceil; this graph has {ceils}")


def _weights(graph: onnx.GraphProto) -> Iterator[tuple[str, np.ndarray]]:
    """(name, value) of every constant: initialisers and the outputs of Constant nodes."""
    for tensor in graph.initializer:
        yield tensor.name, numpy_helper.to_array(tensor)
    for node in graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            yield node.output[0], numpy_helper.to_array(node.attribute[0].t)


def _name_weights(graph: onnx.GraphProto, voice: Voice) -> None:
    """Rename the constants that the exporter named by itself: many are weights, some of them transposed."""
    by_content = {}
    for name, parameter in voice.named_parameters():
        value = parameter.detach().numpy()
        by_content[value.tobytes(), value.shape] = _PARAMETER + name
        if value.ndim == 2:
            by_content.setdefault((value.T.tobytes(), value.T.shape), _TRANSPOSED + name)
    names = {}
    for name, value in _weights(graph):
        if (known := by_content.get((value.tobytes(), value.shape))) and known not in names.values():
            names[name] = known
    missing = {name for name, _ in voice.named_parameters()} - {name.split(":")[1] for name in names.values()}
    if missing:
        raise ValueError(
            "the graph lacks weights of the network; the exporter merges those that are equal to each other, so that "
            f"a voice must have been trained before it can be exported: {sorted(missing)}"
        )
    _rename(graph, names)


def _rename(graph: onnx.GraphProto, names: dict[str, str]) -> None:
    for tensor in graph.initializer:
        tensor.name = names.get(tensor.name, tensor.name)
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]


def _store_halves(graph: onnx.GraphProto) -> None:
    """Big fp32 constants as fp16 initialisers named NAME/half, each with a Cast to NAME."""
    big = {name: value for name, value in _weights(graph) if value.dtype == np.float32 and value.size >= _BIG}
    small = [tensor for tensor in graph.initializer if tensor.name not in big]
    nodes = [node for node in graph.node if node.op_type != "Constant" or node.output[0] not in big]
    casts = [helper.make_node("Cast", [f"{name}/half"], [name], to=onnx.TensorProto.FLOAT) for name in big]
    halves = [numpy_helper.from_array(value.astype(np.float16), f"{name}/half") for name, value in big.items()]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(small + halves)
    graph.node.extend(casts + nodes)


def piper_metadata(checkpoint: Checkpoint) -> dict:
    """What Piper's readers expect beside the graph. The first speaker's language is the voice's."""
    first, speakers = SPEAKERS[checkpoint.speakers[0]], checkpoint.speakers
    code, native, english, country = _LANGUAGES[first.language]
    return {
        "audio": {"sample_rate": SAMPLE_RATE, "quality": "medium"},
        "hop_length": HOP,
        "espeak": {"voice": first.espeak_voice},
        "phoneme_type": "espeak",
        "phoneme_map": {},
        "phoneme_id_map": {symbol: [number] for symbol, number in symbol_ids().items()},
        "num_symbols": checkpoint.sizes.symbols,
        "num_speakers": len(speakers),
        "speaker_id_map": {SPEAKERS[name].model: row for row, name in enumerate(speakers)} if len(speakers) > 1 else {},
        "inference": {"noise_scale": 1.0, "length_scale": 1, "noise_w": 0.0},
        "language": {
            "code": code,
            "family": first.language,
            "region": code.split("_")[1],
            "name_native": native,
            "name_english": english,
            "country_english": country,
        },
        "lantang": _description(speakers),
        "dataset": "speech of Kokoro-82M by hexgrad, Apache License 2.0",
        "piper_version": "1.0.0",
    }


def _description(speakers: list[str]) -> dict:
    """What lantang's list of voices shows, under a key that Piper ignores."""
    told = {
        SPEAKERS[name].model: {
            "label": SPEAKERS[name].model.capitalize(),
            "gender": SPEAKERS[name].gender,
            "language": _LANGUAGES[SPEAKERS[name].language][0].replace("_", "-"),
        }
        for name in speakers
    }
    common = {"domain": "general", "licence": "Apache-2.0"}
    if len(speakers) == 1:
        return common | told[SPEAKERS[speakers[0]].model]
    return common | {"speakers": {model: {"name": model, **description} for model, description in told.items()}}


def recover(path: Path) -> Checkpoint:
    """The checkpoint that `export_voice` made `path` from, weights rounded to fp16, without optimiser.

    Raises KeyError where the file was not written by `export_voice`.
    """
    model = onnx.load(path)
    properties = {entry.key: json.loads(entry.value) for entry in model.metadata_props}
    weights = {}
    for name, value in _weights(model.graph):
        kind, _, parameter = name.removesuffix("/half").partition(":")
        if kind + ":" in (_PARAMETER, _TRANSPOSED):
            value = value.T if kind + ":" == _TRANSPOSED else value
            weights[parameter] = torch.from_numpy(value.astype(np.float32))
    sizes = Architecture(**properties["architecture"])
    return Checkpoint(sizes, properties["speakers"], weights, properties["median_log_f0"])
