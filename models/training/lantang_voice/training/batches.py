"""Crops of utterances, put together into tensors."""

import random
import zlib
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .. import HOP
from ..dataset import Utterance
from ..phonemes import BEGIN, END, symbol_ids

MARGIN = 8
"""Frames before and after a crop that the decoder sees but that are not judged."""

_TEXT_STEP = 64
_VALIDATION_SHARE = 48
_LONGEST_TEXT = 200


@dataclass(frozen=True)
class Example:
    """An utterance with its ids and the row of its speaker."""

    utterance: Utterance
    ids: np.ndarray
    speaker: int


@dataclass(frozen=True)
class Batch:
    """B crops of W = crop + 2 x MARGIN frames with the whole text of each."""

    ids: Tensor
    """int64 [B, 2N]."""
    mask: Tensor
    """float [B, N, 1]: 1 for phonemes of the text."""
    durations: Tensor
    """float [B, N] frames."""
    frames: Tensor
    """float [B, W]: times of frame centres, in frames from the utterance's start; outside of it too."""
    log_f0: Tensor
    """float [B, W]."""
    voiced: Tensor
    """float [B, W]: 1 where voiced and inside the utterance."""
    samples: Tensor
    """float [B, crop x HOP] in -1..1, silence beyond the utterance."""
    speaker: Tensor
    """int64 [B]."""

    def to(self, device: torch.device) -> "Batch":
        """The same batch on `device`."""
        return Batch(**{name: tensor.to(device, non_blocking=True) for name, tensor in vars(self).items()})


def examples(utterances: list[Utterance], speaker: int) -> list[Example]:
    """Examples of one speaker; the longest texts are left out, their padding would slow every batch."""
    table = symbol_ids()
    return [
        Example(utterance, _paired_ids(utterance.spoken, table), speaker)
        for utterance in utterances
        if len(utterance.spoken) < _LONGEST_TEXT
    ]


def _paired_ids(spoken: str, table: dict[str, int]) -> np.ndarray:
    """Each symbol's id followed by the pad's, as `phonemes.ids` writes them, and a last pad."""
    return np.array([i for symbol in BEGIN + spoken + END for i in (table[symbol], 0)])


def split(everything: list[Example]) -> tuple[list[Example], list[Example]]:
    """(training, validation): about one in 48, chosen by key, so that it stays the same as data grows."""
    is_held = [zlib.crc32(example.utterance.key.encode()) % _VALIDATION_SHARE == 0 for example in everything]
    training = [example for example, held in zip(everything, is_held, strict=True) if not held]
    return training, [example for example, held in zip(everything, is_held, strict=True) if held]


def collate(chosen: list[Example], crop: int, chance: random.Random | None) -> Batch:
    """Crops of `crop` frames at places drawn from `chance`, or from each beginning without it."""
    length = -(-max(len(example.ids) for example in chosen) // _TEXT_STEP) * _TEXT_STEP
    rows, width = len(chosen), crop + 2 * MARGIN
    ids = np.zeros((rows, length), np.int64)
    mask = np.zeros((rows, length // 2, 1), np.float32)
    durations = np.zeros((rows, length // 2), np.float32)
    frames, log_f0, voiced = (np.zeros((rows, width), np.float32) for _ in range(3))
    samples = np.zeros((rows, crop * HOP), np.float32)
    for row, example in enumerate(chosen):
        utterance, symbols = example.utterance, len(example.ids) // 2
        ids[row, : 2 * symbols] = example.ids
        mask[row, :symbols] = 1
        durations[row, :symbols] = utterance.durations
        start = chance.randint(0, max(0, utterance.frames - crop)) if chance else 0
        places = np.arange(start - MARGIN, start + crop + MARGIN)
        inside = np.clip(places, 0, utterance.frames - 1)
        frames[row], log_f0[row] = places + 0.5, utterance.log_f0[inside]
        voiced[row] = utterance.voiced[inside] * (places == inside)
        heard = utterance.samples[start * HOP : (start + crop) * HOP]
        samples[row, : len(heard)] = heard.astype(np.float32) / 32768
    speaker = np.array([example.speaker for example in chosen])
    arrays = (ids, mask, durations, frames, log_f0, voiced, samples, speaker)
    return Batch(*map(torch.from_numpy, arrays))
