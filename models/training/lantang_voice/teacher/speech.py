"""The corpus read by the teacher, stored as FLAC beside an index of texts and phonemes. Resumable at any point."""

import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import soundfile

from .. import SAMPLE_RATE
from ..speakers import Speaker
from ..workspace import Workspace, cut_broken_line, read_json_lines
from .kokoro import Kokoro

_SHORTEST = SAMPLE_RATE // 4
_REPORT_EVERY = 20


@dataclass(frozen=True)
class Shard:
    """Every `count`-th line of a corpus, from line `index` on: the part of one process of several."""

    index: int
    count: int


def synthesise(workspace: Workspace, speakers: list[Speaker], shard: Shard, hours: float, device: str = "cpu") -> None:
    """Read this shard of the corpora, the speakers taking turns, until each has `hours` (all shards together).

    A line that is already in the shard's index is not read again, and an utterance enters the index only
    after its file is complete, so the step can be stopped and started at will.
    """
    teacher = Kokoro(workspace.teacher, device)
    readings = [_readings(workspace, speaker, shard, teacher, hours * 3600 / shard.count) for speaker in speakers]
    started, made = time.monotonic(), 0.0
    for count, seconds in enumerate(itertools.chain.from_iterable(_in_turn(readings)), 1):
        made += seconds
        if count % _REPORT_EVERY == 0:
            speed = made / (time.monotonic() - started)
            print(f"shard {shard.index}: {made / 60:.1f} min of speech, {speed:.2f} x real time", flush=True)


def _in_turn(readings: list[Iterator[float]]) -> Iterator[tuple[float, ...]]:
    """One item of each iterator per round; an iterator that has ended is left out."""
    active = list(readings)
    while active:
        results = [(reading, next(reading, None)) for reading in active]
        active = [reading for reading, seconds in results if seconds is not None]
        yield tuple(seconds for _, seconds in results if seconds is not None)


def _readings(
    workspace: Workspace, speaker: Speaker, shard: Shard, teacher: Kokoro, seconds_wanted: float
) -> Iterator[float]:
    """Read line after line, yielding the seconds of each, until `seconds_wanted` are stored."""
    folder = workspace.speech(speaker.name)
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / f"index-{shard.index}-of-{shard.count}.jsonl"
    index.touch()
    cut_broken_line(index)
    have = sum(entry["samples"] for entry in read_json_lines(index)) / SAMPLE_RATE
    done = indexed(folder)
    style = teacher.style(speaker.teacher)
    lines = itertools.islice(read_json_lines(workspace.corpus(speaker.name)), shard.index, None, shard.count)
    with index.open("a", encoding="utf-8") as entries:
        for line in lines:
            if line["key"] in done:
                continue
            if have >= seconds_wanted:
                return
            reading = teacher.read(line["teacher_phonemes"], style)
            samples = speaker.gain * reading.samples
            if len(samples) < _SHORTEST:
                continue
            _write_flac(folder / f"{line['key']}.flac", samples)
            entry = {**line, "samples": len(samples), "ends": reading.ends.tolist()}
            entries.write(json.dumps(entry, ensure_ascii=False) + "\n")
            entries.flush()
            have += len(samples) / SAMPLE_RATE
            yield len(samples) / SAMPLE_RATE


def _write_flac(path: Path, samples) -> None:
    temporary = path.with_suffix(".partial")
    soundfile.write(temporary, samples.clip(-1, 1), SAMPLE_RATE, format="FLAC", subtype="PCM_16")
    temporary.rename(path)


def indexed(folder: Path) -> dict[str, dict]:
    """Index entries of all shards by key: the corpus line, `samples`, and `ends` (see `kokoro.Reading`)."""
    return {entry["key"]: entry for index in sorted(folder.glob("index-*.jsonl")) for entry in read_json_lines(index)}
