"""Text to phonemes by espeak-ng, in the two notations that training needs.

The pupil reads Piper's notation: the NFD code points of espeak-ng's IPA, the punctuation of each clause,
and a space. The teacher reads its own (see `teacher.notation`), made from IPA with tied affricates and
diphthongs. espeak-ng (GPL-3) is loaded as a tool of the training only; nothing of it enters a voice.
"""

import ctypes
import json
import re
import unicodedata
from functools import cache, lru_cache
from importlib import resources

_UTF8 = 1
_IPA = 2
TIE = "^"
"""Between the parts of one sound in `tied_ipa`."""
_IPA_WITH_TIES = _IPA | 0x80 | (ord(TIE) << 8)
_CLAUSE = re.compile(r"([^,;:.?!]+)([,;:.?!]*)")

PAD, BEGIN, END = "_", "^", "$"


@cache
def _espeak() -> ctypes.CDLL:
    library = ctypes.CDLL("libespeak-ng.so.1")
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
    library.espeak_Initialize(1, 0, None, 0)
    return library


@lru_cache(maxsize=1)
def _espeak_with_voice(espeak_voice: str) -> ctypes.CDLL:
    library = _espeak()
    if library.espeak_SetVoiceByName(espeak_voice.encode()) != 0:
        raise ValueError(f"espeak-ng has no voice named {espeak_voice!r}")
    return library


def _ipa(text: str, espeak_voice: str, mode: int) -> str:
    library = _espeak_with_voice(espeak_voice)
    buffer = ctypes.create_string_buffer(text.encode() + b"\0")
    cursor = ctypes.c_void_p(ctypes.addressof(buffer))
    parts = []
    while cursor.value:
        parts.append(library.espeak_TextToPhonemes(ctypes.byref(cursor), _UTF8, mode).decode().strip())
    return re.sub(r"\([a-z-]+\)", "", " ".join(part for part in parts if part))


def clauses(text: str) -> list[tuple[str, str]]:
    """The clauses of a text, each as its words and the one mark that closes it ("" for none)."""
    found = ((words.strip(), marks[:1]) for words, marks in _CLAUSE.findall(text))
    return [(words, mark) for words, mark in found if words]


def phonemes(text: str, espeak_voice: str) -> str:
    """Phonemes in Piper's notation: one code point is one symbol; clause marks and spaces included."""
    spoken = ""
    for words, mark in clauses(text):
        spoken += unicodedata.normalize("NFD", _ipa(words + mark, espeak_voice, _IPA))
        spoken += mark + " " if mark else ""
    return spoken.rstrip()


def tied_ipa(text: str, espeak_voice: str) -> list[tuple[str, str]]:
    """(IPA with `TIE` between the parts of one sound, closing mark) of each clause."""
    return [(_ipa(words + mark, espeak_voice, _IPA_WITH_TIES), mark) for words, mark in clauses(text)]


@cache
def symbol_ids() -> dict[str, int]:
    """Id of every phoneme symbol, as Piper numbers them."""
    return json.loads(resources.files(__package__).joinpath("symbols.json").read_text("utf-8"))


def is_known(spoken: str) -> bool:
    """Whether every symbol of a phoneme string has an id."""
    return symbol_ids().keys() >= set(spoken)


def ids(spoken: str) -> list[int]:
    """Input ids of a phoneme string: `^ _`, each symbol and `_`, then `$`. Unknown symbols are left out."""
    table = symbol_ids()
    known = [table[symbol] for symbol in spoken if symbol in table]
    return [table[BEGIN], 0, *(i for symbol in known for i in (symbol, 0)), table[END]]
