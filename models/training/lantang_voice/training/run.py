"""A training run: data in, checkpoints out, resumable at any step."""

import math
import random
import shutil
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from ..dataset import read_pieces
from ..voice.checkpoint import Checkpoint, for_speakers, load_checkpoint, save_checkpoint
from ..voice.network import Architecture, Voice
from ..workspace import Workspace
from .adversary import Adversary, AdversaryOptions
from .averaging import WeightAverage
from .batches import Batch, Example, collate, examples, split
from .step import Manner, answer, prosody_errors

_REPORT_EVERY = 100
_VALIDATION_BATCH = 8
_VALIDATION_CROP = 128
_WARM_UP_STEPS = 200
_LAST_RATE_SHARE = 0.02


@dataclass(frozen=True)
class Options:
    """How to train."""

    speakers: list[str]
    steps: int
    minutes: float = math.inf
    """Stop after this time even if steps remain; a later run goes on."""
    rows: int = 12
    crop: int = 96
    learning_rate: float = 1e-3
    start_from: Path | None = None
    """Weights to begin with where the run has no checkpoint of its own."""
    checkpoint_minutes: float = 10.0
    keep_all: bool = False
    """Keep each checkpoint as at-STEP.pt, 70 MB, to judge them and to average them."""
    threads: int = 1
    bf16: bool = False
    device: str = "cpu"
    unread: bool = False
    """Learn rhythm and pitch from text as well that the teacher did not read aloud."""
    adversary: AdversaryOptions | None = None
    """Let judges that learn too hear the speech."""
    manner: Manner = Manner()


class Training:
    """The state of one run: the pupil, its average, its optimiser and the step that it is at."""

    def __init__(self, folder: Path, options: Options, everything: list[Example], unread: list[Example]):
        """`everything` was read aloud; of what is `unread` only the prosody is known."""
        self._folder, self._options = folder, options
        self._device = torch.device(options.device)
        self._training, self._validation = split(everything)
        self._unread, _ = split(unread)
        checkpoint = self._begin()
        self.step = checkpoint.step
        self._medians = _median_log_f0(everything, len(options.speakers))
        self.voice = checkpoint.voice().to(self._device)
        self.average = WeightAverage(self.voice, checkpoint.extra.get("average"))
        self._optimiser = torch.optim.AdamW(
            self.voice.parameters(), options.learning_rate, betas=(0.9, 0.98), weight_decay=0.01
        )
        if checkpoint.optimiser:
            self._optimiser.load_state_dict(checkpoint.optimiser)
        self._adversary = self._begin_adversary(checkpoint.extra.get("adversary"))
        self._chance = random.Random(self.step)
        torch.manual_seed(self.step)

    def _begin(self) -> Checkpoint:
        own = self._folder / "last.pt"
        if own.exists():
            checkpoint = load_checkpoint(own)
            if checkpoint.speakers != self._options.speakers:
                raise ValueError(f"{own} was trained for {checkpoint.speakers}, not {self._options.speakers}")
            return checkpoint
        if self._options.start_from is not None:
            found = load_checkpoint(self._options.start_from)
            start = for_speakers(found.averaged(), self._options.speakers)
            judges = {name: state for name, state in found.extra.items() if name == "adversary"}
            return Checkpoint(start.sizes, start.speakers, start.weights, start.median_log_f0, extra=judges)
        sizes = Architecture(speakers=len(self._options.speakers))
        return Checkpoint(sizes, self._options.speakers, Voice(sizes).state_dict(), [])

    def _begin_adversary(self, state: dict | None) -> Adversary | None:
        chosen = self._options.adversary
        return None if chosen is None else Adversary(chosen, self._device, state)

    def run(self) -> None:
        """Train until the steps or the minutes are used up."""
        started = saved = reported = time.monotonic()
        figures: dict[str, list[float]] = defaultdict(list)
        batches, unread = self._batches(self._training), self._batches(self._unread)
        while self.step < self._options.steps and time.monotonic() - started < self._options.minutes * 60:
            for name, value in self._take_step(next(batches), next(unread, None)).items():
                figures[name].append(value)
            if self.step % _REPORT_EVERY == 0:
                seconds = (time.monotonic() - reported) / len(figures["plain"])
                self._report(figures, f"{seconds:.2f} s a step")
                reported = time.monotonic()
                figures.clear()
            if time.monotonic() - saved > self._options.checkpoint_minutes * 60:
                self._keep()
                saved = time.monotonic()
        self._keep()

    def _keep(self) -> None:
        self.save()
        if self._options.keep_all:
            shutil.copy(self._folder / "last.pt", self._folder / f"at-{self.step}.pt")
        self._report({name: [value] for name, value in self.validate().items()}, "validation")

    def _batches(self, pool: list[Example]) -> Iterator[Batch]:
        """Random batches without end, unless the pool is empty; the next is put together beside learning."""

        def draw() -> Batch:
            chosen = chance.sample(pool, min(self._options.rows, len(pool)))
            return collate(chosen, self._options.crop, chance)

        if not pool:
            return
        chance = random.Random(self.step)
        with ThreadPoolExecutor(1) as worker:
            coming = worker.submit(draw)
            while True:
                batch, coming = coming.result(), worker.submit(draw)
                yield batch.to(self._device)

    def _take_step(self, batch: Batch, unread: Batch | None) -> dict[str, float]:
        self.voice.train()
        for group in self._optimiser.param_groups:
            group["lr"] = self._options.learning_rate * self._rate()
        given = answer(self.voice, batch, self._precision(), self._options.manner)
        loss, figures = given.loss, given.figures()
        if self._adversary is not None:
            given.speech.register_hook(self._adversary.observe)
            persuasion, figures["judges"] = self._adversary.learn(
                given.judged, batch.samples, self._chance, self._precision()
            )
            loss = loss + persuasion
        if unread is not None:
            prosody = prosody_errors(self.voice, unread, self._precision())
            loss = loss + prosody.loss
            figures |= {f"unread {name}": value for name, value in prosody.figures().items()}
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.voice.parameters(), 1.0)
        self._optimiser.step()
        self.average.update(self.voice)
        self.step += 1
        return figures

    def _rate(self) -> float:
        """Warm-up, then half a cosine down to a fiftieth over the planned steps."""
        falling = 0.5 * (1 + math.cos(math.pi * min(1.0, self.step / self._options.steps)))
        return min(1.0, (self.step + 1) / _WARM_UP_STEPS) * (falling * (1 - _LAST_RATE_SHARE) + _LAST_RATE_SHARE)

    def _precision(self) -> AbstractContextManager:
        if not self._options.bf16:
            return nullcontext()
        return torch.autocast(self._device.type, torch.bfloat16)

    def validate(self) -> dict[str, float]:
        """Mean errors of the averaged weights over the validation utterances."""
        voice = Voice(self.voice.sizes).to(self._device).eval()
        voice.load_state_dict(self.average.weights)
        found: dict[str, list[float]] = defaultdict(list)
        with torch.no_grad():
            for start in range(0, len(self._validation), _VALIDATION_BATCH):
                chosen = self._validation[start : start + _VALIDATION_BATCH]
                batch = collate(chosen, _VALIDATION_CROP, None).to(self._device)
                for name, value in answer(voice, batch, nullcontext()).figures().items():
                    found[name].append(value)
        return {name: float(np.mean(values)) for name, values in found.items()}

    def save(self) -> None:
        """Write `last.pt`, from which a later run goes on."""
        extra = {"average": {name: tensor.cpu() for name, tensor in self.average.weights.items()}}
        if self._adversary is not None:
            extra["adversary"] = self._adversary.state()
        checkpoint = Checkpoint(
            sizes=self.voice.sizes,
            speakers=self._options.speakers,
            weights={name: tensor.cpu() for name, tensor in self.voice.state_dict().items()},
            median_log_f0=self._medians,
            step=self.step,
            optimiser=self._optimiser.state_dict(),
            extra=extra,
        )
        save_checkpoint(self._folder / "last.pt", checkpoint)

    def _report(self, figures: dict[str, list[float]], remark: str) -> None:
        means = " ".join(f"{name} {np.mean(values):.4g}" for name, values in figures.items())
        line = f"{self.step}/{self._options.steps} {means} ({remark})"
        print(line, flush=True)
        with (self._folder / "log.txt").open("a", encoding="utf-8") as log:
            log.write(line + "\n")


def train(workspace: Workspace, name: str, options: Options) -> None:
    """Train run `name` of the workspace, or go on with it where it stopped."""
    torch.set_num_threads(options.threads)
    folder = workspace.run(name)
    folder.mkdir(parents=True, exist_ok=True)
    read = [workspace.features(speaker) for speaker in options.speakers]
    unread = [workspace.prosody(speaker) for speaker in options.speakers]
    Training(folder, options, _examples(read), _examples(unread) if options.unread else []).run()


def _examples(folders: list[Path]) -> list[Example]:
    """The examples of each speaker's folder."""
    return [example for row, folder in enumerate(folders) for example in examples(list(read_pieces(folder)), row)]


def _median_log_f0(everything: list[Example], speakers: int) -> list[float]:
    voiced: list[list[np.ndarray]] = [[] for _ in range(speakers)]
    for example in everything:
        voiced[example.speaker].append(example.utterance.log_f0[example.utterance.voiced])
    return [float(np.median(np.concatenate(values))) for values in voiced]
