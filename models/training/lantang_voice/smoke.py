"""The whole pipeline on very little: proof that every step runs, not a voice worth hearing."""

from pathlib import Path

from .corpus.build import build_corpus, held_out_sentences
from .speakers import SPEAKERS
from .workspace import Workspace

_SPEAKERS = ("english-woman", "indonesian-man")
_SENTENCES = 6
_LINE_SECONDS = 3
_CHECKPOINT = "last.pt"


def smoke(root: Path, lines: int, train_minutes: float) -> None:
    """Train on two speakers, who read about `lines` lines each, under `root`; make and judge a voice of the first."""
    from .evaluation.listening import Listener
    from .evaluation.readers import TeacherReader, VoiceReader
    from .evaluation.recogniser import Recogniser, fetch_recogniser
    from .evaluation.report import Evaluation, evaluate
    from .evaluation.summary import summary
    from .features import extract_features
    from .prosody import extract_prosody
    from .teacher.kokoro import Kokoro
    from .teacher.packages import fetch_teacher
    from .teacher.speech import Shard, synthesise
    from .training.run import Options, train
    from .voice.checkpoint import load_checkpoint, of_known, save_checkpoint
    from .voice.export import export_voice, recover
    from .voice.graph import Settings

    workspace = Workspace(root)
    speakers = [SPEAKERS[name] for name in _SPEAKERS]
    fetch_teacher(workspace.teacher)
    fetch_recogniser(workspace.recogniser)
    build_corpus(workspace, speakers, 2 * lines)
    synthesise(workspace, speakers, Shard(0, 1), hours=lines * _LINE_SECONDS / 3600)
    for speaker in speakers:
        extract_features(workspace, speaker, processes=1)
        extract_prosody(workspace, speaker, lines)
    options = Options(speakers=list(_SPEAKERS), steps=100_000, minutes=train_minutes, rows=4, unread=True)
    train(workspace, "smoke", options)
    voice = root / "smoke.onnx"
    checkpoint = load_checkpoint(workspace.run("smoke") / _CHECKPOINT).averaged()
    export_voice(of_known(checkpoint, list(_SPEAKERS[:1])), Settings(), voice)
    save_checkpoint(root / "recovered.pt", recover(voice))
    evaluation = Evaluation(
        voice=VoiceReader(voice),
        peers=[TeacherReader(Kokoro(workspace.teacher), speakers[0])],
        language="en",
        sentences=held_out_sentences("en")[:_SENTENCES],
        folder=root / "report",
    )
    print(summary(evaluate(evaluation, Listener(Recogniser(workspace.recogniser)))))
