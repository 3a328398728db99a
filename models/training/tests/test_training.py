import dataclasses
import random
from contextlib import nullcontext

import numpy as np
import pytest
import torch

from lantang_voice import HOP
from lantang_voice.dataset import Utterance, write_pieces
from lantang_voice.training.adversary import Adversary, AdversaryOptions
from lantang_voice.training.batches import MARGIN, collate, examples, split
from lantang_voice.training.losses import spectral_energy_distance
from lantang_voice.training.run import Options, train
from lantang_voice.training.step import Manner, answer
from lantang_voice.voice.checkpoint import load_checkpoint
from lantang_voice.voice.graph import Settings
from lantang_voice.voice.network import Architecture, Voice
from lantang_voice.workspace import Workspace

SIZES = Architecture(text_width=32, text_hidden=48, text_blocks=3, pitch_width=16, decoder_width=32, decoder_hidden=48,
                     decoder_blocks=1)  # fmt: skip


def _utterance(number):
    """A tone whose pitch depends on the symbols."""
    chance = np.random.default_rng(number)
    spoken = "".join(chance.choice(list("aeiou"), 12))
    durations = np.full(14, 10, np.float32)
    log_f0 = np.log(np.repeat([150.0, *(120 + 30 * "aeiou".index(s) for s in spoken), 150.0], 10)).astype(np.float32)
    phase = np.cumsum(np.repeat(np.exp(log_f0), HOP)) / 24_000
    samples = sum(np.sin(2 * np.pi * k * phase) for k in range(1, 8)) * 2_000
    return Utterance(f"tone-{number}", spoken, durations, log_f0, np.ones(140, bool), samples.astype(np.int16))


@pytest.fixture(scope="module")
def tones():
    return [_utterance(number) for number in range(60)]


def test_crops_hold_what_belongs_together(tones):
    batch = collate(examples(tones[:3], 0), 40, random.Random(2))
    assert batch.samples.shape == (3, 40 * HOP)
    for row in range(3):
        first = int(batch.frames[row, MARGIN].item() - 0.5)
        np.testing.assert_allclose(batch.log_f0[row, MARGIN], tones[row].log_f0[first])
        expected = tones[row].samples[first * HOP : (first + 40) * HOP] / 32768
        np.testing.assert_allclose(batch.samples[row], expected, atol=1e-6)


def test_validation_stays_the_same_as_data_grows(tones):
    _, few = split(examples(tones[:30], 0))
    _, many = split(examples(tones, 0))
    assert {e.utterance.key for e in few} <= {e.utterance.key for e in many}


def test_noise_is_nearest_to_noise():
    torch.manual_seed(0)
    noise, first, second = (torch.randn(2, 8_192) * 0.1 for _ in range(3))
    drawn, _ = spectral_energy_distance(first, second, noise)
    flat = torch.zeros_like(noise)
    silent, _ = spectral_energy_distance(flat, flat, noise)
    same, _ = spectral_energy_distance(first, first, noise)
    assert drawn < same < silent


def test_low_frequencies_can_be_rewarded_less_for_noise():
    torch.manual_seed(0)
    noise, first, second = (torch.randn(2, 8_192) * 0.1 for _ in range(3))
    drawn, plain = spectral_energy_distance(first, second, noise)
    unsure, same = spectral_energy_distance(first, second, noise, low_repulsion=0.5)
    assert unsure > drawn
    assert same == plain


def test_judges_hear_what_is_exported(tones):
    torch.manual_seed(0)
    voice, batch = Voice(SIZES), collate(examples(tones[:2], 0), 48, random.Random(0))
    plain = answer(voice, batch, nullcontext())
    assert torch.equal(plain.judged, plain.speech)
    loud = answer(voice, batch, nullcontext(), Manner(exported=Settings(noise_gain=6.0)))
    assert loud.judged.std() > 2 * loud.speech.std()


def test_learns(tones):
    torch.manual_seed(0)
    voice = Voice(SIZES).train()
    batch = collate(examples(tones[:4], 0), 48, random.Random(0))
    optimiser = torch.optim.AdamW(voice.parameters(), 3e-3)
    losses = []
    for _ in range(40):
        loss = answer(voice, batch, nullcontext()).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 * losses[0]


def test_a_run_goes_on_where_it_stopped(tones, tmp_path):
    workspace = Workspace(tmp_path)
    write_pieces(workspace.features("english-woman"), tones)
    options = Options(speakers=["english-woman"], steps=2, rows=2, crop=32)
    train(workspace, "short", options)
    first = load_checkpoint(workspace.run("short") / "last.pt")
    train(workspace, "short", dataclasses.replace(options, steps=3))
    second = load_checkpoint(workspace.run("short") / "last.pt")
    assert (first.step, second.step) == (2, 3)
    assert second.optimiser["state"][0]["step"] == 3
    moved = [n for n, t in second.weights.items() if not torch.equal(t, first.weights[n])]
    assert moved


def test_rhythm_is_learned_from_what_was_not_read_aloud(tones, tmp_path):
    workspace = Workspace(tmp_path)
    write_pieces(workspace.features("english-woman"), tones[:4])
    slow = [
        dataclasses.replace(tone, durations=tone.durations * 2, log_f0=np.repeat(tone.log_f0, 2),
                            voiced=np.repeat(tone.voiced, 2), samples=np.zeros(0, np.int16))
        for tone in tones
    ]  # fmt: skip
    write_pieces(workspace.prosody("english-woman"), slow)
    options = Options(speakers=["english-woman"], steps=30, rows=4, crop=32, learning_rate=3e-3)
    train(workspace, "read", options)
    train(workspace, "unread", dataclasses.replace(options, unread=True))
    durations = [_mean_log_duration(workspace.run(name) / "last.pt", tones[5]) for name in ("read", "unread")]
    assert durations[1] > durations[0] + 0.1


def _mean_log_duration(checkpoint, tone):
    voice = load_checkpoint(checkpoint).voice().eval()
    batch = collate(examples([tone], 0), 32, None)
    with torch.no_grad():
        return (voice.text(batch.ids, batch.mask, batch.speaker)[1] * batch.mask[..., 0]).sum() / batch.mask.sum()


@pytest.mark.parametrize("judges", ["light", "full"])
def test_an_adversary_learns_to_tell_noise_from_tones(judges):
    torch.manual_seed(0)
    options = AdversaryOptions(judges=judges, width=4, learning_rate=3e-3, head_start=0)
    adversary, chance = Adversary(options, torch.device("cpu")), random.Random(0)
    tone = 0.3 * torch.sin(torch.arange(8_192) * 0.05).expand(2, -1)
    noise = (0.3 * torch.randn(2, 8_192)).requires_grad_()
    own = [adversary.learn(noise, tone, chance, nullcontext())[1] for _ in range(60)]
    assert np.mean(own[-10:]) < 0.5 * np.mean(own[:10])


def test_an_adversary_has_its_part_of_the_gradient():
    torch.manual_seed(0)
    ratio = 0.6
    adversary = Adversary(AdversaryOptions(ratio=ratio, width=4, head_start=1), torch.device("cpu"))
    tone = 0.3 * torch.sin(torch.arange(8_192) * 0.05).expand(2, -1)
    parameter, chance, norms = (0.3 * torch.randn(2, 8_192)).requires_grad_(), random.Random(0), []
    for _ in range(2):
        speech, judged = 1.0 * parameter, 1.0 * parameter
        speech.register_hook(adversary.observe)
        persuasion, _ = adversary.learn(judged, tone, chance, nullcontext())
        assert persuasion.item() == 0
        parameter.grad = None
        (speech.square().sum() + persuasion).backward()
        norms.append((parameter.grad - 2 * parameter).norm().item() / (2 * parameter).norm().item())
    assert norms == pytest.approx([0, ratio], abs=1e-5)


def test_a_run_keeps_its_adversary(tones, tmp_path):
    workspace = Workspace(tmp_path)
    write_pieces(workspace.features("english-woman"), tones)
    options = Options(
        speakers=["english-woman"], steps=2, rows=2, crop=32, adversary=AdversaryOptions(judges="full", width=4)
    )
    train(workspace, "judged", options)
    train(workspace, "judged", dataclasses.replace(options, steps=3))
    kept = load_checkpoint(workspace.run("judged") / "last.pt").extra["adversary"]
    assert kept["steps"] == 3
    other = dataclasses.replace(options, steps=1, start_from=workspace.run("judged") / "last.pt")
    train(workspace, "other", other)
    assert load_checkpoint(workspace.run("other") / "last.pt").extra["adversary"]["steps"] == 4
    train(workspace, "light", dataclasses.replace(other, adversary=AdversaryOptions(width=4)))
    assert load_checkpoint(workspace.run("light") / "last.pt").extra["adversary"]["steps"] == 1
    assert kept["optimiser"]["state"][0]["step"] == 3
