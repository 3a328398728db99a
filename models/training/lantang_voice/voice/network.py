"""The network: phonemes to durations, pitch and the cepstra of the source-filter synthesiser.

ConvNeXt blocks throughout (Liu et al. 2022), in one dimension and with masks, so that a row of a batch is
computed exactly as it would be alone. Shapes: B rows, N pairs of phoneme and pad, T frames.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .source_filter import SourceFilter

MEAN_LOG_F0 = 5.1
"""Natural logarithm of about 164 Hz, where the pitch predictor starts."""

_MASKED = 1e4
_GELU_SLOPE = math.sqrt(2 / math.pi)
_GELU_CUBE = 0.044715 * _GELU_SLOPE
_F0_SCALE = 0.3
_POSITION_WIDTH = 3


@dataclass(frozen=True)
class Architecture:
    """Sizes of the network."""

    symbols: int = 256
    speakers: int = 1
    text_width: int = 192
    text_hidden: int = 512
    text_blocks: int = 5
    pitch_width: int = 128
    decoder_width: int = 256
    decoder_hidden: int = 768
    decoder_blocks: int = 6
    pulse_order: int = 50
    noise_order: int = 30


def gelu(x: Tensor) -> Tensor:
    """x / 2 (1 + tanh z), z = sqrt(2 / pi) (x + 0.044715 x^3) (Hendrycks and Gimpel 2016).

    PyTorch has it as one kernel; an exported graph spells it out, in ten operators that each go through memory, or in
    these eight. (As x times a logistic function it takes six, but the runtime's rounds an element otherwise in another
    place of memory, so that a row beside others was not the row alone: 4e-4 apart, by the phase that adds it up.)
    """
    if torch.onnx.is_in_onnx_export():
        half = 0.5 * x
        return half + half * torch.tanh(x * (_GELU_SLOPE + _GELU_CUBE * (x * x)))
    return F.gelu(x, approximate="tanh")


class Block(nn.Module):
    """Depthwise convolution over time, then two layers at each position, added to the input."""

    def __init__(self, width: int, hidden: int, kernel: int):
        super().__init__()
        self.depthwise = nn.Conv1d(width, width, kernel, groups=width, padding=kernel // 2)
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)
        nn.init.normal_(self.narrow.weight, std=0.01)
        nn.init.zeros_(self.narrow.bias)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        mixed = self.depthwise((x * mask).transpose(1, 2)).transpose(1, 2)
        return x + self.narrow(gelu(self.widen(self.norm(mixed))))


class Stack(nn.Module):
    """Blocks one after another."""

    def __init__(self, width: int, hidden: int, kernel: int, blocks: int):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width, hidden, kernel) for _ in range(blocks)])

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x, mask)
        return x


class SelfAttention(nn.Module):
    """Multi-head attention among the phonemes of one row, added to the input."""

    def __init__(self, width: int, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.project = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        nn.init.normal_(self.mix.weight, std=0.01)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, length, width = x.shape
        projected = self.project(self.norm(x)).reshape(rows, length, 3, self.heads, width // self.heads)
        query, key, value = projected.permute(2, 0, 3, 1, 4).unbind(0)
        score = query @ key.transpose(-1, -2) * (width // self.heads) ** -0.5
        score = score + (mask.reshape(rows, 1, 1, length) - 1) * _MASKED
        return x + self.mix((score.softmax(-1) @ value).transpose(1, 2).reshape(rows, length, width))


class TextEncoder(nn.Module):
    """Pairs of phoneme and pad to features, and to log(1 + frames) of each pair."""

    def __init__(self, sizes: Architecture):
        super().__init__()
        width, hidden = sizes.text_width, sizes.text_hidden
        self.symbols = nn.Embedding(sizes.symbols, width)
        self.pads = nn.Embedding(sizes.symbols, width)
        self.speakers = nn.Embedding(sizes.speakers, width)
        for table, spread in ((self.symbols, 0.3), (self.pads, 0.05), (self.speakers, 0.1)):
            nn.init.normal_(table.weight, std=spread)
        self.near = Stack(width, hidden, 11, sizes.text_blocks - 2)
        self.attention = SelfAttention(width)
        self.middle = Stack(width, hidden, 11, 1)
        self.late_attention = SelfAttention(width)
        self.final = Stack(width, hidden, 11, 1)
        self.duration = Stack(width, 256, 5, 2)
        self.duration_norm = nn.LayerNorm(width)
        self.duration_output = nn.Linear(width, 1)

    def forward(self, ids: Tensor, mask: Tensor, speaker: Tensor) -> tuple[Tensor, Tensor]:
        """ids [B, 2N], mask [B, N, 1], speaker [B] to features [B, N, width] and log durations [B, N].

        The gradient of the durations stops before the features: they are not bent to predict rhythm.
        """
        rows, length = ids.shape
        pairs = ids.reshape(rows, length // 2, 2)
        x = self.symbols(pairs[..., 0]) + self.pads(pairs[..., 1]) + self.speakers(speaker)[:, None]
        x = self.attention(self.near(x, mask), mask)
        x = self.late_attention(self.middle(x, mask), mask)
        x = self.final(x, mask)
        rhythm = self.duration_norm(self.duration(x.detach() if self.training else x, mask))
        return x * mask, self.duration_output(rhythm)[..., 0]


def spread_over_frames(features: Tensor, durations: Tensor, frames: Tensor) -> tuple[Tensor, Tensor]:
    """Features [B, N, C] repeated for their frames, with three measures of the position in the phoneme.

    durations: float [B, N], frames of each pair; frames: float [B, T], the times of frame centres in frames.
    Returns [B, T, C + 3] and the mask [B, T] of frames inside the utterance. A product with a matrix of zeros
    and ones, so that it runs as well in a graph without loops.
    """
    ends = durations.cumsum(1)
    starts = ends - durations
    owner = ((frames[:, :, None] < ends[:, None]) & (frames[:, :, None] >= starts[:, None])).to(features.dtype)
    spread = owner @ torch.cat([features, starts[..., None], durations[..., None]], -1)
    inside = ((frames < ends[:, -1:]) & (frames > 0)).to(features.dtype)
    start, duration = spread[..., -2], spread[..., -1]
    since = frames - start
    position = torch.stack(
        [since / (duration + 0.01), torch.log1p(F.relu(since)), torch.log1p(F.relu(duration - since))], -1
    )
    return torch.cat([spread[..., :-2], position * inside[..., None]], -1), inside


class PitchPredictor(nn.Module):
    """Frames to log F0."""

    def __init__(self, sizes: Architecture):
        super().__init__()
        self.speakers = nn.Embedding(sizes.speakers, sizes.pitch_width)
        nn.init.normal_(self.speakers.weight, std=0.1)
        self.input = nn.Linear(sizes.text_width + _POSITION_WIDTH, sizes.pitch_width)
        self.stack = Stack(sizes.pitch_width, 256, 11, 4)
        self.norm = nn.LayerNorm(sizes.pitch_width)
        self.output = nn.Linear(sizes.pitch_width, 1)

    def forward(self, frames: Tensor, inside: Tensor, speaker: Tensor) -> Tensor:
        """frames [B, T, C + 3], inside [B, T], speaker [B] to log F0 [B, T]."""
        mask = inside[..., None]
        x = (self.input(frames) + self.speakers(speaker)[:, None]) * mask
        return self.output(self.norm(self.stack(x, mask)))[..., 0] * _F0_SCALE + MEAN_LOG_F0


class Decoder(nn.Module):
    """Frames and their log F0 to the cepstra of two half-frames each."""

    def __init__(self, sizes: Architecture):
        super().__init__()
        self.pulse_order = sizes.pulse_order
        self.orders = sizes.pulse_order + sizes.noise_order
        self.speakers = nn.Embedding(sizes.speakers, sizes.decoder_width)
        nn.init.normal_(self.speakers.weight, std=0.1)
        self.input = nn.Linear(sizes.text_width + _POSITION_WIDTH + 2, sizes.decoder_width)
        self.stack = Stack(sizes.decoder_width, sizes.decoder_hidden, 9, sizes.decoder_blocks)
        self.norm = nn.LayerNorm(sizes.decoder_width)
        self.output = nn.Linear(sizes.decoder_width, 2 * self.orders)
        nn.init.normal_(self.output.weight, std=0.02)
        with torch.no_grad():
            levels = self.output.bias.zero_().view(2, self.orders)
            levels[:, 0], levels[:, sizes.pulse_order] = -3.0, -6.0

    def forward(self, frames: Tensor, log_f0: Tensor, inside: Tensor, speaker: Tensor) -> tuple[Tensor, Tensor]:
        """To pulse cepstra [B, 2T, pulse_order] and noise cepstra [B, 2T, noise_order]."""
        mask, pitch = inside[..., None], (log_f0 - MEAN_LOG_F0) * 3
        x = self.input(torch.cat([frames, pitch[..., None], (pitch * pitch)[..., None]], -1))
        x = self.stack((x + self.speakers(speaker)[:, None]) * mask, mask)
        rows, length, _ = x.shape
        cepstra = self.output(self.norm(x)).reshape(rows, 2 * length, self.orders)
        return cepstra[..., : self.pulse_order], cepstra[..., self.pulse_order :]


class Voice(nn.Module):
    """The whole pupil. Training calls its parts with the teacher's durations and pitch; export chains them."""

    def __init__(self, sizes: Architecture):
        super().__init__()
        self.sizes = sizes
        self.text = TextEncoder(sizes)
        self.pitch = PitchPredictor(sizes)
        self.decoder = Decoder(sizes)
        self.synthesiser = SourceFilter(sizes.pulse_order, sizes.noise_order)
