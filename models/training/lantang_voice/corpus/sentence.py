"""A line of the corpus, and the random source that templates draw from."""

import hashlib
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Line:
    """A text to be read, in words (no digits), with the kind of text that it is."""

    kind: str
    text: str

    @property
    def key(self) -> str:
        """A name that stays the same as long as the text does."""
        return f"{self.kind}-{hashlib.sha256(self.text.encode()).hexdigest()[:12]}"


class Templates:
    """Patterns such as "{who} saw {what}." whose slots are filled from `vocabulary`.

    A slot's filler is a list to choose from or a function of the random source; fillers may hold slots.
    """

    def __init__(self, patterns: list[str], vocabulary: dict[str, list[str] | Callable[[random.Random], str]]):
        self._patterns = patterns
        self._vocabulary = vocabulary

    def draw(self, chance: random.Random) -> str:
        """One text, its first letter a capital."""
        text = self._fill(chance.choice(self._patterns), chance)
        return text[0].upper() + text[1:]

    def _fill(self, pattern: str, chance: random.Random) -> str:
        return _SLOT.sub(lambda slot: self._fill(self._filler(slot[1], chance), chance), pattern)

    def _filler(self, slot: str, chance: random.Random) -> str:
        source = self._vocabulary[slot]
        return source(chance) if callable(source) else chance.choice(source)


def endless(draw: Callable[[random.Random], str], seed: int | str) -> Iterator[str]:
    """Texts drawn one after another, none twice; ends when new ones become rare."""
    chance, seen, misses = random.Random(seed), set(), 0
    while misses < 200:
        text = draw(chance)
        misses = misses + 1 if text in seen else 0
        if text not in seen:
            seen.add(text)
            yield text


def shuffled(texts: list[str], seed: int) -> Iterator[str]:
    """`texts` in an order that depends on `seed` alone."""
    order = sorted(set(texts))
    random.Random(seed).shuffle(order)
    return iter(order)


def mixed(sources: dict[str, tuple[int, Iterator[str]]]) -> Iterator[Line]:
    """Lines of all kinds, each kind in proportion to its weight in every stretch.

    `sources` maps a kind to (weight, texts). The kind that is furthest behind its share comes next, so
    that any beginning of the corpus is a good corpus by itself. A kind that has no more texts drops out.
    """
    given = dict.fromkeys(sources, 0)
    while given:
        kind = min(given, key=lambda name: (given[name] + 0.5) / sources[name][0])
        text = next(sources[kind][1], None)
        if text is None:
            del given[kind]
        else:
            given[kind] += 1
            yield Line(kind, text)
