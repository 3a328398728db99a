"""The speakers of lantang's own voices, and who teaches each of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Speaker:
    """One speaker: `teacher` names a style pack of Kokoro-82M, `espeak_voice` the reader of the text, `model` is what
    users of the voice call it.

    `gain` brings the styles to about the same loudness (root mean square of speech 0.09); some clip without it.
    """

    name: str
    model: str
    language: str
    espeak_voice: str
    gender: str
    teacher: str
    gain: float


SPEAKERS = {
    speaker.name: speaker
    for speaker in (
        Speaker("english-woman", "nadia", "en", "en-us", "female", "af_heart", 1.0),
        Speaker("english-man", "aidan", "en", "en-us", "male", "am_michael", 1.0),
        Speaker("indonesian-woman", "sari", "id", "id", "female", "hf_beta", 0.53),
        Speaker("indonesian-man", "bima", "id", "id", "male", "im_nicola", 0.66),
    )
}
