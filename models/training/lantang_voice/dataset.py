"""Aligned speech as training reads it: pieces of at most 24 MB, each complete in itself.

A piece is a NumPy archive. Pieces are small so that a dataset can be carried in parts to another machine,
and the speech in them stays FLAC for the same reason.
"""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from . import HOP, SAMPLE_RATE

_PIECE_BYTES = 24_000_000
_ROW_BYTES = 4096  # about what an utterance takes beside its speech


@dataclass(frozen=True)
class Utterance:
    """One aligned utterance."""

    key: str
    spoken: str
    """Phonemes between `^` and `$`."""

    durations: np.ndarray
    """float32 [symbols + 2]: frames of each symbol, `^` and `$` included; their sum is the count of frames."""

    log_f0: np.ndarray
    """float32 [frames]."""

    voiced: np.ndarray
    """bool [frames]."""

    samples: np.ndarray
    """int16 [frames x HOP]; empty where only the prosody is known."""

    @property
    def frames(self) -> int:
        """Length in frames."""
        return len(self.log_f0)


def write_pieces(folder: Path, utterances: Iterable[Utterance]) -> None:
    """Replace the pieces in `folder` by `utterances`."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("piece-*.npz"):
        old.unlink()
    for number, piece in enumerate(_grouped((utterance, _flac(utterance)) for utterance in utterances)):
        _write_piece(folder / f"piece-{number:03d}.npz", piece)


def read_pieces(folder: Path) -> Iterator[Utterance]:
    """The utterances of all pieces in `folder`. Raises FileNotFoundError where there are none."""
    pieces = sorted(folder.glob("piece-*.npz"))
    if not pieces:
        raise FileNotFoundError(f"{folder} holds no piece-*.npz: run the step `features` first")
    for piece in pieces:
        yield from _read_piece(piece)


def _flac(utterance: Utterance) -> bytes:
    if len(utterance.samples) == 0:
        return b""
    buffer = io.BytesIO()
    soundfile.write(buffer, utterance.samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
    return buffer.getvalue()


def _grouped(items: Iterable[tuple[Utterance, bytes]]) -> Iterator[list[tuple[Utterance, bytes]]]:
    piece, size = [], 0
    for utterance, flac in items:
        if size + len(flac) + _ROW_BYTES > _PIECE_BYTES:
            yield piece
            piece, size = [], 0
        piece.append((utterance, flac))
        size += len(flac) + _ROW_BYTES
    if piece:
        yield piece


def _write_piece(path: Path, piece: list[tuple[Utterance, bytes]]) -> None:
    utterances = [utterance for utterance, _ in piece]
    temporary = path.with_suffix(".partial")
    with temporary.open("wb") as file:
        np.savez(
            file,
            key=np.array([utterance.key for utterance in utterances]),
            spoken=np.array([utterance.spoken for utterance in utterances]),
            frames=np.array([utterance.frames for utterance in utterances]),
            flac_bytes=np.array([len(flac) for _, flac in piece]),
            durations=np.concatenate([utterance.durations for utterance in utterances]),
            log_f0=np.concatenate([utterance.log_f0 for utterance in utterances]),
            voiced=np.concatenate([utterance.voiced for utterance in utterances]),
            flac=np.frombuffer(b"".join(flac for _, flac in piece), np.uint8),
        )
    temporary.rename(path)


def _read_piece(path: Path) -> Iterator[Utterance]:
    piece = dict(np.load(path))
    symbols = np.array([len(spoken) + 2 for spoken in piece["spoken"]])
    durations = np.split(piece["durations"], np.cumsum(symbols)[:-1])
    frame_ends = np.cumsum(piece["frames"])[:-1]
    pitches, voicings = np.split(piece["log_f0"], frame_ends), np.split(piece["voiced"], frame_ends)
    flacs = np.split(piece["flac"], np.cumsum(piece["flac_bytes"])[:-1])
    for i, key in enumerate(piece["key"]):
        samples = _samples(flacs[i].tobytes())
        yield Utterance(
            key=str(key),
            spoken=str(piece["spoken"][i]),
            durations=durations[i],
            log_f0=pitches[i],
            voiced=voicings[i],
            samples=samples[: int(piece["frames"][i]) * HOP],
        )


def _samples(flac: bytes) -> np.ndarray:
    if not flac:
        return np.zeros(0, np.int16)
    return soundfile.read(io.BytesIO(flac), dtype="int16")[0]
