"""An adversary: judges that learn to tell the pupil from the teacher while the pupil learns to persuade them.

Distances to one target make the pupil speak averages, which sound dull and buzzing; an adversary rewards any speech
that could be the teacher's. Least-squares losses (Mao et al. 2017, arXiv 1611.04076) and matching of what the layers
see. How much it counts is not a weight but a ratio: its gradient at the samples of speech is kept at that many times
the gradient of the distances there, whatever the scales of the losses are.
"""

import random
from contextlib import AbstractContextManager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from .judges import Judge, Judgement, full_judges, light_judges

_JUDGES = {"light": light_judges, "full": full_judges}
_DECAY = 0.98
_TINY = 1e-12


@dataclass(frozen=True)
class AdversaryOptions:
    """How an adversary judges and learns."""

    ratio: float = 0.7
    """Of the norms of the two gradients at the speech, the adversary's and that of the distances."""
    judges: str = "light"
    """`light`: three judges of log spectrograms, one of which hears each step; `full`: eleven, all at every step."""
    width: int = 32
    learning_rate: float = 3e-4
    feature_weight: float = 1.0
    """Of the distance between what the layers see of both, beside the verdict."""
    head_start: int = 200
    """Steps in which the judges learn alone."""


class Adversary:
    """The judges with their optimiser. A `state` of other kinds of judges is not gone on with."""

    def __init__(self, options: AdversaryOptions, device: torch.device, state: dict | None = None):
        self.options = options
        self._judges = nn.ModuleList(_JUDGES[options.judges](options.width)).to(device)
        self._optimiser = torch.optim.AdamW(self._judges.parameters(), options.learning_rate, betas=(0.8, 0.99))
        self._steps, self._gradient_norm = 0, None
        if state and state["kind"] == options.judges:
            self._judges.load_state_dict(state["judges"])
            self._optimiser.load_state_dict(state["optimiser"])
            self._steps = state["steps"]

    def learn(
        self, pupil: Tensor, teacher: Tensor, chance: random.Random, precision: AbstractContextManager
    ) -> tuple[Tensor, float]:
        """Learn from speech [B, L] of both; then what the pupil's loss gains, and the mean loss of the judges.

        The gain has a gradient at `pupil`, but its value is 0: a persuasion has no scale that means anything. Nothing
        is gained before `observe` has seen a gradient of the distances.
        """
        judges = [chance.choice(self._judges)] if self.options.judges == "light" else list(self._judges)
        own = self._improve(judges, pupil.detach(), teacher, precision)
        self._steps += 1
        if self._steps <= self.options.head_start or self._gradient_norm is None:
            return pupil.new_zeros(()), own
        gradient = self._persuasion_gradient(judges, pupil.detach(), teacher, precision)
        scale = self.options.ratio * self._gradient_norm / (gradient.norm() + _TINY)
        push = (pupil * (scale * gradient)).sum()
        return push - push.detach(), own

    def observe(self, gradient: Tensor) -> None:
        """Be told the gradient of the distances at the speech, of whose norm a moving average is kept."""
        norm = gradient.norm().detach()
        known = self._gradient_norm
        self._gradient_norm = norm if known is None else _DECAY * known + (1 - _DECAY) * norm

    def _improve(self, judges: list[Judge], pupil: Tensor, teacher: Tensor, precision: AbstractContextManager) -> float:
        loss = pupil.new_zeros(())
        for judge in judges:
            pictures = judge.picture(teacher), judge.picture(pupil)
            with precision:
                real, made = (judge(picture)[-1].float() for picture in pictures)
            loss = loss + (real - 1).square().mean() + made.square().mean()
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._optimiser.step()
        return loss.item() / len(judges)

    def _persuasion_gradient(
        self, judges: list[Judge], pupil: Tensor, teacher: Tensor, precision: AbstractContextManager
    ) -> Tensor:
        pupil.requires_grad_()
        self._judges.requires_grad_(False)
        loss = pupil.new_zeros(())
        for judge in judges:
            pictures = judge.picture(pupil), judge.picture(teacher)
            with precision:
                made, real = (judge(picture) for picture in pictures)
            loss = loss + _persuasion(made, real, self.options.feature_weight)
        (gradient,) = torch.autograd.grad(loss, pupil)
        self._judges.requires_grad_(True)
        return gradient

    def state(self) -> dict:
        """To go on with later."""
        return {
            "kind": self.options.judges,
            "judges": self._judges.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "steps": self._steps,
        }


def _persuasion(pupil: Judgement, teacher: Judgement, feature_weight: float) -> Tensor:
    """How far the verdict on the pupil is from 1, and how far what the layers see is from the teacher's, relatively."""
    verdict = (pupil[-1].float() - 1).square().mean()
    features = sum(
        (made.float() - real.float()).abs().mean() / real.float().abs().mean()
        for made, real in zip(pupil[:-1], teacher[:-1], strict=True)
    )
    return verdict + feature_weight * features
