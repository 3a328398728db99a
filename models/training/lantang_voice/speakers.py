"""The speakers of lantang's own voices, and who teaches each of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Speaker:
    """One speaker: `teacher` names a style pack of Kokoro-82M, `espeak_voice` the reader of the text.

    `gain` brings the styles to about the same loudness (root mean square of speech 0.09); some clip without it.
    """

    name: str
    label: str
    language: str
    espeak_voice: str
    gender: str
    teacher: str
    gain: float


SPEAKERS = {
    speaker.name: speaker
    for speaker in (
        Speaker("english-woman", "English woman", "en", "en-us", "female", "af_heart", 1.0),
        Speaker("english-man", "English man", "en", "en-us", "male", "am_michael", 1.0),
        Speaker("indonesian-woman", "Indonesian woman", "id", "id", "female", "hf_beta", 0.53),
        Speaker("indonesian-man", "Indonesian man", "id", "id", "male", "im_nicola", 0.66),
    )
}
