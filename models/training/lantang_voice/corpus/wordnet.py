"""Example sentences, definitions, words and names out of WordNet 3.0 (Debian package wordnet-base)."""

import re
from dataclasses import dataclass
from pathlib import Path

WORDNET = Path("/usr/share/wordnet")

_SPEAKABLE = re.compile(r"[A-Za-z' ,;:?!.-]+")
_AWKWARD = re.compile(r"\b[A-Z]{2,}|\b\w\.|''|--|\.\.|[a-z][A-Z]|\b(?:St|etc|esp|e|i)\b")
_QUOTED = re.compile(r'"([^"]+)"')
_PERSON = "18"  # WordNet's lexicographer file noun.person
_PLACE = "15"  # noun.location


@dataclass(frozen=True)
class WordNet:
    """Texts by use, each list sorted and free of doubles."""

    examples: list[str]
    definitions: list[str]
    words: list[str]
    people: list[str]
    places: list[str]


def read_wordnet(folder: Path = WORDNET) -> WordNet:
    """Read the four data files. Raises FileNotFoundError where wordnet-base is not installed."""
    examples, definitions, words, people, places = set(), set(), set(), set(), set()
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("latin1").splitlines():
            if line.startswith("  ") or "| " not in line:
                continue
            fields, gloss = line.split("| ", 1)
            examples.update(map(str.strip, _QUOTED.findall(gloss)))
            definitions.add(gloss.split(";")[0].split('"')[0].strip())
            lemmas = _lemmas(fields)
            words.update(lemma for lemma in lemmas if lemma.isalpha() and lemma.islower() and lemma.isascii())
            names = {lemma for lemma in lemmas if _is_name(lemma)}
            people.update(names if fields.split()[1] == _PERSON else ())
            places.update(names if fields.split()[1] == _PLACE else ())
    return WordNet(
        examples=_sentences(examples, 4, 22),
        definitions=_sentences(definitions, 6, 20),
        words=sorted(word for word in words if 2 <= len(word) <= 14),
        people=sorted(name for name in people if " " in name),
        places=sorted(places),
    )


def _lemmas(fields: str) -> list[str]:
    """The words of a synset: its fourth field counts them in hexadecimal, each is followed by a number."""
    columns = fields.split()
    return [columns[4 + 2 * i].split("(")[0].replace("_", " ") for i in range(int(columns[3], 16))]


def _is_name(lemma: str) -> bool:
    return re.fullmatch(r"[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}", lemma) is not None


def _sentences(texts: set[str], shortest: int, longest: int) -> list[str]:
    fit = (text for text in texts if _is_speakable(text) and shortest <= len(text.split()) <= longest)
    return sorted({_as_sentence(text) for text in fit})


def _is_speakable(text: str) -> bool:
    return _SPEAKABLE.fullmatch(text) is not None and _AWKWARD.search(text) is None


def _as_sentence(text: str) -> str:
    text = (text[0].upper() + text[1:]).rstrip(" ;,:")
    return text if text[-1] in ".?!" else text + "."
