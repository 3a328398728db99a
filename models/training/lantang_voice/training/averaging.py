"""A moving average of the weights: as good as a falling learning rate, at any moment of a run."""

import torch
from torch import Tensor, nn

_DECAY = 0.998
_SETTLED = 5_000


class WeightAverage:
    """Exponential moving average of a module's state, started from `weights` where given."""

    def __init__(self, module: nn.Module, weights: dict[str, Tensor] | None = None):
        own = module.state_dict()
        self.weights = {
            name: (tensor if weights is None else weights[name]).detach().to(tensor.device, copy=True)
            for name, tensor in own.items()
        }
        self._updates = 0 if weights is None else _SETTLED

    @torch.no_grad()
    def update(self, module: nn.Module) -> None:
        """Move a little towards the module's weights; quickly at first, while the average is young."""
        self._updates += 1
        decay = min(_DECAY, self._updates / (self._updates + 10))
        for name, tensor in module.state_dict().items():
            self.weights[name].lerp_(tensor, 1 - decay)
