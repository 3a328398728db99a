import itertools
import random
import re

import pytest

from lantang_voice.corpus import numbers
from lantang_voice.corpus.indonesian import indonesian_lines
from lantang_voice.corpus.sentence import Templates, endless, mixed


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (15, "fifteen"),
        (42, "forty-two"),
        (100, "one hundred"),
        (1_234, "one thousand two hundred thirty-four"),
        (2_000_019, "two million nineteen"),
    ],
)
def test_english_cardinals(number, words):
    assert numbers.english(number) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "first"),
        (2, "second"),
        (8, "eighth"),
        (9, "ninth"),
        (12, "twelfth"),
        (20, "twentieth"),
        (31, "thirty-first"),
    ],
)
def test_english_ordinals(number, words):
    assert numbers.english_ordinal(number) == words


@pytest.mark.parametrize(
    ("year", "words"),
    [
        (1987, "nineteen eighty-seven"),
        (1905, "nineteen oh five"),
        (1900, "nineteen hundred"),
        (2005, "two thousand five"),
    ],
)
def test_english_years(year, words):
    assert numbers.english_year(year) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "nol"),
        (11, "sebelas"),
        (17, "tujuh belas"),
        (20, "dua puluh"),
        (100, "seratus"),
        (1_945, "seribu sembilan ratus empat puluh lima"),
        (2_000_000, "dua juta"),
    ],
)
def test_indonesian_cardinals(number, words):
    assert numbers.indonesian(number) == words


def test_templates_fill_nested_slots():
    templates = Templates(["{greeting}, {name}!"], {"greeting": ["good {time}"], "time": ["day"], "name": ["Ana"]})
    assert templates.draw(random.Random(0)) == "Good day, Ana!"


def test_endless_ends_when_nothing_new_is_left():
    assert sorted(endless(lambda chance: chance.choice("abc"), 1)) == ["a", "b", "c"]


def test_every_stretch_of_the_mix_keeps_the_shares():
    sources = {"many": (3, (f"m{i}" for i in itertools.count())), "few": (1, (f"f{i}" for i in itertools.count()))}
    lines = list(itertools.islice(mixed(sources), 400))
    for start in range(0, 400, 40):
        assert sum(line.kind == "few" for line in lines[start : start + 40]) == 10


def test_a_kind_that_runs_out_leaves_the_others():
    lines = list(mixed({"a": (1, iter(["only"])), "b": (1, iter(["x", "y", "z"]))}))
    assert [line.text for line in lines if line.kind == "b"] == ["x", "y", "z"]


def test_lines_are_in_words_and_repeatable():
    first = list(itertools.islice(indonesian_lines(5), 500))
    assert first == list(itertools.islice(indonesian_lines(5), 500))
    assert not [line for line in first if re.search(r"[0-9{}]", line.text)]
    assert len({line.key for line in first}) == len({line.text for line in first})
