"""Piper's own Python: text in, samples out, one intra-op thread, one sentence at a time.

    python piper_tts.py VOICE.onnx

Reads a JSON list of tasks per line and answers each line with its effort (see contestant.ts).
"""

import json
import resource
import sys
import time
from importlib.metadata import version
from pathlib import Path

import onnxruntime
from piper import PiperVoice
from piper.config import PiperConfig


def load(model: str) -> PiperVoice:
    """As PiperVoice.load does, but for the number of threads, which it leaves to the runtime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    config = PiperConfig.from_dict(json.loads(Path(f"{model}.json").read_text(encoding="utf-8")))
    return PiperVoice(session=session, config=config)


def speak(voice: PiperVoice, text: str) -> float:
    """Seconds of audio that the text gave."""
    chunks = voice.synthesize(text)
    return sum(len(chunk.audio_float_array) / chunk.sample_rate for chunk in chunks)


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    voice = load(sys.argv[1])
    name = f"piper-tts {version('piper-tts')} (ONNX Runtime {version('onnxruntime')})"
    print(json.dumps({"version": name}), flush=True)
    for line in sys.stdin:
        started, cpu = time.perf_counter(), cpu_seconds()
        audio = sum(speak(voice, task["text"]) for task in json.loads(line))
        effort = {
            "audioSeconds": audio,
            "wallSeconds": time.perf_counter() - started,
            "cpuSeconds": cpu_seconds() - cpu,
        }
        print(json.dumps(effort), flush=True)


if __name__ == "__main__":
    main()
