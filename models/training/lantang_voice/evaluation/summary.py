"""A report's figures as Markdown, as the voices' cards show them."""

_LISTENERS = (
    ("Naturalness as DistillMOS estimates it, 1–5", "DistillMOS", "{:.2f}"),
    ("the same, sentences of common words only", "DistillMOS of prose", "{:.2f}"),
    ("Word error rate of whisper-base", "word error rate of prose", "{:.1%}"),
)


def summary(figures: dict) -> str:
    """Markdown of what `report.evaluate` found; the first of its listeners' readers is the voice, the second its
    teacher."""
    voice, teacher, *_ = figures["listeners"]
    paragraphs = (
        _listeners(figures["listeners"], teacher),
        _closeness(figures["against the teacher"]),
        _prosody(figures["prosody"][voice], figures["prosody"][teacher]),
        _said_alone(figures["said alone"]),
        _faults(figures["defects"][voice], figures["defects"][teacher]),
        _robustness(figures),
    )
    return "\n\n".join(paragraphs) + "\n"


def _listeners(listeners: dict[str, dict], teacher: str) -> str:
    heads = ["its teacher" if reader == teacher else reader for reader in listeners]
    lines = [_row("", heads), _row("---", ["---"] * len(heads))]
    for label, figure, form in _LISTENERS:
        lines.append(_row(label, [form.format(found[figure]) for found in listeners.values()]))
    counts = [f"{found['sentences']}, {found['prose']}" for found in listeners.values()]
    lines.append(_row("Sentences, of them of common words", counts))
    return "\n".join(lines)


def _row(head: str, cells: list[str]) -> str:
    return f"| {head} | {' | '.join(cells)} |"


def _closeness(found: dict[str, float]) -> str:
    return (
        f"Against the teacher: mel-cepstral distance {found['mel_cepstral_distance']:.1f} dB, median F0 error "
        f"{found['f0_error']:.0f} cents (the two need not intone a sentence alike), voicing differs in "
        f"{found['voicing_error']:.1%} of the frames, lengths {found['duration_error']:.0%} apart. Where both have a "
        f"pitch last, the voice's is {found['final_pitch_of_questions']:+.0f} cents above the teacher's in questions, "
        f"{found['final_pitch_of_statements']:+.0f} cents in statements."
    )


def _prosody(own: dict[str, float], teacher: dict[str, float]) -> str:
    def both(figure: str, form: str) -> str:
        return f"{form.format(own[figure])} (teacher {form.format(teacher[figure])})"

    return (
        f"Pitch at the end of questions {both('rise_of_questions', '{:+.0f} cents')}, "
        f"{both('rising_questions', '{:.0%}')} end higher; of statements "
        f"{both('rise_of_statements', '{:+.0f} cents')}. Pauses for each comma, semicolon or colon "
        f"{both('pauses', '{:.2f}')}, {both('pause', '{:.2f} s')} each."
    )


def _said_alone(sets: dict[str, dict]) -> str:
    told = [
        f"{name} {found['understood']} of {found['items']}"
        + (f" ({', '.join(found['mistaken'])})" if found["mistaken"] else "")
        for name, found in sets.items()
    ]
    clicks = sum(found["clicks"] for found in sets.values())
    edge = max(found["loudest_edge"] for found in sets.values())
    return (
        f"Said alone and nearest to the teacher's reading of the same: {'; '.join(told)}. "
        f"{clicks} clicks in them; they begin and end {-edge:.0f} dB below their peak or lower."
    )


def _faults(own: dict[str, float], teacher: dict[str, float]) -> str:
    return (
        f"{own['clicks']} clicks (teacher {teacher['clicks']}) and {own['clipped']} clipped stretches in "
        f"{own['seconds']:.0f} s of speech; peak {own['largest peak']:.2f}, largest offset "
        f"{own['largest offset']:.0e}."
    )


def _robustness(figures: dict) -> str:
    scales = figures["length scales"]
    shift = max(abs(found["f0_shift"]) for found in scales)
    formants = max(found["formant_shift"] for found in scales)
    clicks = sum(found["clicks"] for found in scales)
    low, high = (pick(found["length_scale"] for found in scales) for pick in (min, max))
    errors = figures["word error rate at length scales"]
    heard = " and ".join(f"{rate:.1%} at {scale}" for scale, rate in errors.items())
    return (
        f"Length scales from {low:g} to {high:g} move the median pitch by at most {shift:.0f} cents and the mean "
        f"cepstra by {formants:.2f} of their spread, with {clicks:.0f} clicks; word errors are {heard}. A row of a "
        f"batch differs from the row alone by {figures['largest difference in a batch']:.0e}. "
        f"{figures['real time on one core']:.0f} × real time on one core, phonemes included."
    )
