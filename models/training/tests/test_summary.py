from lantang_voice.evaluation.summary import summary

LISTENER = {
    "DistillMOS": 4.123,
    "DistillMOS of prose": 4.2,
    "word error rate of prose": 0.0296,
    "sentences": 40,
    "prose": 26,
}
PROSODY = {
    "rise_of_questions": 120.4,
    "rising_questions": 0.75,
    "rise_of_statements": -80.0,
    "pauses": 0.5,
    "pause": 0.2,
}
ALONE = {"items": 3, "understood": 2, "mistaken": ["B for D"], "clicks": 0, "loudest_edge": -48.8}
DEFECTS = {"clicks": 0, "seconds": 114.2, "clipped": 0, "largest offset": 1.2e-4, "largest peak": 0.65}
SCALE = {"length_scale": 0.5, "length": 0.5, "f0_shift": -12.0, "formant_shift": 0.09, "clicks": 0.0}
FIGURES = {
    "listeners": {"voice": LISTENER, "teacher-x": LISTENER | {"DistillMOS": 4.5}, "espeak-ng": LISTENER},
    "against the teacher": {
        "mel_cepstral_distance": 4.15,
        "f0_error": 109.4,
        "final_pitch_of_questions": -21.4,
        "final_pitch_of_statements": 7.2,
        "voicing_error": 0.081,
        "duration_error": 0.05,
    },
    "prosody": {"voice": PROSODY, "teacher-x": PROSODY | {"rise_of_questions": 200.0}},
    "said alone": {"letters": ALONE, "words": ALONE | {"understood": 3, "mistaken": []}},
    "defects": {"voice": DEFECTS, "teacher-x": DEFECTS | {"clicks": 5}, "espeak-ng": DEFECTS},
    "length scales": [SCALE, SCALE | {"length_scale": 2.0, "f0_shift": 5.0}],
    "word error rate at length scales": {"0.5": 0.061, "2": 0.02},
    "largest difference in a batch": 2.3e-7,
    "real time on one core": 94.8,
}


def test_each_figure_is_told_beside_the_teachers():
    told = summary(FIGURES)
    assert "|  | voice | its teacher | espeak-ng |" in told
    assert "| Naturalness as DistillMOS estimates it, 1–5 | 4.12 | 4.50 | 4.12 |" in told
    assert "| Word error rate of whisper-base | 3.0% | 3.0% | 3.0% |" in told
    assert "+120 cents (teacher +200 cents), 75% (teacher 75%) end higher" in told
    assert "is -21 cents above the teacher's in questions, +7 cents in statements" in told
    assert "letters 2 of 3 (B for D); words 3 of 3." in told
    assert "begin and end 49 dB below" in told
    assert "0 clicks (teacher 5)" in told
    assert "from 0.5 to 2 move the median pitch by at most 12 cents" in told
    assert "word errors are 6.1% at 0.5 and 2.0% at 2" in told
    assert "95 × real time" in told
