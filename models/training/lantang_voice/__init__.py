"""Training of the small voices that ship with lantang: text to speech of a teacher to an ONNX file."""

SAMPLE_RATE = 24_000
"""Samples per second of all audio, the teacher's and the pupil's."""

HOP = 256
"""Samples per frame: one frame is 10.67 ms."""
