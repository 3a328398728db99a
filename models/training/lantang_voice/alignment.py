"""Which frames belong to which phoneme: a hidden Markov model of single phonemes, trained from a flat start.

Two states a phoneme, one Gaussian each; silence is one state, and pauses and length marks may be skipped.
Hard (Viterbi) training: align, estimate the Gaussians from the alignment, align again.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np

from .phonemes import BEGIN, END

PASSES = 14
_EDGE_FRAMES = 4
_PAUSES = frozenset(" ,.?!;:")
_MARKS = frozenset("ˈˌ\u0329")
_LENGTH = "ː"
_SILENCE = "silence"
_PRIOR_FRAMES = 5.0
_SMALLEST_VARIANCE = 0.02


@dataclass(frozen=True)
class Chain:
    """The states of one utterance, from left to right."""

    states: np.ndarray
    """int64 [states]: which Gaussian each state has."""

    symbols: np.ndarray
    """int64 [states]: which symbol of `^` + phonemes + `$` each state belongs to."""

    optional: np.ndarray
    """bool [states]: may be passed over."""


@dataclass(frozen=True)
class Alignment:
    """Durations of one utterance."""

    durations: np.ndarray
    """int16 [symbols]: frames of each symbol of `^` + phonemes + `$`; stress marks have none."""

    likelihood: float
    """Mean log likelihood of a frame: low where the speech is not what the phonemes say."""


def align(
    spoken: list[str], observations: list[np.ndarray], report: Callable[[int, float], None] = lambda *_: None
) -> list[Alignment]:
    """Align phoneme strings with their observations, float32 [frames, features] each.

    `report` is told the number of each pass and the mean log likelihood after it.
    """
    observations = _normalised(observations)
    chains = _chains(spoken)
    paths = [_flat_path(chain, len(frames)) for chain, frames in zip(chains, observations, strict=True)]
    likelihoods = [0.0] * len(chains)
    for number in range(PASSES):
        gaussians = _Gaussians(chains, paths, observations)
        for i, (chain, frames) in enumerate(zip(chains, observations, strict=True)):
            paths[i], total = _viterbi(gaussians.log_likelihood(frames, chain.states), chain.optional)
            likelihoods[i] = total / len(frames)
        report(number, float(np.mean(likelihoods)))
    return [
        Alignment(_durations(text, chain, path), likelihood)
        for text, chain, path, likelihood in zip(spoken, chains, paths, likelihoods, strict=True)
    ]


def _normalised(observations: list[np.ndarray]) -> list[np.ndarray]:
    together = np.concatenate(observations)
    mean, deviation = together.mean(0), together.std(0)
    return [((frames - mean) / deviation).astype(np.float32) for frames in observations]


def _chains(spoken: list[str]) -> list[Chain]:
    named = [_named_states(text) for text in spoken]
    numbers = {name: i for i, name in enumerate(sorted({name for states in named for name, _, _ in states}))}
    return [
        Chain(
            np.array([numbers[name] for name, _, _ in states]),
            np.array([symbol for _, symbol, _ in states]),
            np.array([optional for _, _, optional in states]),
        )
        for states in named
    ]


def _named_states(text: str) -> list[tuple[str, int, bool]]:
    """(Gaussian's name, symbol, optional) of each state of a phoneme string."""
    sequence = BEGIN + text + END
    states = []
    for i, symbol in enumerate(sequence):
        if symbol in _MARKS:
            continue
        if symbol in (BEGIN, END) or symbol in _PAUSES:
            states.append((_SILENCE, i, symbol in _PAUSES))
        elif symbol == _LENGTH:
            states.append((sequence[i - 1] + _LENGTH, i, True))
        else:
            states += [(f"{symbol}{half}", i, False) for half in (0, 1)]
    return states


def _flat_path(chain: Chain, frames: int) -> np.ndarray:
    """Silence at both ends, every state that cannot be skipped an equal share of the rest."""
    path = np.empty(frames, np.int32)
    path[:_EDGE_FRAMES], path[-_EDGE_FRAMES:] = 0, len(chain.states) - 1
    inner = np.flatnonzero(~chain.optional)[1:-1]
    length = max(0, frames - 2 * _EDGE_FRAMES)
    path[_EDGE_FRAMES : _EDGE_FRAMES + length] = inner[np.arange(length) * len(inner) // max(1, length)]
    return path


class _Gaussians:
    """One Gaussian with a diagonal covariance for each state name, estimated from an alignment."""

    def __init__(self, chains: list[Chain], paths: list[np.ndarray], observations: list[np.ndarray]):
        owners = np.concatenate([chain.states[path] for chain, path in zip(chains, paths, strict=True)])
        frames = np.concatenate(observations)
        states = 1 + max(chain.states.max() for chain in chains)
        count = np.bincount(owners, minlength=states)[:, None] + 1e-3
        mean = _sums(owners, frames, states) / count
        variance = _sums(owners, frames**2, states) / count - mean**2
        weight = count / (count + _PRIOR_FRAMES)
        variance = np.maximum(variance, _SMALLEST_VARIANCE) * weight + (1 - weight)
        self._precision = 1 / variance
        self._scaled_mean = mean / variance
        self._constant = -0.5 * (np.log(variance) + mean**2 / variance).sum(1)

    def log_likelihood(self, frames: np.ndarray, states: np.ndarray) -> np.ndarray:
        """float32 [frames, states], less the constant that all Gaussians share."""
        quadratic = frames**2 @ (-0.5 * self._precision[states].T)
        return (quadratic + frames @ self._scaled_mean[states].T + self._constant[states]).astype(np.float32)


def _sums(owners: np.ndarray, frames: np.ndarray, states: int) -> np.ndarray:
    return np.stack([np.bincount(owners, column, minlength=states) for column in frames.T], 1)


def _durations(text: str, chain: Chain, path: np.ndarray) -> np.ndarray:
    return np.bincount(chain.symbols[path], minlength=len(text) + 2).astype(np.int16)


@numba.njit(cache=True)
def _viterbi(scores, optional):
    """Best path through a left-to-right chain.

    scores: float32 [frames, states]; optional: bool [states], states that may be passed over.
    Returns the state of each frame, int32 [frames], and the log likelihood of the path.
    """
    frames, states = scores.shape
    best = np.full((frames, states), -1e30, np.float32)
    came_from = np.zeros((frames, states), np.int32)
    best[0, 0] = scores[0, 0]
    state = 1
    while state < states and optional[state - 1]:
        best[0, state] = scores[0, state]
        state += 1
    for frame in range(1, frames):
        for state in range(states):
            score, source, previous = best[frame - 1, state], state, state - 1
            while previous >= 0:
                if best[frame - 1, previous] > score:
                    score, source = best[frame - 1, previous], previous
                if not optional[previous]:
                    break
                previous -= 1
            best[frame, state] = score + scores[frame, state]
            came_from[frame, state] = source
    last = states - 1
    while optional[last] and last > 0 and best[frames - 1, last - 1] > best[frames - 1, last]:
        last -= 1
    path = np.empty(frames, np.int32)
    path[frames - 1] = last
    for frame in range(frames - 1, 0, -1):
        path[frame - 1] = came_from[frame, path[frame]]
    return path, best[frames - 1, last]
