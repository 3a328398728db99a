"""Weights on disk, the prototype's among them, and weights carried over to other speakers."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import torch
from torch import Tensor

from .network import Architecture, Voice


@dataclass
class Checkpoint:
    """A voice with all that is needed to export it or to go on training it."""

    sizes: Architecture
    speakers: list[str]
    weights: dict[str, Tensor]
    median_log_f0: list[float]
    """Natural logarithm of each speaker's median F0 in hertz."""

    step: int = 0
    optimiser: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    """State of optional parts of the training, by name."""

    def voice(self) -> Voice:
        """The network with these weights."""
        voice = Voice(self.sizes)
        voice.load_state_dict(self.weights)
        return voice

    def averaged(self) -> "Checkpoint":
        """The same with the moving average of the weights in their place, where there is one."""
        return replace(self, weights=self.extra.get("average", self.weights))


def mean_of(checkpoints: list[Checkpoint]) -> Checkpoint:
    """The mean of the averaged weights of several checkpoints of one run, without its optimiser.

    Raises ValueError where they are not of the same speakers.
    """
    last = checkpoints[-1]
    if any(found.speakers != last.speakers for found in checkpoints):
        raise ValueError(f"checkpoints of different speakers: {[found.speakers for found in checkpoints]}")
    tables = [found.averaged().weights for found in checkpoints]
    weights = {name: sum(table[name] for table in tables) / len(tables) for name in last.weights}
    return Checkpoint(last.sizes, last.speakers, weights, last.median_log_f0, last.step)


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write `path`, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".partial")
    content = {**vars(checkpoint), "sizes": asdict(checkpoint.sizes)}
    torch.save(content, temporary)
    temporary.rename(path)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint of `save_checkpoint`, or one of the prototype's."""
    content = torch.load(path, map_location="cpu", weights_only=True)
    if "m" in content:
        return _from_prototype(content)
    return Checkpoint(**{**content, "sizes": Architecture(**content["sizes"])})


def for_speakers(checkpoint: Checkpoint, speakers: list[str]) -> Checkpoint:
    """The same weights for `speakers`: those it knows keep their rows, new ones start from the mean of all rows."""
    rows = [checkpoint.speakers.index(name) if name in checkpoint.speakers else None for name in speakers]
    weights = {
        name: _select_rows(tensor, rows) if name.endswith("speakers.weight") else tensor
        for name, tensor in checkpoint.weights.items()
    }
    sizes = Architecture(**{**asdict(checkpoint.sizes), "speakers": len(speakers)})
    mean = sum(checkpoint.median_log_f0) / len(checkpoint.median_log_f0)
    medians = [mean if row is None else checkpoint.median_log_f0[row] for row in rows]
    return Checkpoint(sizes, speakers, weights, medians, checkpoint.step)


def of_known(checkpoint: Checkpoint, speakers: list[str]) -> Checkpoint:
    """The same weights for some of its speakers. Raises ValueError where it does not know one."""
    strangers = [name for name in speakers if name not in checkpoint.speakers]
    if strangers:
        raise ValueError(f"the checkpoint knows {', '.join(checkpoint.speakers)}, not {', '.join(strangers)}")
    return for_speakers(checkpoint, speakers)


def _select_rows(table: Tensor, rows: list[int | None]) -> Tensor:
    return torch.stack([table.mean(0) if row is None else table[row] for row in rows])


_PROTOTYPE_MODULES = {
    "emb": "text.symbols", "emb2": "text.pads", "spk": "text.speakers", "e1": "text.near", "a1": "text.attention",
    "e2": "text.middle", "a2": "text.late_attention", "e3": "text.final", "dp": "text.duration",
    "dln": "text.duration_norm", "do": "text.duration_output", "spf": "pitch.speakers", "fi": "pitch.input",
    "f": "pitch.stack", "fln": "pitch.norm", "fo": "pitch.output", "spd": "decoder.speakers", "di": "decoder.input",
    "d": "decoder.stack", "oln": "decoder.norm", "oo": "decoder.output",
}  # fmt: skip
_PROTOTYPE_PARTS = {
    "b": "blocks", "dw": "depthwise", "ln": "norm", "p1": "widen", "p2": "narrow", "qkv": "project", "o": "mix",
}  # fmt: skip


def _from_prototype(content: dict) -> Checkpoint:
    """The prototype kept fp16 weights under short names."""
    weights = {_prototype_name(name): tensor.float() for name, tensor in content["m"].items()}
    count = content["nspk"]
    speakers = ["english-woman"] if count == 1 else [f"prototype-{i}" for i in range(count)]
    medians = list(content.get("f0m", [5.1] * count))
    return Checkpoint(Architecture(speakers=count), speakers, weights, medians)


def _prototype_name(name: str) -> str:
    module, *parts = name.split(".")
    return ".".join([_PROTOTYPE_MODULES[module], *(_PROTOTYPE_PARTS.get(part, part) for part in parts)])
