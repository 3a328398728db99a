"""Where the steps keep what they make. One folder, outside the repository, holds a whole training."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Workspace:
    """Paths under one folder; each step reads what the steps before it wrote."""

    root: Path

    @property
    def teacher(self) -> Path:
        """Kokoro's weights, vocabulary and styles."""
        return self.root / "teacher"

    def corpus(self, speaker: str) -> Path:
        """The lines for a speaker to read, one JSON object a line: key, kind, text, phonemes, teacher_phonemes,
        and `origins`: for each of the teacher's symbols the first of the pupil's that it stands for."""
        return self.root / "corpus" / f"{speaker}.jsonl"

    def speech(self, speaker: str) -> Path:
        """Folder of the teacher's speech: KEY.flac and index-SHARD.jsonl."""
        return self.root / "speech" / speaker

    def features(self, speaker: str) -> Path:
        """Folder of aligned utterances, ready for training."""
        return self.root / "features" / speaker

    def prosody(self, speaker: str) -> Path:
        """Folder of utterances of which only durations and pitch are known."""
        return self.root / "prosody" / speaker

    @property
    def recogniser(self) -> Path:
        """whisper-base, which evaluation listens with."""
        return self.root / "recogniser"

    def run(self, name: str) -> Path:
        """Folder of one training run: checkpoints and its log."""
        return self.root / "runs" / name


def read_json_lines(path: Path) -> Iterator[dict]:
    """Objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def cut_broken_line(path: Path) -> None:
    """Take the last line off a JSON Lines file if a crash cut it short."""
    content = path.read_bytes()
    if not content.endswith(b"\n"):
        path.write_bytes(content[: content.rfind(b"\n") + 1])


def write_json_lines(path: Path, objects: Iterable[dict]) -> None:
    """Write `objects` to `path`, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".partial")
    with temporary.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in objects)
    temporary.rename(path)
